"""Sequences: what was built so far, ways to extend it, edits in its middle and points that are hit."""
