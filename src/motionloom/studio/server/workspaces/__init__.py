"""What the routes of each workspace call: one file for a workspace, and what the library needs beside its own."""
