"""Closing: the last pass over a solution, which meets exactly what must hold, and says what it changed."""
