"""Authoring a hub graph: its request, the match sets of its hubs, and the names of its clips and actions."""
