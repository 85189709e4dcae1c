"""Terrain as triangles: on the surface, facing outwards, and closed down to the floor."""

import numpy as np
import pytest

from motionloom.motion import Ground, Terrain
from motionloom.motion.terrain_mesh import make_mesh

RNG = np.random.default_rng(0)
TERRAIN = Terrain((-1.0, 2.0), 0.5, RNG.uniform(0.1, 0.6, (7, 9)), 0.8)


def face_normals(mesh):
    a, b, c = (mesh.vertices[mesh.triangles[:, k]] for k in range(3))
    return np.cross(b - a, c - a)


def test_the_surface_goes_through_the_heights():
    mesh = make_mesh(TERRAIN, 0.0)
    top = mesh.vertices[: TERRAIN.heights.size]
    np.testing.assert_allclose(TERRAIN.at(top[:, [0, 2]]), top[:, 1], atol=1e-9)
    np.testing.assert_allclose(np.linalg.norm(mesh.normals, axis=1), 1.0)
    assert (mesh.normals[: len(top), 1] > 0).all()


def test_triangles_face_outwards_and_enclose_the_volume_above_the_floor():
    mesh = make_mesh(TERRAIN, 0.0)
    faces = face_normals(mesh)
    assert (np.einsum("ij,ij->i", faces, mesh.normals[mesh.triangles[:, 0]]) > 0).all()
    a, b, c = (mesh.vertices[mesh.triangles[:, k]] for k in range(3))
    volume = np.einsum("ij,ij->i", a, np.cross(b, c)).sum() / 6  # the bottom is in the plane y = 0: nothing to add
    h = TERRAIN.heights
    cells = (h[:-1, :-1] + h[1:, 1:] + h[1:, :-1] + h[:-1, 1:]) / 4
    assert volume == pytest.approx(cells.sum() * TERRAIN.spacing**2, rel=0.1)


def test_a_part_is_what_is_near_a_place():
    place = TERRAIN.corners.mean(axis=0)
    part = make_mesh(TERRAIN, 0.0, around=place, radius=0.6)
    far = np.linalg.norm(part.vertices[:, [0, 2]] - place, axis=1)
    assert 0.4 < far.max() < 1.1 * np.sqrt(2) * (0.6 + TERRAIN.spacing)
    assert len(make_mesh(TERRAIN, 0.0, around=place + 50, radius=0.6).triangles) == 0
    assert len(make_mesh(Terrain((0, 0), 1.0, [[1.0]]), 0.0).triangles) == 0


def test_fine_terrain_is_thinned_out_and_keeps_its_border():
    fine = Terrain((0.0, 0.0), 0.01, RNG.random((301, 97)))
    mesh = make_mesh(fine, 0.0, most=50)
    top = mesh.vertices[: len(mesh.vertices)]
    assert len(top) < 60 * 60 + 4 * 4 * 120
    assert top[:, 0].max() == pytest.approx(3.0) and top[:, 2].max() == pytest.approx(0.96)


def test_what_is_level_with_the_floor_can_be_left_out():
    ground = Ground.sample(lambda places: np.clip(places[:, 0], 0, 1), (-2, -1), (1, 1), 0.25)
    every, raised = (make_mesh(ground.terrain, 0.0, keeps_level=keeps) for keeps in (True, False))
    assert len(raised.triangles) < len(every.triangles)
    used = raised.vertices[np.unique(raised.triangles)]
    assert used[:, 0].min() == pytest.approx(0.0)
