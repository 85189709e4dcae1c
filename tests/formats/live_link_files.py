"""Live Link Face files for tests, written cell by cell as the app writes them."""

import numpy as np

EYE = ("Blink", "LookDown", "LookIn", "LookOut", "LookUp", "Squint", "Wide")
MOUTH = (
    "Close Funnel Pucker Right Left SmileLeft SmileRight FrownLeft FrownRight DimpleLeft DimpleRight StretchLeft "
    "StretchRight RollLower RollUpper ShrugLower ShrugUpper PressLeft PressRight LowerDownLeft LowerDownRight "
    "UpperUpLeft UpperUpRight"
).split()
NAMES = (
    *(f"Eye{name}{side}" for side in ("Left", "Right") for name in EYE),
    *(f"Jaw{name}" for name in ("Forward", "Right", "Left", "Open")),
    *(f"Mouth{name}" for name in MOUTH),
    *(f"Brow{name}" for name in ("DownLeft", "DownRight", "InnerUp", "OuterUpLeft", "OuterUpRight")),
    *("CheekPuff", "CheekSquintLeft", "CheekSquintRight", "NoseSneerLeft", "NoseSneerRight", "TongueOut"),
    *(f"{part}{angle}" for part in ("Head", "LeftEye", "RightEye") for angle in ("Yaw", "Pitch", "Roll")),
)
assert len(NAMES) == 61


def live_link_file(
    n_rows: int = 90,
    *,
    begin: tuple[int, int, int, float] = (16, 55, 51, 38.453),
    step: float = 2.0,
    timecode_fps: int = 60,
    untracked: tuple[int, ...] = (),
    names: tuple[str, ...] = NAMES,
    seed: int = 0,
) -> bytes:
    """A table of curves.

    Args:
        n_rows: below the names.
        begin: timecode of the first row: hours, minutes, seconds, frames.
        step: frames of the timecode from one row to the next.
        timecode_fps: frames of a second of the timecode.
        untracked: rows in which no face was found.
        names: of the curves.
        seed: of the values.
    """
    values = np.random.default_rng(seed).uniform(-0.1, 1.0, (n_rows, len(names)))
    hours, minutes, seconds, frames = begin
    rows = [",".join(("Timecode", "BlendShapeCount", *names))]
    for row in range(n_rows):
        whole, rest = divmod(round(1000 * (frames + row * step)), 1000 * timecode_fps)
        of_day = (3600 * hours + 60 * minutes + seconds + whole) % 86_400
        code = f"{of_day // 3600:02}:{of_day // 60 % 60:02}:{of_day % 60:02}:{rest / 1000:06.3f}"
        cells = [""] * len(names) if row in untracked else [f"{value:.10f}" for value in values[row]]
        rows.append(",".join([code, "0" if row in untracked else str(len(names)), *cells]))
    return ("\n".join(rows) + "\n").encode()
