"""The hub graph itself: nodes, clips and actions, what clips do, its statistics and its file."""
