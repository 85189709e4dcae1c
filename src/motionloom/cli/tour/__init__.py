"""`motionloom demo`: the demo corpus, and a gallery of what can be made of it."""
