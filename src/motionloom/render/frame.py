"""Drawing one picture: figures in soft light on a ground with their shadows."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from motionloom.render.camera import Camera
from motionloom.render.figures import Figure
from motionloom.render.shadows import cast_shadows


@dataclass(frozen=True)
class Look:
    """Colours (sRGB, 0 to 1) and light of a picture."""

    backdrop: tuple[float, float, float] = (0.965, 0.969, 0.976)
    ground: tuple[float, float, float] = (0.925, 0.933, 0.945)
    line: tuple[float, float, float] = (0.78, 0.80, 0.83)
    shadow: tuple[float, float, float] = (0.36, 0.39, 0.45)
    grid: float = 1.0  # metres between lines; 0 for none
    fade: float = 4.5  # metres around the focus after which the ground melts into the backdrop
    light: tuple[float, float, float] = (
        -0.55,
        0.95,
        0.6,
    )  # where the key light comes from: right, up, towards the viewer
    samples: int = 3  # per pixel and direction: smooth edges


DEFAULT_LOOK = Look()
SMALLEST_BALL = 1.2  # pixels of radius: markers stay visible from afar


def render_frame(
    figures: Sequence[Figure],
    camera: Camera,
    size: tuple[int, int] = (640, 360),
    *,
    floor: float = 0.0,
    focus: np.ndarray | None = None,
    look: Look = DEFAULT_LOOK,
) -> np.ndarray:
    """Draw figures on the ground.

    Args:
        figures: what to draw.
        camera: from where.
        size: width and height in pixels.
        floor: metres, the height of the ground.
        focus: (3,) metres, around which the ground is clear; the camera's target where not given.
        look: colours and light.

    Returns:
        (H, W, 3) uint8, sRGB.
    """
    light = _light_direction(camera, look)
    image = _paint_ground(figures, camera, size, floor, focus, look, light)
    _paint_figures(image, figures, camera, size, look, light)
    return to_bytes(image)


def to_linear(colour: np.ndarray | tuple[float, ...]) -> np.ndarray:
    """sRGB values 0 to 1 as light, which is what may be added and averaged."""
    return np.asarray(colour, dtype=float) ** 2.2


def to_bytes(image: np.ndarray) -> np.ndarray:
    """Light (H, W, 3) as sRGB bytes."""
    from motionloom.render._kernels import look_up

    table = np.round(255 * np.linspace(0, 1, 4096) ** (1 / 2.2)).astype(np.uint8)
    result = np.empty(image.shape, np.uint8)
    look_up(image.reshape(-1), table, result.reshape(-1))
    return result


def _light_direction(camera: Camera, look: Look) -> np.ndarray:
    """Where the light comes from, (3,) unit, world: it turns with the camera but stays above the horizon."""
    right = camera.axes[0]
    towards = np.cross(right, np.array([0.0, 1.0, 0.0]))
    light = right * look.light[0] + np.array([0.0, look.light[1], 0.0]) + towards * look.light[2]
    return light / np.linalg.norm(light)


def _paint_ground(
    figures: Sequence[Figure],
    camera: Camera,
    size: tuple[int, int],
    floor: float,
    focus: np.ndarray | None,
    look: Look,
    light: np.ndarray,
) -> np.ndarray:
    from motionloom.render._kernels import paint_ground

    shadow, origin, cell = cast_shadows(figures, light, floor)
    image = np.empty((size[1], size[0], 3), np.float32)
    colours = to_linear(np.array([look.backdrop, look.ground, look.line, look.shadow]))
    focus = camera.target if focus is None else np.asarray(focus, float)
    focal = camera.focal_length(size[1])
    paint_ground(
        camera.position, camera.axes, focal, floor, focus, look.fade, colours, look.grid, shadow, origin, cell, image
    )
    return image


def _paint_figures(
    image: np.ndarray, figures: Sequence[Figure], camera: Camera, size: tuple[int, int], look: Look, light: np.ndarray
) -> None:
    """Draw figures at a multiple of the resolution, only where they are, and average them down onto the picture."""
    from motionloom.render._kernels import average_onto

    if not figures:
        return
    screens = [camera.project(np.asarray(figure.vertices, float), size) for figure in figures]
    ball_screens = [camera.project(figure.balls, size) for figure in figures]
    box = _covered_pixels(screens, ball_screens, figures, camera.focal_length(size[1]), size)
    if box is None:
        return
    left, top, right, bottom = box
    shape = ((bottom - top) * look.samples, (right - left) * look.samples)
    nearness = np.zeros(shape, np.float32)
    for opacity in sorted({figure.opacity for figure in figures}, reverse=True):  # solid first, ghosts over it
        samples, depth = np.zeros((*shape, 4), np.float32), nearness if opacity >= 1.0 else nearness.copy()
        for figure, screen, ball_screen in zip(figures, screens, ball_screens):
            if figure.opacity == opacity:
                _paint_figure(figure, screen, ball_screen, camera, size, look, light, (left, top), depth, samples)
        average_onto(samples, look.samples, left, top, opacity, image)


def _paint_figure(
    figure: Figure,
    screen: np.ndarray,
    ball_screen: np.ndarray,
    camera: Camera,
    size: tuple[int, int],
    look: Look,
    light: np.ndarray,
    corner: tuple[int, int],
    depth: np.ndarray,
    samples: np.ndarray,
) -> None:
    from motionloom.render._kernels import draw_balls, draw_triangles

    shift, scale = np.array([*corner, 0.0]), np.array([look.samples, look.samples, 1.0])
    if len(screen):
        draw_triangles((screen - shift) * scale, figure.triangles, _shade(figure, camera, light), depth, samples)
    if len(ball_screen):
        focal = camera.focal_length(size[1]) * look.samples
        radii = figure.ball_radii * focal / np.maximum(ball_screen[:, 2], 1e-3)
        radii = np.maximum(radii, SMALLEST_BALL * look.samples)
        towards_light = camera.axes @ light * np.array([1.0, 1.0, -1.0])
        colours = to_linear(figure.ball_colours)
        draw_balls((ball_screen - shift) * scale, radii, colours, towards_light, depth, samples)


def _covered_pixels(
    screens: list[np.ndarray],
    ball_screens: list[np.ndarray],
    figures: Sequence[Figure],
    focal: float,
    size: tuple[int, int],
) -> tuple[int, int, int, int] | None:
    """The part of the picture that figures cover: left, top, right, bottom; None where nothing is in the picture."""
    margins = [np.zeros((len(screen), 1)) for screen in screens]
    margins += [(f.ball_radii * focal / np.maximum(s[:, 2], 1e-3))[:, None] + 1 for f, s in zip(figures, ball_screens)]
    points, margin = np.concatenate([*screens, *ball_screens]), np.concatenate(margins)
    seen = points[:, 2] > 0.05
    if not seen.any():
        return None
    low, high = (points[seen, :2] - margin[seen]).min(axis=0) - 1, (points[seen, :2] + margin[seen]).max(axis=0) + 2
    left, top = np.clip(low, 0, size).astype(int)
    right, bottom = np.clip(high, 0, size).astype(int)
    return (left, top, right, bottom) if right > left and bottom > top else None


def _shade(figure: Figure, camera: Camera, light: np.ndarray) -> np.ndarray:
    """The light (V, 3) that leaves a matte body: a large soft key light, sky and ground, and a thin bright rim."""
    normals = figure.normals
    key = np.clip((normals @ light.astype(np.float32) + 0.25) / 1.25, 0, 1)[:, None]  # wraps around: a large source
    sky = (0.5 + 0.5 * normals[:, 1])[:, None]
    view = camera.position - figure.vertices
    facing = np.abs((normals * view).sum(-1)) / np.linalg.norm(view, axis=-1)
    rim = ((1.0 - np.clip(facing, 0, 1)) ** 3)[:, None]
    ambient = sky * np.array([0.40, 0.43, 0.47]) + (1 - sky) * np.array([0.20, 0.19, 0.18])
    lit = to_linear(figure.colours) * (ambient + 0.85 * key * np.array([1.0, 0.98, 0.95])) + 0.10 * rim * sky
    return np.ascontiguousarray(lit, dtype=np.float32)
