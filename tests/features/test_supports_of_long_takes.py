"""Supports of long takes: what looks only nearby finds exactly what looking everywhere finds."""

import numpy as np
import pytest
from benchmarks.unseen.performed_supports import KINDS, perform_supports

from motionloom.features import contacts, supported_contacts, supports
from motionloom.features.cells import cells_between
from motionloom.motion import Motion, Placement, find_runs, place
from motionloom.motion import Support as FramedSupport


def one_after_another(motions, rng, area):
    """All motions as one, each placed somewhere in a square of metres."""
    placed = [place(motion, Placement(rng.uniform(-3, 3), rng.uniform(-area, area, 2))) for motion in motions]
    roots, local = ([getattr(m, name) for m in placed] for name in ("root_positions", "local_rotations"))
    return Motion(placed[0].skeleton, np.concatenate(roots), np.concatenate(local), placed[0].fps)


def plain_spread(body, standing, others):
    upright = [p for p in others if body.posture.below[p.frames, p.side].mean() > 0.5]
    new = standing
    while new:
        near = [p for p in upright if any(supported_contacts._is_beside(body, p, other) for other in new)]
        standing, upright, new = standing + near, [p for p in upright if p not in near], near
    return standing


def plain_group(footprints):
    groups = []
    for footprint in footprints:
        joined = [group for group in groups if belongs(footprint, group)]
        groups = [group for group in groups if group not in joined]
        groups.append([member for group in joined for member in group] + [footprint])
    return groups


def belongs(footprint, group):
    if abs(float(np.median([member.top for member in group])) - footprint.top) > supports.SAME_LEVEL:
        return False
    return any(supports._gap(footprint.outline, member.outline) < supports.APART for member in group)


def plain_footprints(raised, points):
    feet = []
    for contact in raised:
        same = [foot for foot in feet if any(supports._is_same_foot(contact, member) for member in foot)]
        if same:
            same[0].append(contact)
        else:
            feet.append([contact])
    return [
        supports._Footprint(tuple(foot), supports._outline(points, foot), min(contact.top for contact in foot))
        for foot in feet
    ]


def plain_borders(body, pauses):
    found, around = {}, round(0.5 * body.fps)
    for pause in pauses:
        window = slice(max(pause.start - around, 0), pause.stop + around)
        height = np.full(len(body.points), np.inf)
        height[window] = body.soles[window, pause.column] - pause.level
        rests = contacts.find_rests(body.points[:, pause.column], height, body.slow, body.fps, body.settings.contacts)
        for start, stop in find_runs(rests):
            if start < pause.stop and stop > pause.start:
                contact = supports.RaisedContact(pause.column, start, stop, body.floor_height + pause.level)
                found.setdefault((start, stop, pause.column), contact)
    return [found[key] for key in sorted(found)]


def plain_footing(points, heights, ground):
    found = []
    for box in ground.boxes:
        rests = (np.abs(heights - box.top) < 1e-3) & box.covers(np.nan_to_num(points[..., [0, 2]]), 0.1)
        found += [FramedSupport(box, start, stop) for start, stop in find_runs(rests.any(axis=1))]
    return sorted(found, key=lambda support: (support.start, support.stop))


@pytest.mark.parametrize(("fps", "size", "area"), [(60, 1.0, 2.0), (24, 0.7, 0.5), (120, 1.3, 20.0)])
def test_looking_nearby_finds_exactly_what_looking_everywhere_finds(monkeypatch, fps, size, area):
    rng = np.random.default_rng(fps)
    walks = [perform_supports(kind, seed, fps, size).motion for kind in KINDS for seed in (60, 61)]
    motion = one_after_another(walks, rng, area)
    found = supported_contacts.detect_supports(motion, 0.0)
    points = supported_contacts.foot_points(motion, 0.0)
    footing = supported_contacts.find_footing(points, found.heights, found.ground)
    assert len(found.supports) > 20
    assert list(footing.supports) == plain_footing(points, found.heights, found.ground)
    monkeypatch.setattr(supported_contacts, "_spread", plain_spread)
    monkeypatch.setattr(supported_contacts, "_find_borders", plain_borders)
    monkeypatch.setattr(supports, "_group", plain_group)
    monkeypatch.setattr(supports, "_find_footprints", plain_footprints)
    monkeypatch.setattr(supports._Places, "between", lambda places, *_: places.points.reshape(-1, 3))
    plain = supported_contacts.detect_supports(motion, 0.0)
    np.testing.assert_array_equal(found.contacts, plain.contacts)
    np.testing.assert_array_equal(found.heights, plain.heights)
    assert found.supports == plain.supports


@pytest.mark.parametrize("seed", range(20))
def test_groups_are_those_of_all_pairs_however_dense_footprints_are(seed):
    rng = np.random.default_rng(seed)
    outlines = rng.uniform(0, rng.uniform(0.5, 6), (80, 1, 2)) + rng.uniform(-0.1, 0.1, (80, 4, 2))
    tops = rng.choice([rng.uniform(0, 0.3), 0.3, 0.36], 80) + rng.normal(scale=0.02, size=80)
    contact = supports.RaisedContact(0, 0, 1, 0.0)
    footprints = [supports._Footprint((contact,), outline, top) for outline, top in zip(outlines, tops.tolist())]
    assert supports._group(footprints) == plain_group(footprints)


def test_a_take_on_one_place_for_long_groups_as_fast_as_it_is_looked_up(monkeypatch):
    """Footprints on top of each other are compared once each, not all with all."""
    calls, gap = [], supports._gap
    monkeypatch.setattr(supports, "_gap", lambda one, other: calls.append(1) or gap(one, other))
    outline = np.array([[0.0, 0.0], [0.1, 0.0], [0.1, 0.2], [0.0, 0.2]])
    contact = supports.RaisedContact(0, 0, 1, 0.0)
    footprints = [supports._Footprint((contact,), outline + [5.0 * (i % 3), 0.0], 0.3) for i in range(600)]
    assert [len(group) for group in supports._group(footprints)] == [200, 200, 200]
    assert len(calls) < 2 * len(footprints)


@pytest.mark.parametrize("seed", range(5))
def test_cells_between_corners_hold_every_place_between_them(seed):
    rng = np.random.default_rng(seed)
    low, sizes = rng.uniform(-3, 3, 3), rng.uniform(0.1, 1, 3)
    high = low + rng.uniform(0, 2, 3)
    cells = set(cells_between(low, high, sizes))
    for place_ in rng.uniform(low, high, (50, 3)):
        assert set(cells_between(place_, place_, sizes)) <= cells
    assert len(cells) == np.prod(np.floor(high / sizes) - np.floor(low / sizes) + 1)
