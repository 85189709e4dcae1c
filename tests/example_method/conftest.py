"""The example method is found by programs through the environment, as a method outside of the package is."""

import os
from pathlib import Path

import pytest

from motionloom.methods import MORE

HERE = Path(__file__).parent


@pytest.fixture(scope="module")
def with_medley():
    """The environment of a process that knows the method `medley`; here too."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(HERE)
        patch.setenv(MORE, "medley=medley")
        patch.setenv("PYTHONPATH", os.pathsep.join(filter(None, [str(HERE), os.environ.get("PYTHONPATH")])))
        yield dict(os.environ)
