"""Snap-together motion: hub graphs whose clips join by a plain cut."""
