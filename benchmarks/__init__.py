"""What motionloom claims, measured. `motionloom bench` runs the folders here; each has `figures(data)`."""
