"""Choosing joins: they are as calm as any way of joining makes them, and stay out of locked frames."""

from dataclasses import replace

import numpy as np
import pytest

from motionloom.assembly import (
    KINDS,
    ChosenJoins,
    Generated,
    Join,
    Piece,
    Plan,
    Recorded,
    assemble,
    choose_joins,
    fit_joins,
    learn_yardsticks,
    usual_joins,
)
from motionloom.assembly.playing.join_choice import BETWEEN_LOCKED, WAYS
from motionloom.conform import View, make_view
from motionloom.graphs.view_measures import measure_view_features
from motionloom.motion import Placement, compose, invert
from motionloom.quality import measure_joins
from motionloom.tasks import Stopped

TAKES = ("run/walk_run_walk_1", "wave/walk_and_wave_1", "walk/stop_and_go", "jump/run_and_jump_1")


@pytest.fixture(scope="module")
def view(tmp_path_factory, make):
    corpus = make.demo_corpus(tmp_path_factory.mktemp("joins") / "corpus", TAKES)
    return make_view(corpus, list(TAKES))


@pytest.fixture(scope="module")
def coordinates(view):
    """(F, P) of the feature space, in which frames that look alike are near each other."""
    return measure_view_features(view).coordinates


@pytest.fixture(scope="module")
def bars(view):
    return learn_yardsticks(view).bars


def play(view: View, coordinates: np.ndarray, lengths: list[int], seed: int) -> Plan:
    """A plan of pieces of so many frames, each the nearest that can follow the one before, where that one leads."""
    motion_of = np.repeat(np.arange(len(view.names)), np.diff(view.starts))
    left = view.starts[1:][motion_of] - np.arange(view.n_frames)  # frames until the motion ends
    facings = np.asarray(view.whole_layer("facing"), float)
    frame = int(np.random.default_rng(seed).choice(np.flatnonzero(left > lengths[0] + 1)))
    pieces, placement = list[Piece](), Placement.none()
    for n_frames in lengths:
        if pieces:
            away = np.linalg.norm(coordinates - coordinates[frame], axis=1)
            away[(left <= n_frames + 1) | (np.abs(np.arange(view.n_frames) - frame) < 20)] = np.inf
            entry = int(away.argmin())
            placement = compose(compose(placement, facing(facings[frame])), invert(facing(facings[entry])))
            frame = entry
        motion = int(motion_of[frame])
        start = frame - int(view.starts[motion])
        pieces.append(Piece(Recorded(view.names[motion]), start, start + n_frames, placement))
        frame += n_frames
    joins = fit_joins(tuple(pieces), (Join.usual("inertialize"),) * (len(pieces) - 1), view.fps)
    return Plan(tuple(pieces), joins, view.fps, view.skeleton.digest, view.key, {"seed": seed})


def facing(values: np.ndarray) -> Placement:
    return Placement(float(values[2]), values[:2])


def changed_by(plan: Plan, number: int) -> range:
    """The frames of the answer that a join may change."""
    join, begin = plan.joins[number], plan.begins[number + 1]
    kind = KINDS[join.kind]
    before, after = (round(part * join.seconds * plan.fps) for part in (kind.before, kind.after))
    return range(begin - before, begin + after)


@pytest.mark.parametrize("seed", range(4))
def test_pieces_stay_and_joins_fit_between_them(view, coordinates, bars, seed):
    plan = play(view, coordinates, [70, 8, 40, 3, 60], seed)
    smooth = choose_joins(plan, view, bars)
    assert smooth.pieces == plan.pieces and smooth.request == plan.request
    assert smooth.joins == fit_joins(smooth.pieces, smooth.joins, smooth.fps)
    assert assemble(smooth, view).motion.n_frames == 181


@pytest.mark.parametrize("seed", range(3))
def test_chosen_joins_are_about_as_calm_as_the_calmest_kind(view, coordinates, bars, seed):
    plan = play(view, coordinates, [80, 90, 80], seed)
    smooth = choose_joins(plan, view, bars)
    peaks = []
    for way in WAYS:
        joins = fit_joins(plan.pieces, (way,) * 2, plan.fps)
        peaks.append(peaks_of(view, replace(plan, joins=joins), bars))
    assert (peaks_of(view, smooth, bars) <= np.max(peaks, axis=0) + 1e-9).all()
    assert (peaks_of(view, smooth, bars) <= np.min(peaks, axis=0) + 0.15).all()


def peaks_of(view: View, plan: Plan, bars) -> np.ndarray:
    motion = assemble(plan, view).motion
    return np.array([peak.acceleration for peak in measure_joins(motion, list(plan.begins[1:]), bars)])


LOCKED = [(60, 60), (60, 1), (70, 10), (119, 1), (20, 30), (130, 20), (55, 4), (121, 3), (59, 62)]


@pytest.mark.parametrize("choose", ["calmest", "usual"])
@pytest.mark.parametrize(("at", "n_frames"), LOCKED)
def test_joins_stay_out_of_locked_frames(view, coordinates, bars, at, n_frames, choose):
    plan = play(view, coordinates, [60, 60, 60], seed=1)
    number = next(i for i, begin in reversed([*enumerate(plan.begins)]) if begin <= at)
    locked = range(at, min(at + n_frames, plan.begins[number] + plan.pieces[number].n_frames))
    smooth = choose_joins(plan, view, bars, locked=[locked]) if choose == "calmest" else usual_joins(plan, [locked])
    for number in range(2):
        assert not set(changed_by(smooth, number)) & set(locked)
        assert smooth.joins[number].seconds > 0


def test_a_cut_between_locked_frames_is_joined_briefly(view, coordinates, bars):
    plan = play(view, coordinates, [60, 60], seed=2)
    smooth = choose_joins(plan, view, bars, locked=[range(50, 60), range(60, 70)])
    assert smooth.joins == (BETWEEN_LOCKED,)


def test_a_plan_of_one_piece_stays_as_it_is(view, coordinates, bars):
    assert choose_joins(play(view, coordinates, [50], seed=0), view, bars).joins == ()


def test_what_was_chosen_before_is_looked_up(view, coordinates, bars, monkeypatch):
    plan, known = play(view, coordinates, [60, 60, 60], seed=3), ChosenJoins()
    first = choose_joins(plan, view, bars, known=known)
    assert len(known) == 2
    monkeypatch.setattr("motionloom.assembly.playing.join_choice.join_pieces", None)  # nothing is tried again
    assert choose_joins(plan, view, bars, known=known).joins == first.joins


def moved(piece: Piece, by: Placement) -> Piece:
    """A piece somewhere else."""
    return replace(piece, placement=compose(by, piece.placement))


def test_what_was_chosen_is_looked_up_wherever_the_plan_stands(view, coordinates, bars, monkeypatch):
    plan, known = play(view, coordinates, [60, 60, 60], seed=3), ChosenJoins()
    first = choose_joins(plan, view, bars, known=known)
    elsewhere = Placement(2.0, np.array([3.0, -7.0]))
    same = replace(plan, pieces=tuple(moved(piece, elsewhere) for piece in plan.pieces))
    monkeypatch.setattr("motionloom.assembly.playing.join_choice.join_pieces", None)
    assert choose_joins(same, view, bars, known=known).joins == first.joins


def test_the_same_pieces_further_apart_are_another_cut_and_so_they_are_by_other_bars(view, coordinates, bars):
    plan, known = play(view, coordinates, [60, 60], seed=3), ChosenJoins()
    choose_joins(plan, view, bars, known=known)
    for number, by in enumerate([Placement(0.0, np.array([0.3, 0.0])), Placement(0.5, np.zeros(2))], start=2):
        apart = replace(plan, pieces=(plan.pieces[0], moved(plan.pieces[1], by)))
        assert choose_joins(apart, view, bars, known=known).joins == choose_joins(apart, view, bars).joins
        assert len(known) == number
    strict = replace(bars, accelerations=bars.accelerations * np.linspace(0.01, 1.0, len(bars.names)))
    assert choose_joins(plan, view, strict, known=known).joins == choose_joins(plan, view, strict).joins
    assert len(known) == 4


def test_not_more_than_so_many_choices_are_remembered(view, coordinates, bars):
    known = ChosenJoins(at_most=2)
    for seed in range(4):
        choose_joins(play(view, coordinates, [40, 40], seed), view, bars, known=known)
        assert len(known) <= 2


def test_generated_pieces_are_joined_too_and_not_taken_for_recordings_of_their_name(view, coordinates, bars):
    plan, known = play(view, coordinates, [60, 60], seed=1), ChosenJoins()
    first = plan.pieces[0]
    made = Piece(Generated(view.motion(first.name), first.name), first.start, first.stop, first.placement)
    mixed = replace(plan, pieces=(made, plan.pieces[1]))
    assert choose_joins(mixed, view, bars, known=known).joins == choose_joins(plan, view, bars).joins
    assert len(known) == 0


def test_choosing_can_be_stopped(view, coordinates, bars):
    with pytest.raises(Stopped):
        choose_joins(play(view, coordinates, [40, 40], seed=0), view, bars, stop=lambda: True)


def test_joins_beside_pieces_at_another_pace_are_chosen_too(view, coordinates, bars):
    """A long piece that is played slower is looked at near its cut only, at its own pace."""
    plan = play(view, coordinates, [90, 90], seed=3)
    slower = [replace(piece, time_warp=piece.start + np.linspace(0, piece.n_frames - 1, 100)) for piece in plan.pieces]
    chosen = choose_joins(replace(plan, pieces=tuple(slower)), view, bars)
    assert chosen.n_frames == 200
    assert chosen.joins[0].seconds > 0
