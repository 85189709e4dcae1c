"""Search trees: a transition graph unrolled over the ground from the last pose, and what can be found in them."""
