"""The requests that results are judged by: the eight timelines on F, eight on D, and variations of them."""

from motionloom.methods.timeline import Paint, Request

Stretch = tuple[str, float, float]  # label, from and to in seconds; a "-" before the label: must not

FOOTBALL: dict[str, tuple[float, tuple[Stretch, ...]]] = {
    "stand, walk, run": (9.0, (("stand", 0, 2), ("walk", 2, 5), ("run", 5.5, 9))),
    "run, jump, run, walk": (8.0, (("run", 0, 2.5), ("jump", 2.8, 3.5), ("run", 4, 6), ("walk", 6.5, 8))),
    "walk, backwards, turn, stand": (
        10.0,
        (("walk", 0, 3), ("backwards", 3.5, 6), ("turn_left", 6.5, 8), ("stand", 8.5, 10)),
    ),
    "run with left and right turn": (8.0, (("run", 0, 8), ("turn_left", 2, 3), ("turn_right", 5, 6))),
    "walk, not turning": (9.0, (("walk", 0, 9), ("-turn_left", 0, 9), ("-turn_right", 0, 9))),
    "stand, crouch, stand, jump, run": (
        11.0,
        (("stand", 0, 2), ("crouch", 2.8, 4.3), ("stand", 5, 6.5), ("jump", 7.2, 7.9), ("run", 8.8, 11)),
    ),
    "walk, sideways, walk, pick up, carry": (
        11.0,
        (
            ("walk", 0, 2),
            ("sideways_left", 2.5, 4),
            ("walk", 4.5, 6.5),
            ("pick_up", 7.2, 8.2),
            ("carry", 8.5, 10.5),
        ),
    ),
    "run, backwards, run, not stand": (
        7.5,
        (("run", 0, 2.5), ("backwards", 3, 4.5), ("run", 5, 7.5), ("-stand", 0, 7.5)),
    ),
}
DEMO: dict[str, tuple[float, tuple[Stretch, ...]]] = {
    "walk, wave in the second half": (9.0, (("walk", 0, 9), ("-wave", 0, 4.5), ("wave", 5, 9))),
    "stand, wave, walk": (9.0, (("stand", 0, 4.5), ("wave", 1, 4), ("walk", 5, 9))),
    "run, catch, run": (8.0, (("run", 0, 3), ("catch", 3.5, 4.5), ("run", 5.5, 8))),
    "stand, reach, stand": (8.0, (("stand", 0, 2), ("reach", 2.5, 4), ("stand", 5, 8))),
    "walk, pick up, carry": (11.0, (("walk", 0, 3), ("pick_up", 4, 5), ("carry", 5.5, 9), ("walk", 6.5, 9))),
    "run, run and jump": (8.0, (("run", 0, 8), ("jump", 4, 4.6))),
    "walk, turn left, crouch, stand": (
        10.0,
        (("walk", 0, 3), ("turn_left", 3, 4.5), ("crouch", 6, 7.5), ("stand", 8.5, 10)),
    ),
    "walk, backwards, sideways, not wave": (
        10.0,
        (("walk", 0, 10), ("backwards", 2.5, 5), ("sideways_right", 6, 8.5), ("-wave", 0, 10)),
    ),
}


def football_requests(variations: int = 0) -> dict[str, Request]:
    """The eight timelines on F, and so many variations of each."""
    return _requests(FOOTBALL, variations)


def demo_requests(variations: int = 0) -> dict[str, Request]:
    """The eight timelines on D, and so many variations of each."""
    return _requests(DEMO, variations)


def make_request(seconds: float, stretches: tuple[Stretch, ...], **more: object) -> Request:
    """A request of painted stretches."""
    paints = tuple(
        Paint(
            label=label.removeprefix("-"),
            start=f"{a:g}s",
            stop=f"{b:g}s",
            value="must_not" if label[0] == "-" else "must",
        )
        for label, a, b in stretches
    )
    return Request(length=f"{seconds:g}s", labels=paints, **more)  # type: ignore[arg-type]


def _requests(table: dict[str, tuple[float, tuple[Stretch, ...]]], variations: int) -> dict[str, Request]:
    """Variation n says the same a little slower or faster: 0.9, 1.1, 0.8, 1.2 ... times as long."""
    requests = {name: make_request(*asked) for name, asked in table.items()}
    for number in range(1, variations + 1):
        pace = round(1 + (-1) ** number * 0.1 * ((number + 1) // 2), 2)
        for name, (seconds, stretches) in table.items():
            paced = tuple((label, round(a * pace, 2), round(b * pace, 2)) for label, a, b in stretches)
            requests[f"{name}; {pace:g} x as long"] = make_request(round(seconds * pace, 2), paced)
    return requests
