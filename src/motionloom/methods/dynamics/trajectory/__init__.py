"""Trajectories: a curve of poses and places over time, found by Gauss-Newton steps on an objective."""
