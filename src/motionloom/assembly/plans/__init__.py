"""Plans: pieces and the joins between them, and their files."""
