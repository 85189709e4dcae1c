"""Dynamic programming over all blocks: forward and backward passes, dense and exact ones, and moving cuts afterwards."""
