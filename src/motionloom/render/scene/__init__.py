"""The scene of a picture: camera, figures, footprints, shadows, and the software renderer."""
