"""Motions that pass places on the ground: joining beginnings with endings, and local search."""
