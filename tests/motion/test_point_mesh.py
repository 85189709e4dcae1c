"""The light mesh of points: neighbours on the skin of a face are joined, what opens and what is far apart is not."""

import numpy as np
import pytest

from motionloom.markers import full_body_markers, put_on
from motionloom.motion import rotations
from motionloom.motion.face_outlines import find_outlines
from motionloom.motion.point_mesh import light_mesh
from motionloom.performer.face.markers import MIRROR, NAMES, NEUTRAL

REST = NEUTRAL / 1000
INDEX = {name: number for number, name in enumerate(NAMES)}


def named(edges: np.ndarray, names=NAMES) -> set[tuple[str, ...]]:
    return {tuple(sorted(names[end] for end in edge)) for edge in edges}


def test_neighbours_on_the_skin_are_joined_by_triangles_that_look_outwards():
    mesh = light_mesh(REST)
    a, b, c = np.moveaxis(REST[mesh.triangles], 1, 0)
    outwards = np.cross(b - a, c - a)
    middle = REST.mean(axis=0) * [1, 1, 0]
    assert (((a + b + c) / 3 - middle) * outwards).sum(axis=1).min() > 0
    sides = np.sort(mesh.triangles[:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2), axis=1)
    np.testing.assert_array_equal(np.unique(sides, axis=0), mesh.edges)
    assert {("left_inner_eye", "nose_bridge"), ("chin", "left_jaw")} <= named(mesh.edges)
    assert set(NAMES) - {name for edge in named(mesh.edges) for name in edge} == {"left_ear", "right_ear"}


def test_the_mesh_of_a_face_is_the_same_wherever_it_is_and_looks():
    mesh = light_mesh(REST, NAMES)
    for heading in (1.0, -2.5):
        moved = rotations.rotate(rotations.about_y(heading), REST) + [3.0, 1.5, -2.0]
        again = light_mesh(moved, NAMES)
        np.testing.assert_array_equal(again.edges, mesh.edges)
        np.testing.assert_array_equal(again.triangles, mesh.triangles)
    larger = light_mesh(10 * REST, NAMES)
    np.testing.assert_array_equal(larger.edges, mesh.edges)


def test_most_lines_have_their_mirror_image():
    """A square of two markers and their mirror images can be cut by either of its diagonals."""
    edges = {tuple(sorted(edge)) for edge in light_mesh(REST, NAMES).edges.tolist()}
    mirrored = {tuple(sorted(MIRROR[list(edge)])) for edge in edges}
    assert len(edges & mirrored) >= 0.95 * len(edges)


def test_eyes_and_mouths_stay_open_and_have_outlines():
    mesh = light_mesh(REST, NAMES)
    assert [(outline.kind, len(outline.points), outline.is_closed) for outline in mesh.outlines] == [
        ("mouth", 8, True),
        ("brow", 3, False),
        ("eye", 4, True),
        ("brow", 3, False),
        ("eye", 4, True),
    ]
    for outline in mesh.outlines:
        assert named(outline.edges) <= named(mesh.edges)
    across = {("lower_lip", "upper_lip"), ("left_lower_lid", "left_upper_lid"), ("left_mouth_corner", "upper_lip")}
    assert not across & named(mesh.edges)
    assert [NAMES[point] for point in mesh.outlines[1].points] == [
        "right_outer_brow",
        "right_middle_brow",
        "right_inner_brow",
    ]
    mouth = mesh.outlines[0].edges
    assert ("left_mouth_corner", "left_side_upper_lip") in named(mouth)
    assert ("left_side_upper_lip", "upper_lip") in named(mouth) and len(mouth) == 8


def test_outlines_are_found_by_names_of_other_marker_sets():
    markers = {
        "Leyebrow_Inside": (1, 4, 0),
        "Leyebrow_M": (2, 4.2, 0),
        "Eyebrow_Center": (0, 4, 0),
        "LipUpper": (0, 1, 0),
        "LipLower": (0, 0, 0),
        "Mouth_Lend": (1, 0.6, 0),
        "Mouth_Rend": (-1, 0.6, 0),
        "NoseHead": (0, 2, 1),
    }
    names, rest = tuple(markers), np.array(list(markers.values()), float)
    mouth, brow = find_outlines(names, rest)
    assert [names[point] for point in mouth.points] == ["LipLower", "Mouth_Lend", "LipUpper", "Mouth_Rend"]
    assert [names[point] for point in brow.points] == ["Leyebrow_Inside", "Leyebrow_M"]
    assert not find_outlines(tuple("abcdefgh"), rest)


def test_markers_that_are_never_seen_are_joined_to_nothing():
    rest = REST.copy()
    rest[[INDEX["nose_tip"], INDEX["upper_lip"]]] = np.nan
    mesh = light_mesh(rest, NAMES)
    assert not {INDEX["nose_tip"], INDEX["upper_lip"]} & set(mesh.edges.ravel())
    assert len(mesh.triangles) > 30 and len(mesh.outlines[0].points) == 7


def test_markers_of_a_body_are_joined_along_the_limbs_and_not_across(make):
    motion = make.demo_take("walk/normal_1").motion
    markers = full_body_markers(motion.skeleton)
    moving = put_on(motion, markers).positions
    mesh = light_mesh(moving[0], markers.names, moving)
    assert not len(mesh.triangles) and not mesh.outlines
    assert len(mesh.edges) >= 0.8 * len(markers.names)
    legs = {name for name in markers.names if name[1:] in {"THI", "KNE", "TIB", "ANK", "HEE", "TOE", "MT5", "SHN"}}
    assert len(legs) >= 10
    assert not {edge for edge in named(mesh.edges, markers.names) if set(edge) <= legs and edge[0][0] != edge[1][0]}


@pytest.mark.parametrize("n_points", [0, 1, 2, 3, 4])
def test_a_few_points_are_joined_without_a_face(n_points):
    mesh = light_mesh(np.random.default_rng(0).normal(size=(n_points, 3)))
    assert len(mesh.edges) == max(n_points - 1, 0) or n_points > 3
    assert mesh.triangles.shape == (0, 3) and mesh.edges.shape[1:] == (2,)
    assert light_mesh(np.full((3, 3), np.nan)).edges.shape == (0, 2)


def test_a_cloud_of_very_many_points_is_not_joined():
    mesh = light_mesh(np.random.default_rng(0).normal(size=(20_000, 3)))
    assert mesh.edges.shape == (0, 2) and mesh.triangles.shape == (0, 3)
