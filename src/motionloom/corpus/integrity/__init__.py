"""Whether a corpus is whole on disk: the check, the kinds of damage, and the repair."""
