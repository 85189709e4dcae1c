"""The frame rate of a rounded frame time: 0.0083333 is 1/120."""

_FILM = (15.0, 24.0, 25.0, 30.0, 48.0, 50.0, 60.0, 72.0, 75.0, 80.0, 90.0)
_CAPTURE = (100.0, 120.0, 125.0, 144.0, 150.0, 160.0, 180.0, 200.0, 240.0, 250.0, 300.0, 360.0, 400.0, 480.0, 500.0)
WHOLE_RATES = _FILM + _CAPTURE + (960.0, 1000.0)
VIDEO_RATES = (24000 / 1001, 30000 / 1001, 60000 / 1001, 120000 / 1001)
USUAL_RATES = WHOLE_RATES + VIDEO_RATES


def rate_from_interval(seconds: float, written: str) -> float:
    """Frames per second of a frame time, corrected for rounding in the file.

    Args:
        seconds: the frame time.
        written: its text in the file, whose last digit gives the precision.
    """
    last_place = _last_place(written) if len(written) <= 30 else 0.0
    for rates in (WHOLE_RATES, VIDEO_RATES):
        near = [rate for rate in rates if abs(1.0 / rate - seconds) <= last_place]
        if near:
            return min(near, key=lambda rate: abs(1.0 / rate - seconds))
    whole = round(1.0 / seconds)
    if whole > 0 and abs(1.0 / whole - seconds) <= 0.5 * last_place:
        return float(whole)
    return 1.0 / seconds


def _last_place(written: str) -> float:
    digits, _, exponent = written.lower().partition("e")
    decimals = len(digits.partition(".")[2].rstrip("0"))
    return 10.0 ** (int(exponent or 0) - decimals)
