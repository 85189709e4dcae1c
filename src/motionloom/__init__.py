"""motionloom: motion-capture recordings into a corpus, the corpus into new animation."""

__version__ = "0.1.0"
