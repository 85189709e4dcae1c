"""Searching for motions that pass places on the ground."""
