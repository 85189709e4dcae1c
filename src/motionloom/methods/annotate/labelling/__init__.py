"""Labelling a corpus with a person: sessions, active learning, the learning curve, and summaries for people."""
