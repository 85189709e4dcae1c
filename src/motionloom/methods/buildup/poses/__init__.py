"""Poses to choose from: groups of frames that look alike, how many of them, and how they are laid out."""
