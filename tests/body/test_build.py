"""The mannequin: closed, smooth, of a person's shape, for skeletons of every family."""

import numpy as np
import pytest

from motionloom import body
from motionloom.body.humanoid import is_humanoid
from motionloom.motion import Skeleton

SIDES = (("Left", 1.0), ("Right", -1.0))


def skeleton_of(rows, ends=(), name="skeleton") -> Skeleton:
    names = [row[0] for row in rows]
    return Skeleton(
        names=tuple(names),
        parents=np.array([names.index(row[1]) if row[1] else -1 for row in rows]),
        offsets=np.array([row[2] for row in rows], float),
        end_parents=np.array([names.index(end[0]) for end in ends], int),
        end_offsets=np.array([end[1] for end in ends], float).reshape(-1, 3),
        name=name,
    )


def mixamo() -> Skeleton:
    rows = [("Hips", "", (0, 0, 0)), ("Spine", "Hips", (0, 0.1, -0.01)), ("Spine1", "Spine", (0, 0.12, 0))]
    rows += [("Spine2", "Spine1", (0, 0.13, 0)), ("Neck", "Spine2", (0, 0.15, 0)), ("Head", "Neck", (0, 0.1, 0.03))]
    rows += [("HeadTop_End", "Head", (0, 0.18, 0.06))]
    for side, x in SIDES:
        rows += [
            (f"{side}Shoulder", "Spine2", (x * 0.06, 0.09, 0)),
            (f"{side}Arm", f"{side}Shoulder", (x * 0.13, 0, 0)),
        ]
        rows += [
            (f"{side}ForeArm", f"{side}Arm", (x * 0.27, 0, 0)),
            (f"{side}Hand", f"{side}ForeArm", (x * 0.27, 0, 0)),
        ]
        for finger, z in (("Thumb", 0.03), ("Index", 0.02), ("Pinky", -0.03)):
            rows += [(f"{side}Hand{finger}1", f"{side}Hand", (x * 0.08, 0, z))]
            rows += [(f"{side}Hand{finger}2", f"{side}Hand{finger}1", (x * 0.03, 0, 0))]
        rows += [(f"{side}UpLeg", "Hips", (x * 0.09, -0.05, 0)), (f"{side}Leg", f"{side}UpLeg", (0, -0.41, 0))]
        rows += [(f"{side}Foot", f"{side}Leg", (0, -0.42, 0)), (f"{side}ToeBase", f"{side}Foot", (0, -0.1, 0.13))]
        rows += [(f"{side}Toe_End", f"{side}ToeBase", (0, 0, 0.1))]
    named = [(f"mixamorig:{name}", f"mixamorig:{parent}" if parent else "", offset) for name, parent, offset in rows]
    return skeleton_of(named, name="mixamo")


def unreal() -> Skeleton:
    rows = [("pelvis", "", (0, 0, 0)), ("spine_01", "pelvis", (0, 0.1, 0)), ("spine_02", "spine_01", (0, 0.19, 0))]
    rows += [("neck_01", "spine_02", (0, 0.28, 0)), ("head", "neck_01", (0, 0.09, 0.02))]
    for side, x in (("l", 1.0), ("r", -1.0)):
        rows += [(f"clavicle_{side}", "spine_02", (x * 0.04, 0.24, 0))]
        rows += [(f"upperarm_{side}", f"clavicle_{side}", (x * 0.14, -0.02, 0))]
        rows += [(f"lowerarm_{side}", f"upperarm_{side}", (x * 0.2, -0.22, 0))]  # an A pose
        rows += [
            (f"hand_{side}", f"lowerarm_{side}", (x * 0.18, -0.19, 0.05)),
            (f"thigh_{side}", "pelvis", (x * 0.09, 0, 0)),
        ]
        rows += [
            (f"calf_{side}", f"thigh_{side}", (x * 0.03, -0.42, 0)),
            (f"foot_{side}", f"calf_{side}", (0, -0.4, -0.03)),
        ]
        rows += [(f"ball_{side}", f"foot_{side}", (0, -0.07, 0.16))]
    return skeleton_of(rows, name="unreal")


def cmu() -> Skeleton:
    """Zero-length bones, legs that stand apart in the zero pose, no heels: as in the CMU conversions."""
    rows = [("Hips", "", (0, 0, 0)), ("LowerBack", "Hips", (0, 0, 0)), ("Spine", "LowerBack", (0, 0.12, -0.02))]
    rows += [("Spine1", "Spine", (0, 0.12, 0)), ("Neck", "Spine1", (0, 0, 0)), ("Neck1", "Neck", (0, 0.09, 0.02))]
    rows += [("Head", "Neck1", (0.01, 0.09, -0.02))]
    ends = [("Head", (0, 0.096, -0.01))]
    for side, x in SIDES:
        rows += [
            (f"{side[0]}HipJoint", "Hips", (0, 0, 0)),
            (f"{side}UpLeg", f"{side[0]}HipJoint", (x * 0.086, -0.1, 0.04)),
        ]
        rows += [
            (f"{side}Leg", f"{side}UpLeg", (x * 0.145, -0.4, 0)),
            (f"{side}Foot", f"{side}Leg", (x * 0.147, -0.403, 0)),
        ]
        rows += [(f"{side}ToeBase", f"{side}Foot", (x * 0.01, -0.02, 0.11)), (f"{side}Shoulder", "Spine1", (0, 0, 0))]
        rows += [
            (f"{side}Arm", f"{side}Shoulder", (x * 0.18, 0.058, -0.01)),
            (f"{side}ForeArm", f"{side}Arm", (x * 0.3, 0, 0)),
        ]
        rows += [(f"{side}Hand", f"{side}ForeArm", (x * 0.21, 0, 0)), (f"{side}FingerBase", f"{side}Hand", (0, 0, 0))]
        rows += [
            (f"{side}HandIndex1", f"{side}FingerBase", (x * 0.03, 0, 0)),
            (f"{side[0]}Thumb", f"{side}Hand", (0, 0, 0)),
        ]
        ends += [
            (f"{side}ToeBase", (0, 0, 0.058)),
            (f"{side}HandIndex1", (x * 0.024, 0, 0)),
            (f"{side[0]}Thumb", (x * 0.02, 0, 0.02)),
        ]
    return skeleton_of(rows, ends, name="cmu")


def plain() -> Skeleton:
    """Arms that hang in the zero pose, no toes: the foot ends in an end site."""
    rows = [
        ("Hips", "", (0, 0, 0)),
        ("Chest", "Hips", (0, 0.2, 0)),
        ("Neck", "Chest", (0, 0.28, 0)),
        ("Head", "Neck", (0, 0.1, 0)),
    ]
    for side, x in SIDES:
        rows += [
            (f"{side}Collar", "Chest", (x * 0.04, 0.22, 0)),
            (f"{side}Shoulder", f"{side}Collar", (x * 0.14, 0, 0)),
        ]
        rows += [(f"{side}Elbow", f"{side}Shoulder", (0, -0.28, 0)), (f"{side}Wrist", f"{side}Elbow", (0, -0.25, 0))]
        rows += [(f"{side}Hip", "Hips", (x * 0.1, 0, 0)), (f"{side}Knee", f"{side}Hip", (0, -0.42, 0))]
        rows += [(f"{side}Ankle", f"{side}Knee", (0, -0.42, 0))]
    ends = [("Head", (0, 0.2, 0)), ("LeftAnkle", (0, -0.07, 0.17)), ("RightAnkle", (0, -0.07, 0.17))]
    return skeleton_of(rows, ends, name="plain")


def dog() -> Skeleton:
    rows = [("root", "", (0, 0, 0)), ("back", "root", (0, 0.02, 0.5)), ("throat", "back", (0, 0.15, 0.1))]
    rows += [("skull", "throat", (0, 0.05, 0.12)), ("tail", "root", (0, 0.1, -0.2))]
    for joint in ("back", "root"):
        for x in (1.0, -1.0):
            leg = f"{joint}{x:+.0f}"
            rows += [(f"{leg}a", joint, (x * 0.12, -0.05, 0)), (f"{leg}b", f"{leg}a", (0, -0.2, 0.05))]
            rows += [(f"{leg}c", f"{leg}b", (0, -0.22, -0.05))]
    return skeleton_of(rows, [("skull", (0, -0.02, 0.15))], name="dog")


def lone_joint() -> Skeleton:
    return Skeleton(("only",), np.array([-1]), np.zeros((1, 3)))


PEOPLE = {"mixamo": mixamo, "unreal": unreal, "cmu": cmu, "plain": plain}
EVERY = {**PEOPLE, "dog": dog, "lone_joint": lone_joint}


@pytest.fixture(params=EVERY)
def skeleton(request) -> Skeleton:
    return EVERY[request.param]()


@pytest.fixture(params=PEOPLE)
def person(request) -> Skeleton:
    return PEOPLE[request.param]()


def test_every_edge_has_one_triangle_on_each_side(skeleton):
    triangles = body.build(skeleton).triangles
    edges = np.concatenate([triangles[:, [0, 1]], triangles[:, [1, 2]], triangles[:, [2, 0]]])
    there = np.unique(edges, axis=0)
    assert len(there) == len(edges), "an edge is used twice in the same direction"
    back = np.unique(edges[:, ::-1], axis=0)
    np.testing.assert_array_equal(there, back)


def test_the_mesh_encloses_a_volume_and_its_normals_point_out_of_it(skeleton):
    skin = body.build(skeleton)
    corners = skin.vertices[skin.triangles]
    across = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    assert (corners[:, 0] * across).sum() / 6 > 0
    np.testing.assert_allclose(np.linalg.norm(skin.normals, axis=-1), 1.0, atol=1e-6)
    agreeing = (skin.normals[skin.triangles].mean(axis=1) * across).sum(axis=-1) > 0
    assert agreeing.mean() > 0.995


def test_no_triangle_is_degenerate_and_nothing_is_nan(skeleton):
    skin = body.build(skeleton)
    for name, array in vars(skin).items():
        assert np.isfinite(array).all(), name
    corners = skin.vertices[skin.triangles]
    areas = np.linalg.norm(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=-1) / 2
    assert areas.min() > 1e-9


def test_each_vertex_hangs_on_at_most_four_joints_whose_weights_sum_to_one(skeleton):
    skin = body.build(skeleton)
    assert skin.joints.shape == skin.weights.shape == (len(skin.vertices), 4)
    assert (skin.weights >= 0).all() and (np.diff(skin.weights, axis=1) <= 0).all()
    np.testing.assert_allclose(skin.weights.sum(axis=1), 1.0, atol=1e-12)
    assert skin.joints.min() >= 0 and skin.joints.max() < skeleton.n_joints


def test_a_person_has_some_thousand_vertices(person):
    assert is_humanoid(person)
    assert 2000 <= len(body.build(person).vertices) <= 5500


def test_a_person_stands_upright_on_two_feet_and_looks_forward(person):
    skin = body.build(person)
    low, high = skin.vertices.min(axis=0), skin.vertices.max(axis=0)
    assert 1.4 < high[1] - low[1] < 2.0
    soles = skin.vertices[skin.vertices[:, 1] < low[1] + 0.04]
    assert (soles[:, 0] > 0.05).any() and (soles[:, 0] < -0.05).any()
    feet = np.ptp(soles[soles[:, 0] > 0][:, 2])
    assert 0.18 < feet < 0.34
    head = skin.vertices[skin.vertices[:, 1] > high[1] - 0.22]
    nose = head[head[:, 2].argmax()]
    middle = (head[:, 2].max() + head[:, 2].min()) / 2
    assert nose[2] > middle and abs(nose[0] - head[:, 0].mean()) < 0.03


def test_left_and_right_of_a_person_are_distinguished(person):
    skin = body.build(person)
    assert (skin.sides[skin.vertices[:, 0] > 0.3] > 0.9).all()
    assert (skin.sides[skin.vertices[:, 0] < -0.3] < -0.9).all()
    assert np.abs(skin.sides[skin.vertices[:, 1] > skin.vertices[:, 1].max() - 0.2]).max() < 0.05


def test_shoulders_are_wider_than_the_waist_and_thighs_thicker_than_calves(person):
    skin = body.build(person)
    at = skin.bind_positions

    def width(height, joints):
        near = np.abs(skin.vertices[:, 1] - height) < 0.03
        mine = np.isin(skin.joints[:, 0], joints)
        return np.ptp(skin.vertices[near & mine][:, 0])

    trunk = [j for j in range(person.n_joints) if j in person.chain(person.index("head"))]
    hip, knee, foot = (person.index(f"left_{role}") for role in ("hip", "knee", "foot"))
    shoulder = at[person.index("left_shoulder")]
    waist = at[hip][1] + 0.45 * (shoulder[1] - at[hip][1])
    assert 2 * shoulder[0] > width(waist, trunk)
    thigh = width(0.7 * at[hip][1] + 0.3 * at[knee][1], [hip])
    calf = width(0.5 * at[knee][1] + 0.5 * at[foot][1], [knee])
    assert thigh > 1.3 * calf


def test_a_larger_skeleton_gets_the_same_body_larger(make):
    small, large = body.build(make.skeleton()), body.build(make.skeleton().scaled(2.0))
    np.testing.assert_allclose(np.ptp(large.vertices, axis=0), 2 * np.ptp(small.vertices, axis=0), rtol=0.01)
    assert abs(len(large.vertices) - len(small.vertices)) < 0.02 * len(small.vertices)


def test_an_uneven_skeleton_is_built_too(make):
    for seed in range(3):
        skin = body.build(make.skeleton(seed))
        assert np.isfinite(skin.vertices).all() and len(skin.vertices) > 2000


def test_the_same_skeleton_gives_the_same_body(make):
    first = body.build(make.skeleton())
    body.build.cache_clear()
    second = body.build(make.skeleton())
    for name, array in vars(first).items():
        np.testing.assert_array_equal(array, getattr(second, name))


def test_a_body_cannot_be_changed_by_one_of_those_who_share_it(make):
    with pytest.raises(ValueError, match="read-only"):
        body.build(make.skeleton()).vertices[0] = 0.0


def crown(skeleton: Skeleton) -> float:
    """Metres from the joint of the head to the top of the mannequin."""
    skin = body.build(skeleton)
    return float(skin.vertices[:, 1].max() - skin.bind_positions[skeleton.index("head"), 1])


def test_a_skeleton_that_marks_the_top_of_its_head_says_how_large_it_is():
    usual = mixamo()
    offsets = usual.offsets.copy()
    offsets[usual.index("mixamorig:HeadTop_End")] *= 1.25
    large = Skeleton(usual.names, usual.parents, offsets)
    assert crown(large) / crown(usual) == pytest.approx(1.25, abs=0.05)
    assert crown(large) == pytest.approx(float(np.linalg.norm(offsets[large.index("mixamorig:HeadTop_End")])), abs=0.01)


def test_an_end_inside_the_head_says_nothing_and_the_head_follows_the_height():
    long = cmu()
    offsets = long.offsets.copy()
    for joint in ("Spine", "Spine1"):
        offsets[long.index(joint)] *= 0.6
    short = Skeleton(long.names, long.parents, offsets, long.end_parents, long.end_offsets)
    heights = [float(np.ptp(body.build(person).vertices[:, 1])) for person in (long, short)]
    assert crown(short) / crown(long) == pytest.approx(heights[1] / heights[0], abs=0.02)
    for person, height in zip((long, short), heights):
        assert 0.10 < crown(person) / height < 0.12  # most of a head, which is a seventh to an eighth of a person
