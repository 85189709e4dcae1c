"""The procedural performer behind the demo corpus."""
