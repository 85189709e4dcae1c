"""Request files: YAML in and out, times, and what is wrong in one sentence."""
