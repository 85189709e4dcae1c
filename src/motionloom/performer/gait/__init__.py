"""Gait: where and when the feet are planted, and the rhythm that the body follows."""
