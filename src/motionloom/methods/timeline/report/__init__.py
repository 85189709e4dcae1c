"""How well an answer is what was asked for: measures, reasons for misses, coverage of a corpus, the picture."""
