"""The software renderer: figures with soft light on a ground with shadows."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from motionloom.render.scene.camera import Camera
from motionloom.render.scene.figure import Figure
from motionloom.render.scene.shadows import cast_shadows


@dataclass(frozen=True)
class Look:
    """Colours (sRGB, 0 to 1) and light of a picture."""

    backdrop: tuple[float, float, float] = (0.965, 0.969, 0.976)
    ground: tuple[float, float, float] = (0.925, 0.933, 0.945)
    line: tuple[float, float, float] = (0.78, 0.80, 0.83)
    shadow: tuple[float, float, float] = (0.36, 0.39, 0.45)
    grid: float = 1.0  # metres between lines; 0 for none
    fade: float = 4.5  # metres around the focus over which the ground fades into the backdrop
    light: tuple[float, float, float] = (
        -0.55,
        0.95,
        0.6,
    )  # direction to the key light: right, up, towards the viewer
    samples: int = 3  # per pixel and axis: anti-aliasing


DEFAULT_LOOK = Look()
SMALLEST_BALL = 1.2  # pixels: minimum radius of spheres


def render_frame(
    figures: Sequence[Figure],
    camera: Camera,
    size: tuple[int, int] = (640, 360),
    *,
    floor: float = 0.0,
    focus: np.ndarray | None = None,
    look: Look = DEFAULT_LOOK,
) -> np.ndarray:
    """Render figures on the ground.

    Args:
        figures: to render.
        camera: of the picture.
        size: width and height in pixels.
        floor: metres, the height of the ground.
        focus: (3,) metres: centre of the visible ground; None for the camera's target.
        look: colours and light.

    Returns:
        (H, W, 3) uint8, sRGB.
    """
    shot = _Shot(camera, size, look, _light_direction(camera, look))
    image = _paint_ground(figures, shot, floor, camera.target if focus is None else np.asarray(focus, float))
    _paint_figures(image, figures, shot)
    return to_bytes(image)


@dataclass(frozen=True, eq=False)
class _Shot:
    """Camera, size and light of one picture."""

    camera: Camera
    size: tuple[int, int]  # width and height in pixels
    look: Look
    light: np.ndarray  # (3,) unit, world: direction to the key light

    @property
    def focal(self) -> float:
        """Focal length in pixels."""
        return self.camera.focal_length(self.size[1])


def to_linear(colour: np.ndarray | tuple[float, ...]) -> np.ndarray:
    """sRGB values 0 to 1 to linear light."""
    return np.asarray(colour, dtype=float) ** 2.2


def to_bytes(image: np.ndarray) -> np.ndarray:
    """Linear light (H, W, 3) to sRGB bytes."""
    from motionloom.render.scene._kernels import look_up

    table = np.round(255 * np.linspace(0, 1, 4096) ** (1 / 2.2)).astype(np.uint8)
    result = np.empty(image.shape, np.uint8)
    look_up(image.reshape(-1), table, result.reshape(-1))
    return result


def _light_direction(camera: Camera, look: Look) -> np.ndarray:
    """The direction to the light, (3,) unit, world: it turns with the camera but stays above the horizon."""
    right = camera.axes[0]
    towards = np.cross(right, np.array([0.0, 1.0, 0.0]))
    light = right * look.light[0] + np.array([0.0, look.light[1], 0.0]) + towards * look.light[2]
    return light / np.linalg.norm(light)


def _paint_ground(figures: Sequence[Figure], shot: _Shot, floor: float, focus: np.ndarray) -> np.ndarray:
    from motionloom.render.scene._kernels import paint_ground

    camera, look = shot.camera, shot.look
    shadow, origin, cell = cast_shadows(figures, shot.light, floor)
    image = np.empty((shot.size[1], shot.size[0], 3), np.float32)
    colours = to_linear(np.array([look.backdrop, look.ground, look.line, look.shadow]))
    view = (camera.position, camera.axes, shot.focal, floor)
    paint_ground(*view, focus, look.fade, colours, look.grid, shadow, origin, cell, image)
    return image


def _paint_figures(image: np.ndarray, figures: Sequence[Figure], shot: _Shot) -> None:
    """Render figures supersampled, inside their bounding box only, and downsample them onto the picture."""
    from motionloom.render.scene._kernels import average_onto

    box = _covered_pixels(figures, shot)
    if box is None:
        return
    left, top, right, bottom = box
    n_samples = shot.look.samples
    shape = ((bottom - top) * n_samples, (right - left) * n_samples)
    solid_depth = np.zeros(shape, np.float32)
    for opacity in sorted({figure.opacity for figure in figures}, reverse=True):  # opaque first
        samples, depth = np.zeros((*shape, 4), np.float32), solid_depth if opacity >= 1.0 else solid_depth.copy()
        for figure in figures:
            if figure.opacity == opacity:
                _paint_figure(figure, shot, np.array([left, top, 0.0]), depth, samples)
        average_onto(samples, n_samples, left, top, opacity, image)


def _paint_figure(figure: Figure, shot: _Shot, corner: np.ndarray, depth: np.ndarray, samples: np.ndarray) -> None:
    """Render one figure to samples (H n, W n, 4) and depth (H n, W n), whose first pixel is `corner` of the picture."""
    from motionloom.render.scene._kernels import draw_balls, draw_triangles

    camera, n_samples = shot.camera, shot.look.samples
    scale = np.array([n_samples, n_samples, 1.0])
    if len(figure.vertices):
        screen = (camera.project(np.asarray(figure.vertices, float), shot.size) - corner) * scale
        draw_triangles(screen, figure.triangles, _shade(figure, camera, shot.light), depth, samples)
    if len(figure.balls):
        screen = camera.project(figure.balls, shot.size)
        radii = np.maximum(_ball_pixels(figure, screen, shot), SMALLEST_BALL) * n_samples
        towards_light = camera.axes @ shot.light * np.array([1.0, 1.0, -1.0])
        draw_balls((screen - corner) * scale, radii, to_linear(figure.ball_colours), towards_light, depth, samples)


def _ball_pixels(figure: Figure, screen: np.ndarray, shot: _Shot) -> np.ndarray:
    """Radii of spheres in the picture, (B,) pixels."""
    return figure.ball_radii * shot.focal / np.maximum(screen[:, 2], 1e-3)


def _covered_pixels(figures: Sequence[Figure], shot: _Shot) -> tuple[int, int, int, int] | None:
    """The bounding box of figures in the picture: left, top, right, bottom; None if none is visible."""
    low, high = np.full(2, np.inf), np.full(2, -np.inf)
    for figure in figures:
        screen = shot.camera.project(figure.points.astype(float), shot.size)
        margins = np.zeros((len(screen), 1))
        margins[len(figure.vertices) :, 0] = _ball_pixels(figure, screen[len(figure.vertices) :], shot) + SMALLEST_BALL
        seen = screen[:, 2] > 0.05
        low = np.minimum(low, (screen[seen, :2] - margins[seen]).min(axis=0, initial=np.inf))
        high = np.maximum(high, (screen[seen, :2] + margins[seen]).max(axis=0, initial=-np.inf))
    if not np.isfinite(low).all():
        return None
    left, top = np.clip(low - 1, 0, shot.size).astype(int)
    right, bottom = np.clip(high + 2, 0, shot.size).astype(int)
    return (left, top, right, bottom) if right > left and bottom > top else None


def _shade(figure: Figure, camera: Camera, light: np.ndarray) -> np.ndarray:
    """Diffuse shading (V, 3): a wrapped key light, hemispherical ambient light, and a rim light."""
    normals = figure.normals
    key = np.clip((normals @ light.astype(np.float32) + 0.25) / 1.25, 0, 1)[:, None]  # wrapped: a large source
    sky = (0.5 + 0.5 * normals[:, 1])[:, None]
    view = camera.position - figure.vertices
    facing = np.abs((normals * view).sum(-1)) / np.linalg.norm(view, axis=-1)
    rim = ((1.0 - np.clip(facing, 0, 1)) ** 3)[:, None]
    ambient = sky * np.array([0.40, 0.43, 0.47]) + (1 - sky) * np.array([0.20, 0.19, 0.18])
    lit = to_linear(figure.colours) * (ambient + 0.85 * key * np.array([1.0, 0.98, 0.95])) + 0.10 * rim * sky
    return np.ascontiguousarray(lit, dtype=np.float32)
