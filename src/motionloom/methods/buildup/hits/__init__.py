"""Hits: hands, feet and joints at points in space, by choosing, timing, bending and inverse kinematics together."""
