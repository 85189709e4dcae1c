"""How a corpus is stored: the catalogue (SQLite), array files, packed takes, and the write lock."""
