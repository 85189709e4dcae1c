"""Is the truth true: steps, contacts, labels and events agree with each other and with the motion."""

import numpy as np
import pytest

from motionloom.motion import kinematics
from motionloom.performer.body.hands import palm_positions
from motionloom.performer.truth import frames_in


def on_floor(performance, side):
    down = np.zeros(performance.motion.n_frames, bool)
    for contact in performance.contacts:
        if contact.point.startswith(side):
            down[contact.start : contact.stop] = True
    return down


def test_every_step_is_a_foot_coming_down(demo):
    for seen in demo:
        performance = seen.performance
        for side in ("left", "right"):
            down = on_floor(performance, side)
            landings = (np.flatnonzero(down[1:] & ~down[:-1]) + 1).tolist()
            steps = sorted(e.frame for e in performance.events if e.kind == "step" and e.data["side"] == side)
            assert steps == landings, performance.name
        assert performance.n_steps == sum(event.kind == "step" for event in performance.events)


def test_steps_alternate_in_walking_and_running(demo):
    for seen in demo:
        performance = seen.performance
        for label in performance.labels:
            if label.label in ("walk", "run"):
                sides = [
                    event.data["side"]
                    for event in performance.events
                    if event.kind == "step" and label.start <= event.frame < label.stop
                ]
                assert all(a != b for a, b in zip(sides, sides[1:])), (performance.name, label, sides)


def test_frames_of_labels_contacts_and_events_are_inside_the_take(demo):
    for seen in demo:
        performance, n = seen.performance, seen.performance.motion.n_frames
        assert all(0 <= label.start < label.stop <= n and label.source == "performer" for label in performance.labels)
        assert all(0 <= contact.start < contact.stop <= n for contact in performance.contacts)
        assert all(0 <= event.frame < n and event.take == performance.name for event in performance.events)


def test_nobody_stands_and_walks_at_once(demo):
    for seen in demo:
        frames = {
            word: np.zeros(seen.performance.motion.n_frames, bool)
            for word in ("stand", "walk", "run", "jump", "sit", "crouch")
        }
        for label in seen.performance.labels:
            if label.label in frames:
                frames[label.label][label.start : label.stop] = True
        for word in set(frames) - {"stand"}:
            assert not (frames["stand"] & frames[word]).any(), (seen.performance.name, word)


def test_walks_travel_and_stands_do_not(demo):
    for seen in demo:
        speed = np.linalg.norm(np.diff(seen.performance.motion.root_positions[:, [0, 2]], axis=0), axis=-1) * 60
        for label in seen.performance.labels:
            inside = speed[label.start : label.stop]
            if label.label == "walk" and label.stop - label.start > 60:
                assert inside.mean() > 0.3, (seen.performance.name, label)
            elif label.label == "run" and label.stop - label.start > 60:
                assert inside.mean() > 1.2, (seen.performance.name, label)


def test_run_flies_and_walk_does_not(demo_by_name):
    for take, flies in (("walk/normal_1", False), ("run/run_1", True), ("run/backwards_1", True)):
        performance = demo_by_name[take].performance
        aloft = ~(on_floor(performance, "left") | on_floor(performance, "right"))
        assert (aloft.sum() > 20) == flies, take


def test_both_feet_are_down_for_a_part_of_every_walking_step(demo_by_name):
    performance = demo_by_name["walk/normal_2"].performance
    both = on_floor(performance, "left") & on_floor(performance, "right")
    assert 0.1 < both[200:600].mean() < 0.3


def test_hands_are_at_their_points(demo):
    met = 0
    for seen in demo:
        positions, turned = kinematics.world(seen.performance.motion)
        for event in seen.performance.events:
            if event.kind in ("pick_up", "place", "reach", "catch"):
                palms = [palm_positions(side, positions, turned)[event.frame] for side in event.data["hands"]]
                assert np.linalg.norm(np.mean(palms, axis=0) - event.data["point"]) < 0.01, (
                    seen.performance.name,
                    event,
                )
                if len(palms) == 2 and event.kind != "catch":
                    assert np.linalg.norm(palms[0] - palms[1]) == pytest.approx(event.data["width"], abs=0.01)
                met += 1
    assert met > 25


def test_things_are_picked_up_and_placed_at_the_given_points(demo_by_name):
    events = demo_by_name["pick_up/pick_and_place_1"].performance.events
    points = {event.kind: event.data["point"] for event in events if event.kind in ("pick_up", "place")}
    assert points == {"pick_up": [0.4, 0.12, 2.6], "place": [-1.8, 0.75, 1.4]}


def test_who_sits_is_at_the_height_of_the_seat(demo):
    seats = set()
    for seen in demo:
        events = [event for event in seen.performance.events if event.kind == "sit"]
        sits = [label for label in seen.performance.labels if label.label == "sit"]
        for event, label in zip(events, sits):
            heights = seen.performance.motion.root_positions[label.start + 6 : label.stop - 6, 1]
            assert np.abs(heights - event.data["hips_height"]).max() < 0.015, (seen.performance.name, event)
            seats.add(event.data["seat_height"])
    assert {0.40, 0.45, 0.52} <= seats


def test_catches_happen_in_the_air_too(demo):
    in_the_air = 0
    for seen in demo:
        aloft = ~(on_floor(seen.performance, "left") | on_floor(seen.performance, "right"))
        in_the_air += sum(bool(aloft[event.frame]) for event in seen.performance.events if event.kind == "catch")
    assert in_the_air >= 3


def test_frames_within_seconds_include_both_ends():
    assert frames_in(1.0, 2.0, 600, 60.0) == (60, 121)
    assert frames_in(-5.0, 0.0, 600, 60.0) == (0, 1)
    assert frames_in(0.991, 0.999, 600, 60.0) == (60, 60)
