"""Dynamic programming over all blocks: forward and backward passes, dense and exact ones, refinement of cuts."""
