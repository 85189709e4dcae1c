"""Answers that are sent: every motion once, and no other taken for it."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from motionloom.assembly import Answer, Generated, Join, Piece, Plan
from motionloom.studio.desks.answer_stream import AnswerStream
from motionloom.tasks import Task


class Method:
    """Performs nothing, and writes down what it was to perform."""

    def __init__(self) -> None:
        self.plans: list[Plan] = []

    def perform(self, answer, model, *, quick=False, stop=None):
        self.plans.append(answer.plan)
        return SimpleNamespace(is_quick=quick)

    def judge(self, performed, model, *, quick=False, stop=None):
        return SimpleNamespace(characters=())


@pytest.fixture
def plan(make):
    pieces = tuple(Piece(Generated(make.motion(n_frames=30, seed=seed), "wiggle"), 5, 25) for seed in (0, 1))
    return Plan(pieces, (Join("inertialize", 0.2),), 60.0, pieces[0].source.motion.skeleton.digest)


def performed(*plans: Plan) -> int:
    """How many motions are performed to show some plans."""
    method = Method()
    stream = AnswerStream(Task(lambda kind, data: None, lambda: False), method, None)
    for plan in plans:
        stream.show(Answer((plan,), 1.0, None))
    assert stream.n_shown == len(method.plans)
    return len(method.plans)


def test_plans_with_other_joins_warps_or_frames_are_other_motions(plan):
    first, second = plan.pieces
    slow = replace(first, time_warp=np.linspace(5.0, 20.0, 20))
    moved = replace(first.source.motion, root_positions=first.source.motion.root_positions + 0.1)
    others = (
        replace(plan, joins=(Join("inertialize", 0.3),)),
        replace(plan, pieces=(slow, second)),
        replace(plan, pieces=(replace(first, source=replace(first.source, motion=moved)), second)),
        replace(plan, pieces=(replace(first, start=6, stop=26), second)),
    )
    assert performed(plan, *others) == 5


def test_the_same_motion_is_performed_once_though_its_frames_were_made_twice(plan):
    copies = tuple(replace(piece, source=copy_of(piece.source)) for piece in plan.pieces)
    assert performed(plan, plan, replace(plan, pieces=copies), replace(plan, request={"asked": "otherwise"})) == 1


def copy_of(source: Generated) -> Generated:
    """The same frames in other arrays."""
    motion = source.motion
    root, local = motion.root_positions.copy(), motion.local_rotations.copy()
    return replace(source, motion=replace(motion, root_positions=root, local_rotations=local))
