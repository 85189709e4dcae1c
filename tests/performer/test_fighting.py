"""Do fights hold together: two stances, actions that leave and re-enter them, blows that land, legs that carry."""

import numpy as np
import pytest

from motionloom.errors import BadInput
from motionloom.motion import rotations
from motionloom.performer import Writer, demo_scores, perform
from motionloom.performer.body.hands import palm_positions
from motionloom.performer.body.skeleton import FOREARM, UPPER_ARM, build_skeleton, centre_of_mass

SKELETON = build_skeleton()
ACTIONS = ("punch", "kick", "dodge", "shuffle", "switch")
OTHER = {"left": "right", "right": "left"}


@pytest.fixture(scope="module")
def fights(demo):
    return [seen for seen in demo if seen.performance.name.startswith("fight/")]


def frames_of(performance, word):
    frames = np.zeros(performance.motion.n_frames, bool)
    for label in performance.labels:
        if label.label == word:
            frames[label.start : label.stop] = True
    return frames


def is_down(performance, side, frame, points=("heel", "ball")):
    return all(
        any(c.point == f"{side}_{p}" and c.start <= frame < c.stop for c in performance.contacts) for p in points
    )


def posture(seen, frame, mirrored=False):
    """Joints, (J, 3) metres, from the hips, turned so that the line from foot to foot always lies the same way."""
    at = seen.positions[frame] - seen.positions[frame, 0]
    if mirrored:
        at = at[SKELETON.mirror_indices] * np.array([-1.0, 1.0, 1.0])
    line = at[SKELETON.index("left_foot")] - at[SKELETON.index("right_foot")]
    return rotations.rotate(rotations.about_y(np.full(len(at), -np.arctan2(line[0], line[2]))), at)


def stance_at(performance, frame):
    return next((word for word in ("stance_left", "stance_right") if frames_of(performance, word)[frame]), None)


@pytest.mark.parametrize("stance", ["stance_left", "stance_right"])
@pytest.mark.parametrize("kind", ["punch", "kick", "dodge"])
def test_every_action_is_done_several_times_from_each_stance(fights, stance, kind):
    done = [e for s in fights for e in s.performance.events if e.kind == kind]
    in_stance = sum(
        frames_of(s.performance, stance)[e.frame] for s in fights for e in s.performance.events if e.kind == kind
    )
    assert 3 <= in_stance < len(done)


@pytest.mark.parametrize("stance", ["stance_left", "stance_right"])
def test_every_stance_is_shuffled_in_and_switched_out_of(fights, stance):
    shuffles = switches = 0
    for seen in fights:
        frames = frames_of(seen.performance, stance)
        for label in seen.performance.labels:
            shuffles += label.label == "shuffle" and bool(frames[label.start])
            switches += label.label == "switch" and bool(frames[label.start - 1])
    assert shuffles >= 3 and switches >= 3


def test_all_fighting_is_in_a_stance_or_between_two(fights):
    for seen in fights:
        performance = seen.performance
        fight, switch = frames_of(performance, "fight"), frames_of(performance, "switch")
        left, right = frames_of(performance, "stance_left"), frames_of(performance, "stance_right")
        assert fight.any() and np.array_equal(fight, left | right | switch), performance.name
        assert not (left & right).any() and not (switch & (left | right)).any()
        for word in ("punch", "kick", "dodge", "shuffle"):
            assert not (frames_of(performance, word) & ~(left | right)).any()
        assert not (fight & (frames_of(performance, "walk") | frames_of(performance, "stand"))).any()


def test_actions_end_as_they_began(fights):
    for seen in fights:
        for label in seen.performance.labels:
            if label.label in ACTIONS[:4]:
                assert stance_at(seen.performance, label.start) == stance_at(seen.performance, label.stop - 1)
                away = np.linalg.norm(posture(seen, label.start) - posture(seen, label.stop), axis=-1)
                assert away.max() < 0.08 and away.mean() < 0.035, (seen.performance.name, label, away.max())


def test_a_switch_ends_in_the_mirror_image_of_where_it_began(fights):
    for seen in fights:
        for label in seen.performance.labels:
            if label.label == "switch":
                stances = [stance_at(seen.performance, frame) for frame in (label.start - 1, label.stop)]
                assert sorted(stances) == ["stance_left", "stance_right"]
                away = np.linalg.norm(posture(seen, label.start, True) - posture(seen, label.stop), axis=-1)
                assert away.max() < 0.12 and away.mean() < 0.05, (seen.performance.name, label, away.max())


def test_the_foot_that_names_a_stance_is_ahead(fights):
    for seen in fights:
        for side in ("left", "right"):
            settled = frames_of(seen.performance, f"stance_{side}")
            for word in ("kick", "shuffle"):
                settled &= ~frames_of(seen.performance, word)
            for label in (label for label in seen.performance.labels if label.label == f"stance_{side}"):
                settled[label.start : label.start + 75] = False  # stepping into it
            ahead = seen.points[f"{side}_heel"] - seen.points[f"{OTHER[side]}_heel"]
            facing = seen.positions[:, SKELETON.index("head")] * 0 + np.array([0.0, 0.0, 1.0])
            if not seen.performance.name.startswith("fight/walk_up"):  # those have turned meanwhile
                assert ((ahead * facing).sum(-1)[settled] > 0.25).all(), seen.performance.name


def test_straight_punches_stretch_the_arm_and_others_stay_bent(fights):
    seen_styles = set()
    for seen in fights:
        for event in seen.performance.events:
            if event.kind == "punch":
                (side,) = event.data["hands"]
                joints = [seen.positions[event.frame, SKELETON.index(f"{side}_{j}")] for j in ("shoulder", "hand")]
                stretch = np.linalg.norm(joints[1] - joints[0]) / (UPPER_ARM + FOREARM)
                assert (stretch < 0.8) if event.data["style"] == "hook" else (stretch > 0.92), (event, stretch)
                palm = palm_positions(side, seen.positions, seen.world_rotations)[event.frame]
                assert np.linalg.norm(palm - event.data["point"]) < 0.001
                lead = stance_at(seen.performance, event.frame).removeprefix("stance_")
                assert (side == lead) == (event.data["style"] != "cross")
                seen_styles.add(event.data["style"])
    assert seen_styles == {"jab", "cross", "hook"}


def test_hands_are_up_in_the_ready_stance(fights):
    for seen in fights:
        quiet = frames_of(seen.performance, "fight")
        for word in (*ACTIONS, "walk"):
            quiet &= ~frames_of(seen.performance, word)
        start = int(np.flatnonzero(frames_of(seen.performance, "fight"))[0])
        quiet[: start + 75] = False  # taking the stance
        chest = seen.positions[quiet, SKELETON.index("chest"), 1]
        for side in ("left", "right"):
            assert (seen.positions[quiet, SKELETON.index(f"{side}_hand"), 1] > chest + 0.05).all()


def test_who_kicks_is_balanced_on_the_other_foot(fights):
    kicks = 0
    for seen in fights:
        for event in seen.performance.events:
            if event.kind == "kick":
                (side,) = event.data["feet"]
                standing = OTHER[side]
                mass = centre_of_mass(seen.positions[event.frame])[[0, 2]]
                heel, toe = (seen.points[f"{standing}_{p}"][event.frame, [0, 2]] for p in ("heel", "toe"))
                along = np.clip((mass - heel) @ (toe - heel) / ((toe - heel) @ (toe - heel)), 0, 1)
                assert np.linalg.norm(mass - heel - along * (toe - heel)) < 0.05, (seen.performance.name, event)
                assert is_down(seen.performance, standing, event.frame, ("ball",))
                assert not is_down(seen.performance, side, event.frame, ("ball",))
                assert event.data["point"][1] > 0.6
                kicks += 1
    assert kicks >= 8


def test_joints_of_fighters_are_no_faster_than_people(fights):
    for seen in fights:
        local, fps = seen.performance.motion.local_rotations, seen.performance.motion.fps
        speed = rotations.log(rotations.multiply(rotations.inverse(local[:-1]), local[1:])) * fps
        assert np.linalg.norm(speed, axis=-1).max() < 22, seen.performance.name  # radians per second
        change = np.linalg.norm(np.diff(speed, axis=0), axis=-1) * fps
        knees = [SKELETON.index("left_knee"), SKELETON.index("right_knee")]
        assert change[:, knees].max() < 900, seen.performance.name  # recorded knees reach 1220 radians / s^2


def test_walking_leads_into_a_fight_and_out_of_it(fights):
    through = 0
    for seen in fights:
        walk, fight = (np.flatnonzero(frames_of(seen.performance, word)) for word in ("walk", "fight"))
        through += bool(len(walk) and walk[0] < fight[0] and walk[-1] > fight[-1])
    assert through >= 2


def test_the_same_seed_gives_the_same_fight_and_another_seed_another():
    score = next(score for score in demo_scores() if score.name == "fight/switches")
    first, again, other = (perform(score, np.random.default_rng(seed)) for seed in (4, 4, 5))
    assert np.array_equal(first.motion.local_rotations, again.motion.local_rotations)
    assert first.labels == again.labels and first.contacts == again.contacts and first.events == again.events
    away = np.abs(first.motion.root_positions - other.motion.root_positions).max()
    assert 0.002 < away < 0.2


@pytest.mark.parametrize(
    ("action", "options", "message"),
    [
        ("punch", {"kind": "slap"}, "no punch 'slap'; punches: jab, cross, hook"),
        ("kick", {"kind": "back"}, "no kick 'back', 'rear'; kinds: front, round"),
        ("dodge", {"way": "up"}, "no dodge 'up'; ways: duck, back, left, right"),
        ("shuffle", {"way": "up"}, "no shuffle 'up'; ways: forwards"),
        ("switch", {"first": "both"}, "no switch 'both'; lead or rear"),
        ("ready", {"stance": "right"}, "is not 'right'; change it with a 'switch'"),
        ("ready", {"stance": "wide"}, "no stance 'wide'; stances: left, right"),
    ],
)
def test_what_cannot_be_done_is_refused(action, options, message):
    score = Writer("x").then("stand", 0.5).then("ready", 1.5).then(action, 2.0, **options).done()
    with pytest.raises(BadInput, match=message):
        perform(score, np.random.default_rng(0))


@pytest.mark.parametrize("action", ACTIONS)
def test_fighting_needs_a_stance(action):
    with pytest.raises(BadInput, match=f"'{action}' at 1 s needs a ready stance"):
        perform(Writer("x").then("stand", 1).then(action, 2).done(), np.random.default_rng(0))
