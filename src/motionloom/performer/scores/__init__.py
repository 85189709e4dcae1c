"""Scores: what is performed, and the scores of the demo corpus."""
