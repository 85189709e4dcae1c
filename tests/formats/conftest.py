"""Demo takes from which up is to be found."""

import pytest

from motionloom.motion import cut


@pytest.fixture(scope="module")
def walk(make):
    return cut(make.demo_take("walk/normal_1").motion, 60, 360)


@pytest.fixture(scope="module")
def jumps(make):
    return make.demo_take("jump/up").motion
