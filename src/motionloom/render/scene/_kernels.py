"""Compiled loops of the renderer; small, without policy."""

import numba
import numpy as np


@numba.njit(cache=True, nogil=True, fastmath=True)
def draw_triangles(
    screen: np.ndarray, triangles: np.ndarray, shades: np.ndarray, depth: np.ndarray, image: np.ndarray
) -> None:
    """Draw triangles into image (H, W, 4) and depth (H, W).

    screen (V, 3) is pixels right, down, metres away; shades (V, 3) are interpolated; backs are left out.
    """
    height, width = depth.shape
    for t in range(triangles.shape[0]):
        i, j, k = triangles[t, 0], triangles[t, 1], triangles[t, 2]
        if screen[i, 2] < 0.05 or screen[j, 2] < 0.05 or screen[k, 2] < 0.05:
            continue
        x0, y0, x1, y1, x2, y2 = screen[i, 0], screen[i, 1], screen[j, 0], screen[j, 1], screen[k, 0], screen[k, 1]
        area = (x1 - x0) * (y2 - y0) - (x2 - x0) * (y1 - y0)
        if area >= 0.0:  # counter-clockwise in the world is clockwise in a picture whose y points down
            continue
        left, right = max(0, int(np.ceil(min(x0, x1, x2) - 0.5))), min(width - 1, int(np.floor(max(x0, x1, x2) - 0.5)))
        top, bottom = max(0, int(np.ceil(min(y0, y1, y2) - 0.5))), min(height - 1, int(np.floor(max(y0, y1, y2) - 0.5)))
        z0, z1, z2 = 1.0 / screen[i, 2], 1.0 / screen[j, 2], 1.0 / screen[k, 2]
        for y in range(top, bottom + 1):
            py = y + 0.5
            for x in range(left, right + 1):
                px = x + 0.5
                a = ((x1 - px) * (y2 - py) - (x2 - px) * (y1 - py)) / area
                b = ((x2 - px) * (y0 - py) - (x0 - px) * (y2 - py)) / area
                c = 1.0 - a - b
                if a < 0.0 or b < 0.0 or c < 0.0:
                    continue
                nearness = a * z0 + b * z1 + c * z2
                if nearness > depth[y, x]:
                    depth[y, x] = nearness
                    for channel in range(3):
                        image[y, x, channel] = a * shades[i, channel] + b * shades[j, channel] + c * shades[k, channel]
                    image[y, x, 3] = 1.0


@numba.njit(cache=True, nogil=True)
def draw_balls(
    screen: np.ndarray,
    radii: np.ndarray,
    colours: np.ndarray,
    light: np.ndarray,
    depth: np.ndarray,
    image: np.ndarray,
) -> None:
    """Draw lit balls: screen (B, 3), radii (B,) pixels, colours (B, 3) linear, light (3,): right, up, towards."""
    height, width = depth.shape
    for n in range(screen.shape[0]):
        if not screen[n, 2] > 0.05:
            continue
        r = radii[n]
        for y in range(max(0, int(screen[n, 1] - r)), min(height - 1, int(screen[n, 1] + r) + 1) + 1):
            for x in range(max(0, int(screen[n, 0] - r)), min(width - 1, int(screen[n, 0] + r) + 1) + 1):
                nx, ny = (x + 0.5 - screen[n, 0]) / r, -(y + 0.5 - screen[n, 1]) / r
                square = nx * nx + ny * ny
                if square > 1.0 or 1.0 / screen[n, 2] <= depth[y, x]:
                    continue
                nz = np.sqrt(1.0 - square)
                depth[y, x] = 1.0 / screen[n, 2]
                shade = 0.35 + 0.65 * max(0.0, 0.3 + 0.7 * (nx * light[0] + ny * light[1] + nz * light[2]))
                for channel in range(3):
                    image[y, x, channel] = colours[n, channel] * shade
                image[y, x, 3] = 1.0


@numba.njit(cache=True, nogil=True)
def stamp_triangles(
    points: np.ndarray, heights: np.ndarray, triangles: np.ndarray, limits: np.ndarray, layers: np.ndarray
) -> None:
    """Fill layers (L, H, W) with 1 where triangles cover the ground; points (V, 2) in cells, a layer per height.

    limits (L,) are the upper ends of the ranges in metres; the last one takes everything above too.
    """
    n_layers, n_rows, n_columns = layers.shape
    for t in range(triangles.shape[0]):
        i, j, k = triangles[t, 0], triangles[t, 1], triangles[t, 2]
        x0, y0, x1, y1, x2, y2 = points[i, 0], points[i, 1], points[j, 0], points[j, 1], points[k, 0], points[k, 1]
        area = (x1 - x0) * (y2 - y0) - (x2 - x0) * (y1 - y0)
        if area == 0.0:
            continue
        height = (heights[i] + heights[j] + heights[k]) / 3.0
        layer = 0
        while layer < n_layers - 1 and height > limits[layer]:
            layer += 1
        for y in range(max(0, int(min(y0, y1, y2))), min(n_rows - 1, int(max(y0, y1, y2)) + 1) + 1):
            for x in range(max(0, int(min(x0, x1, x2))), min(n_columns - 1, int(max(x0, x1, x2)) + 1) + 1):
                a = ((x1 - x) * (y2 - y) - (x2 - x) * (y1 - y)) / area
                b = ((x2 - x) * (y0 - y) - (x0 - x) * (y2 - y)) / area
                if a >= -0.01 and b >= -0.01 and a + b <= 1.01:
                    layers[layer, y, x] = 1.0


@numba.njit(cache=True, nogil=True)
def blur_rows(values: np.ndarray, radius: int, result: np.ndarray) -> None:
    """Fill result (W, H) with the rows of values (H, W) averaged over 2 radius + 1 cells, transposed."""
    n_rows, n_columns = values.shape
    for y in range(n_rows):
        total = 0.0
        for x in range(min(radius, n_columns)):
            total += values[y, x]
        for x in range(n_columns):
            if x + radius < n_columns:
                total += values[y, x + radius]
            result[x, y] = total / (2 * radius + 1)
            if x - radius >= 0:
                total -= values[y, x - radius]


@numba.njit(cache=True, nogil=True, fastmath=True)
def paint_ground(
    position: np.ndarray,
    axes: np.ndarray,
    focal: float,
    floor: float,
    focus: np.ndarray,
    fade: float,
    colours: np.ndarray,
    grid: float,
    shadow: np.ndarray,
    shadow_origin: np.ndarray,
    shadow_cell: float,
    image: np.ndarray,
) -> None:
    """Fill image (H, W, 3), linear, with backdrop, ground, grid lines every `grid` metres and shadow.

    colours (4, 3): backdrop, ground, line, shadow. The ground fades into the backdrop `fade` metres around focus (3,).
    shadow (R, C) is how dark the ground is in cells of shadow_cell metres from shadow_origin (x, z).
    """
    height, width = image.shape[0], image.shape[1]
    for y in range(height):
        for x in range(width):
            u, v = (x + 0.5 - 0.5 * width) / focal, (0.5 * height - y - 0.5) / focal
            dx = axes[0, 0] * u + axes[1, 0] * v + axes[2, 0]
            dy = axes[0, 1] * u + axes[1, 1] * v + axes[2, 1]
            dz = axes[0, 2] * u + axes[1, 2] * v + axes[2, 2]
            for c in range(3):
                image[y, x, c] = colours[0, c]
            if dy > -1e-4:
                continue
            s = (floor - position[1]) / dy
            if s <= 0.0:
                continue
            gx, gz = position[0] + s * dx, position[2] + s * dz
            away = np.sqrt((gx - focus[0]) ** 2 + (gz - focus[2]) ** 2) / fade
            if away > 4.0:
                continue  # melted into the backdrop; shadows end long before
            visible = 1.0 / (1.0 + away**4)
            across = s * np.sqrt(dx * dx + dy * dy + dz * dz) / focal  # metres per pixel, square to the ray
            along = across / max(-dy, 0.02) * np.sqrt(dx * dx + dy * dy + dz * dz)
            line = 0.0
            if grid > 0.0:
                line = max(
                    _line_cover(gx, grid, _spread(across, along, dx, dz)),
                    _line_cover(gz, grid, _spread(across, along, dz, dx)),
                )
            dark = _read_shadow(shadow, (gx - shadow_origin[0]) / shadow_cell, (gz - shadow_origin[1]) / shadow_cell)
            for c in range(3):
                ground = colours[1, c] + (colours[2, c] - colours[1, c]) * line
                ground = colours[0, c] + (ground - colours[0, c]) * visible
                image[y, x, c] = ground + (colours[3, c] - ground) * dark


@numba.njit(cache=True, nogil=True, fastmath=True)
def _spread(across: float, along: float, d_this: float, d_other: float) -> float:
    """Metres of the ground that one pixel covers along one axis."""
    length = max(np.sqrt(d_this * d_this + d_other * d_other), 1e-9)
    return max(np.abs(along * d_this / length), np.abs(across * d_other / length), 1e-6)


@numba.njit(cache=True, nogil=True, fastmath=True)
def _line_cover(value: float, grid: float, pixel: float) -> float:
    """How much of a pixel a grid line covers; lines are 12 mm wide, at least a pixel's worth near by."""
    nearest = np.abs(value - np.round(value / grid) * grid)
    half_width = 0.006
    cover = min(max((half_width + 0.5 * pixel - nearest) / pixel, 0.0), 1.0)
    return cover * min(1.0, max(0.35, 2.0 * half_width / pixel)) * min(1.0, 0.3 * grid / pixel)


@numba.njit(cache=True, nogil=True, fastmath=True)
def _read_shadow(shadow: np.ndarray, x: float, y: float) -> float:
    rows, columns = shadow.shape
    if not (x >= 0.0 and y >= 0.0 and x < columns - 1.0 and y < rows - 1.0):
        return 0.0
    i, j = int(x), int(y)
    a, b = x - i, y - j
    low = shadow[j, i] * (1 - a) + shadow[j, i + 1] * a
    high = shadow[j + 1, i] * (1 - a) + shadow[j + 1, i + 1] * a
    return low * (1 - b) + high * b


@numba.njit(cache=True, nogil=True, fastmath=True)
def average_onto(samples: np.ndarray, factor: int, left: int, top: int, opacity: float, image: np.ndarray) -> None:
    """Average factor x factor samples (H f, W f, 4) to pixels and lay them over image from its pixel (left, top) on."""
    share = opacity / (factor * factor)
    for y in range(samples.shape[0] // factor):
        for x in range(samples.shape[1] // factor):
            r, g, b, a = 0.0, 0.0, 0.0, 0.0
            for dy in range(factor):
                for dx in range(factor):
                    s = samples[y * factor + dy, x * factor + dx]
                    if s[3] > 0.0:
                        r, g, b, a = r + s[0], g + s[1], b + s[2], a + s[3]
            if a > 0.0:
                keep = 1.0 - a * share
                image[top + y, left + x, 0] = image[top + y, left + x, 0] * keep + r * share
                image[top + y, left + x, 1] = image[top + y, left + x, 1] * keep + g * share
                image[top + y, left + x, 2] = image[top + y, left + x, 2] * keep + b * share


@numba.njit(cache=True, nogil=True)
def look_up(values: np.ndarray, table: np.ndarray, result: np.ndarray) -> None:
    """Fill result (N,) with the table's entries for values between 0 and 1."""
    last = table.shape[0] - 1
    for n in range(values.shape[0]):
        result[n] = table[min(max(int(values[n] * last + 0.5), 0), last)]
