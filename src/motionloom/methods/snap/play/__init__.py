"""Playing a hub graph: a player, and a planner that searches for the clips to play next."""
