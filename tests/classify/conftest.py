"""The labelled takes that annotation is tested with."""

import importlib.util
from pathlib import Path

_PATH = Path(__file__).parents[1] / "methods" / "annotate" / "conftest.py"
_spec = importlib.util.spec_from_file_location("labelled_takes", _PATH)
assert _spec is not None and _spec.loader is not None
_takes = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(_takes)
truth, verified, view = _takes.truth, _takes.verified, _takes.view
