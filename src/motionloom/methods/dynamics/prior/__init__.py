"""The prior: pose vectors, their subspace, the linear system in it, and how likely motions are."""
