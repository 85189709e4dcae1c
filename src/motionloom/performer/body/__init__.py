"""The performer's body: skeleton, feet, pelvis, balance, trunk, arms and hands over time."""
