"""Demands: what a request asks, as terms of an objective, targets of the last pass, and misses of a finished motion."""
