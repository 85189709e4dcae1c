"""Results and reports: quality beside what is usual, and keeping results as takes."""
