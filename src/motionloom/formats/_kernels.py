"""Compiled loops of the formats room: numbers in text, and angles to rotations; their plain twins are in the tests."""

import numba
import numpy as np

MAX_DIGITS = 19  # digits that surely fit 64 bits; further ones cannot change a float64 by more than the last place
EXACT_POWER = 22  # powers of ten up to here are exact as float64

# what the kernel reports besides the values
COUNT, LINES, ODD_COUNT, BAD_AT, BAD_LINE, RAGGED_LINE, RAGGED_COUNT, RAGGED_LINES = range(8)


@numba.njit(cache=True, nogil=True)
def _scan_digits(text: np.ndarray, i: int, mantissa: np.uint64) -> tuple[int, np.uint64]:
    """Append decimal digits to a mantissa; where they stop, and the mantissa, wrong beyond `MAX_DIGITS`."""
    while i < len(text):
        digit = np.uint8(text[i] - np.uint8(48))
        if digit > 9:
            break
        mantissa = mantissa * np.uint64(10) + np.uint64(digit)
        i += 1
    return i, mantissa


@numba.njit(cache=True, nogil=True)
def _scan_long(text: np.ndarray, i: int) -> tuple[np.uint64, int]:
    """The first `MAX_DIGITS` digits after leading zeros of a decimal, and the power of ten they lack."""
    mantissa, digits, power = np.uint64(0), 0, 0
    after_point = False
    while i < len(text) and (text[i] == 46 or 48 <= text[i] <= 57):
        if text[i] == 46:
            after_point = True
        elif digits < MAX_DIGITS:
            mantissa = mantissa * np.uint64(10) + np.uint64(text[i] - 48)
            digits += 1 if mantissa > 0 else 0
            power -= 1 if after_point else 0
        elif not after_point:
            power += 1
        i += 1
    return mantissa, power


@numba.njit(cache=True, nogil=True)
def _scan_exponent(text: np.ndarray, i: int) -> tuple[int, int, bool]:
    """The number behind an e at i: where it stops, its value, and whether it has any digits."""
    i += 1
    minus = i < len(text) and text[i] == 45
    if i < len(text) and (text[i] == 45 or text[i] == 43):
        i += 1
    first, exponent = i, 0
    while i < len(text) and 48 <= text[i] <= 57:
        exponent = min(exponent * 10 + (text[i] - 48), 100000)
        i += 1
    return i, -exponent if minus else exponent, i > first


@numba.njit(cache=True, nogil=True)
def _scan_number(text: np.ndarray, i: int) -> tuple[int, np.uint64, int, bool]:
    """The decimal at i without its sign: where it stops, mantissa, power of ten, and whether it is one."""
    if text[i] == 45 or text[i] == 43:
        i += 1
    first = i
    i, mantissa = _scan_digits(text, i, np.uint64(0))
    digits, power = i - first, 0
    if i < len(text) and text[i] == 46:
        point = i
        i, mantissa = _scan_digits(text, i + 1, mantissa)
        power = point + 1 - i
        digits -= power
    if digits > MAX_DIGITS:
        mantissa, power = _scan_long(text, first)
    is_number = digits > 0
    if is_number and i < len(text) and (text[i] == 101 or text[i] == 69):
        i, exponent, is_number = _scan_exponent(text, i)
        power += exponent
    ends = i >= len(text) or text[i] == 32 or 9 <= text[i] <= 13
    return i, mantissa, power, is_number and ends


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
    n, i, line, on_line, count = len(text), 0, 0, 0, 0
    report[:] = 0
    report[BAD_AT] = report[BAD_LINE] = report[RAGGED_LINE] = -1
    while i <= n:
        c = text[i] if i < n else 10
        if c == 32 or c == 9 or c == 11 or c == 12:
            i += 1
            continue
        if c == 10 or c == 13:
            _count_line(report, line, on_line, per_line)
            line, on_line = line + 1, 0
            i += 2 if c == 13 and i + 1 < n and text[i + 1] == 10 else 1
            continue
        # the common case, a short decimal without exponent, is read right here because it decides the speed
        start, mantissa, point = i, 0, -1
        i += 1 if c == 45 or c == 43 else 0
        first = i
        while i < n:
            d = text[i]
            if 48 <= d <= 57:
                mantissa = mantissa * 10 + (d - 48)
            elif d == 46 and point < 0:
                point = i
            else:
                break
            i += 1
        digits = i - first - (1 if point >= 0 else 0)
        if 0 < digits < MAX_DIGITS and (i >= n or text[i] == 32 or 9 <= text[i] <= 13):
            value = float(mantissa) / powers[i - point - 1] if point >= 0 else float(mantissa)
            value = -value if c == 45 else value
        else:
            i, value = _parse_unusual(text, start, line, count, powers, odd, report)
        if count < len(values):
            values[count] = value
        count += 1
        on_line += 1
    report[COUNT] = count


@numba.njit(cache=True, nogil=True)
def _parse_unusual(
    text: np.ndarray, start: int, line: int, count: int, powers: np.ndarray, odd: np.ndarray, report: np.ndarray
) -> tuple[int, float]:
    """Read a token with many digits or an exponent, or note in report that it is odd or no number; where it stops."""
    i, mantissa, power, is_number = _scan_number(text, start)
    if not is_number:
        while i < len(text) and text[i] != 32 and not 9 <= text[i] <= 13:
            i += 1
        if report[BAD_AT] < 0:
            report[BAD_AT], report[BAD_LINE] = start, line
        return i, 0.0
    if mantissa != 0 and not -EXACT_POWER <= power <= EXACT_POWER:
        at = report[ODD_COUNT]
        if at < len(odd):
            odd[at, 0], odd[at, 1], odd[at, 2] = count, start, i
        report[ODD_COUNT] += 1
        return i, 0.0
    power = 0 if mantissa == 0 else power
    value = float(mantissa) / powers[-power] if power < 0 else float(mantissa) * powers[power]
    return i, -value if text[start] == 45 else value


@numba.njit(cache=True, nogil=True)
def _count_line(report: np.ndarray, line: int, on_line: int, per_line: int) -> None:
    """Note a line that holds numbers, and whether it holds as many as it should."""
    if on_line == 0:
        return
    report[LINES] += 1
    if on_line != per_line:
        report[RAGGED_LINES] += 1
        if report[RAGGED_LINE] < 0:
            report[RAGGED_LINE], report[RAGGED_COUNT] = line, on_line


@numba.njit(cache=True, nogil=True)
def count_words(text: np.ndarray, counts: np.ndarray) -> int:
    """Count the words on every line of text (N,) uint8 that has any into counts (L,); returns how many lines have."""
    n_lines = on_line = 0
    inside = False
    for i in range(len(text) + 1):
        c = text[i] if i < len(text) else 10
        if c == 32 or 9 <= c <= 13:
            inside = False
            if (c == 10 or c == 13) and on_line > 0:
                if n_lines < len(counts):
                    counts[n_lines] = on_line
                n_lines, on_line = n_lines + 1, 0
        elif not inside:
            inside = True
            on_line += 1
    return n_lines


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
