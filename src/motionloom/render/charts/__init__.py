"""Charts of motions: ground plan and time, feet before and after an edit, turns of a hub."""
