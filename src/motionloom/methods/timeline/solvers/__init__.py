"""The two solvers: the global search over the whole corpus, and the paper's search by blocks."""
