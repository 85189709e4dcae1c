"""Labels of takes: those of people, verified ranges, proposals of a classifier, and label files."""
