"""What travels between the page and the server, and nothing else; the page's types are generated from these models."""
