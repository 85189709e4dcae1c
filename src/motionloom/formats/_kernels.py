"""Compiled loops of the formats room: numbers in text, and angles to rotations; their plain twins are in the tests."""

import numba
import numpy as np

MAX_DIGITS = 19  # digits that surely fit 64 bits; further ones cannot change a float64 by more than the last place
EXACT_POWER = 22  # powers of ten up to here are exact as float64

# what the kernel reports besides the values
COUNT, LINES, ODD_COUNT, BAD_AT, BAD_LINE, RAGGED_LINE, RAGGED_COUNT, RAGGED_LINES = range(8)


@numba.njit(cache=True, nogil=True)
def parse_numbers(
    text: np.ndarray, per_line: int, powers: np.ndarray, values: np.ndarray, odd: np.ndarray, report: np.ndarray
) -> None:
    """Read every number in text (N,) uint8 into values (C,) float64, as far as there is room, and count all of them.

    Up to 15 digits give what `float` gives, more may differ in the last place; numbers beyond 1e±22 or so are left to
    the caller in odd (K, 3): index of the value, start and stop in the text. report (8,), see the names above: numbers,
    lines that hold any, odd numbers, start and line of the first token that is no number (-1 for none), first line that
    does not hold per_line numbers, how many it holds, and how many such lines there are. Lines count from 0.
    """
    n = len(text)
    i = 0
    count = lines = n_odd = ragged_lines = 0
    line = on_line = 0
    bad_at = bad_line = ragged_line = ragged_count = -1
    while i <= n:
        c = text[i] if i < n else 10
        if c == 32 or c == 9 or c == 11 or c == 12:
            i += 1
            continue
        if c == 10 or c == 13:
            if on_line > 0:
                lines += 1
                if on_line != per_line:
                    ragged_lines += 1
                    if ragged_line < 0:
                        ragged_line, ragged_count = line, on_line
            on_line = 0
            i += 1
            if c == 13 and i < n and text[i] == 10:
                i += 1
            line += 1
            continue
        start = i
        negative = c == 45
        if c == 45 or c == 43:
            i += 1
        mantissa = np.uint64(0)
        digits = seen = 0
        power = 0
        while i < n and 48 <= text[i] <= 57:
            if digits < MAX_DIGITS:
                mantissa = mantissa * np.uint64(10) + np.uint64(text[i] - 48)
                if mantissa > 0:
                    digits += 1
            else:
                power += 1
            seen += 1
            i += 1
        if i < n and text[i] == 46:
            i += 1
            while i < n and 48 <= text[i] <= 57:
                if digits < MAX_DIGITS:
                    mantissa = mantissa * np.uint64(10) + np.uint64(text[i] - 48)
                    if mantissa > 0:
                        digits += 1
                    power -= 1
                seen += 1
                i += 1
        if seen > 0 and i < n and (text[i] == 101 or text[i] == 69):
            i += 1
            minus = False
            if i < n and (text[i] == 45 or text[i] == 43):
                minus = text[i] == 45
                i += 1
            exponent = 0
            exponent_digits = 0
            while i < n and 48 <= text[i] <= 57:
                if exponent < 100000:
                    exponent = exponent * 10 + (text[i] - 48)
                exponent_digits += 1
                i += 1
            power += -exponent if minus else exponent
            if exponent_digits == 0:
                seen = 0
        ended = i >= n or text[i] == 32 or 9 <= text[i] <= 13
        if seen == 0 or not ended:
            while i < n and text[i] != 32 and not 9 <= text[i] <= 13:
                i += 1
            if bad_at < 0:
                bad_at, bad_line = start, line
            value = 0.0
        elif mantissa == 0 or -EXACT_POWER <= power <= EXACT_POWER:
            power = 0 if mantissa == 0 else power
            value = float(mantissa)
            value = value / powers[-power] if power < 0 else value * powers[power]
            value = -value if negative else value
        else:
            value = 0.0
            if n_odd < len(odd):
                odd[n_odd, 0], odd[n_odd, 1], odd[n_odd, 2] = count, start, i
            n_odd += 1
        if count < len(values):
            values[count] = value
        count += 1
        on_line += 1
    report[COUNT], report[LINES], report[ODD_COUNT] = count, lines, n_odd
    report[BAD_AT], report[BAD_LINE] = bad_at, bad_line
    report[RAGGED_LINE], report[RAGGED_COUNT], report[RAGGED_LINES] = ragged_line, ragged_count, ragged_lines


@numba.njit(cache=True, nogil=True)
def turn_angles(
    values: np.ndarray, columns: np.ndarray, axes: np.ndarray, to_radians: float, rotations: np.ndarray
) -> None:
    """Chain turns about moving axes into rotations (F, J, 4), each with the sign nearer to the frame before.

    values (F, C) hold the angles; columns and axes (J, N) say which column turns about which axis (0, 1, 2), in order,
    and -1 after the last.
    """
    n_frames = values.shape[0]
    for f in range(n_frames):
        for j in range(columns.shape[0]):
            w, x, y, z = 1.0, 0.0, 0.0, 0.0
            for k in range(columns.shape[1]):
                column = columns[j, k]
                if column < 0:
                    break
                angle = values[f, column]
                if angle == 0.0:
                    continue
                half = 0.5 * to_radians * angle
                c, s = np.cos(half), np.sin(half)
                if axes[j, k] == 0:
                    w, x, y, z = w * c - x * s, x * c + w * s, y * c + z * s, z * c - y * s
                elif axes[j, k] == 1:
                    w, x, y, z = w * c - y * s, x * c - z * s, y * c + w * s, z * c + x * s
                else:
                    w, x, y, z = w * c - z * s, x * c + y * s, y * c - x * s, z * c + w * s
            if f > 0:
                dot = (
                    w * rotations[f - 1, j, 0]
                    + x * rotations[f - 1, j, 1]
                    + y * rotations[f - 1, j, 2]
                    + z * rotations[f - 1, j, 3]
                )
                if dot < 0.0:
                    w, x, y, z = -w, -x, -y, -z
            rotations[f, j, 0], rotations[f, j, 1], rotations[f, j, 2], rotations[f, j, 3] = w, x, y, z


@numba.njit(cache=True, nogil=True)
def smooth_angles(angles: np.ndarray, is_proper: bool) -> None:
    """Choose among the equal triples of Euler angles (F, 3) radians, in place, the one nearest to the frame before.

    The same rotation is (a + pi, pi - b, c + pi) where three different axes turn, and (a + pi, -b, c + pi) where the
    last is the first.
    """
    turn = 2 * np.pi
    for f in range(1, len(angles)):
        a0, b0, c0 = angles[f - 1, 0], angles[f - 1, 1], angles[f - 1, 2]
        best = np.inf
        a, b, c = angles[f, 0], angles[f, 1], angles[f, 2]
        for other in range(2):
            x, y, z = a, b, c
            if other == 1:
                x, y, z = a + np.pi, (-b if is_proper else np.pi - b), c + np.pi
            x += turn * np.round((a0 - x) / turn)
            y += turn * np.round((b0 - y) / turn)
            z += turn * np.round((c0 - z) / turn)
            distance = abs(x - a0) + abs(y - b0) + abs(z - c0)
            if distance < best - 1e-9:
                best = distance
                angles[f, 0], angles[f, 1], angles[f, 2] = x, y, z
