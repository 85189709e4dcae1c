"""Spelling: numbers of reports in words, so that those which differ never read alike."""

import math

USUAL_DIGITS, MOST_DIGITS = 3, 17  # significant ones; the latter tell any two numbers apart


def spell(value: float, unit: str = "", digits: int = USUAL_DIGITS) -> str:
    """A number with its unit."""
    return f"{value:.{digits}g} {unit}".rstrip()


def spell_apart(value: float, bound: float, unit: str = "") -> tuple[str, str]:
    """A number and what it is held against, with as many digits as tell them apart if they differ."""
    for digits in range(USUAL_DIGITS, MOST_DIGITS + 1):
        spelled = spell(value, unit, digits), spell(bound, unit, digits)
        if spelled[0] != spelled[1] or value == bound:
            return spelled
    return spelled


def times_apart(*seconds: float) -> tuple[str, ...]:
    """Seconds with one digit after the point; with two where one would make some of them nothing, or two alike."""
    short = [f"{time:.1f}" for time in seconds]
    is_lost = any(time and not float(text) for time, text in zip(seconds, short))
    if is_lost or len(set(short)) < len(set(seconds)):
        return tuple(f"{time:.2f}" for time in seconds)
    return tuple(short)


def whole_percent(share: float) -> int:
    """A share in per cent, rounded down: never 100 where something is missing."""
    return math.floor(100 * share + 1e-9)


def count(number: int, thing: str) -> str:
    """'1 frame', '2 frames'."""
    return f"{number} {thing}{'' if number == 1 else 's'}"
