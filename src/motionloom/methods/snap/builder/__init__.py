"""Building a hub graph: common poses with their contacts, takes bent through them, clips, and their connectivity."""
