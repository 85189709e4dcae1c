"""Redraw every figure of the documentation: python -m docs.figures"""

import runpy
from pathlib import Path

for script in sorted(Path(__file__).parent.glob("*.py")):
    if not script.name.startswith("__"):
        runpy.run_path(str(script), run_name="__main__")
