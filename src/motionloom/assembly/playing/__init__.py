"""From plans to frames: joining pieces, bending to places, planting feet."""
