"""The classifier of a label: features of windows, a support vector machine, and smoothing of its decisions."""
