"""The scores of the demo corpus: every action several times, alone, in combination and one after another."""

from math import pi, radians

from motionloom.performer.scores.demo_hub_scores import fighting, idling
from motionloom.performer.scores.score import Score, Writer


def demo_scores() -> list[Score]:
    """All scores, in the order in which they are performed."""
    writers = [
        *_standing(),
        *_walking(),
        *_styles(),
        *_running(),
        *_jumping(),
        *_postures(),
        *_hands(),
        *_handling(),
        *_mixed(),
        *fighting(),
        *idling(),
    ]
    return [writer.done() for writer in writers]


def _standing() -> list[Writer]:
    return [
        Writer("stand/weight_shifts_1").then("stand", 14),
        Writer("stand/weight_shifts_2").then("stand", 8, shifts=1.4).then("stand", 7, width=0.26, shifts=1.2),
    ]


def _walking() -> list[Writer]:
    takes = []
    for name, speed in (("slow", 0.75), ("normal_1", 1.15), ("normal_2", 1.3), ("normal_3", 1.4), ("brisk", 1.75)):
        takes.append(Writer(f"walk/{name}").then("stand", 1.5).then("walk", 11, speed=speed).then("stand", 1.5))
    speeds = Writer("walk/changing_speed").then("stand", 1)
    for speed in (0.7, 1.1, 1.6, 1.9, 1.3, 0.9):
        speeds.then("walk", 2.6, speed=speed, ease=1.2)
    takes.append(speeds.then("stand", 1.5))
    for side, sign in (("left", 1), ("right", -1)):
        takes.append(
            Writer(f"walk/circle_{side}")
            .then("stand", 1)
            .then("walk", 11, speed=1.2, turn=sign * 2 * pi)
            .then("stand", 1.5)
        )
        corner = Writer(f"walk/corners_{side}").then("stand", 1)
        for angle in (90, 90, 60, 120):
            corner.then("walk", 2.2, speed=1.25).then("walk", 1.2, speed=1.0, turn=sign * radians(angle), ease=0.7)
        takes.append(corner.then("walk", 1.5).then("stand", 1.5))
    eight = Writer("walk/figure_eight").then("stand", 1)
    takes.append(
        eight.then("walk", 8, speed=1.25, turn=1.8 * pi).then("walk", 8, speed=1.25, turn=-1.8 * pi).then("stand", 1.5)
    )
    for i, sign in enumerate((1, -1, 1), start=1):
        face = Writer(f"walk/about_face_{i}").then("stand", 1).then("walk", 4, speed=1.2 + 0.1 * i)
        face.then("turn", 1.7 - 0.1 * i, angle=sign * pi, ease=0.7).then("walk", 4, speed=1.3).then("stand", 1)
        takes.append(face.then("turn", 1.9, angle=-sign * pi).then("stand", 1.2))
    for i, speed in enumerate((0.8, 1.05), start=1):
        back = (
            Writer(f"walk/backwards_{i}")
            .then("stand", 1)
            .then("walk", 5, speed=speed, direction="backwards")
            .then("stand", 1)
        )
        takes.append(
            back.then("walk", 5, speed=0.9, direction="backwards", turn=radians(70 * (3 - 2 * i))).then("stand", 1)
        )
    for i, (first, second) in enumerate((("left", "right"), ("right", "left")), start=1):
        sides = (
            Writer(f"walk/sideways_{i}").then("stand", 1).then("walk", 4.5, speed=0.5, direction=f"sideways_{first}")
        )
        takes.append(
            sides.then("stand", 1).then("walk", 4.5, speed=0.6, direction=f"sideways_{second}").then("stand", 1.2)
        )
    square = Writer("walk/square").then("stand", 1)
    for way in ("forwards", "sideways_left", "backwards", "sideways_right"):
        square.then("walk", 3, speed=1.1 if way == "forwards" else 0.7, direction=way).then("stand", 0.8)
    go = Writer("walk/stop_and_go").then("stand", 1)
    for seconds in (2.5, 1.8, 3.2):
        go.then("walk", seconds, speed=1.2).then("stand", 1.8)
    return [*takes, square, go]


def _styles() -> list[Writer]:
    takes = []
    for i, speed in enumerate((0.45, 0.6, 0.55), start=1):
        sneak = Writer(f"sneak/sneak_{i}").then("stand", 1).then("walk", 8, speed=speed, style="sneak")
        takes.append(
            sneak.then("walk", 5, speed=speed, style="sneak", turn=radians(80 if i % 2 else -80)).then("stand", 1.5)
        )
    for i, speed in enumerate((0.7, 0.85, 0.95), start=1):
        lame = Writer(f"lame/lame_{i}").then("stand", 1).then("walk", 7, speed=speed, style="lame")
        takes.append(
            lame.then("walk", 4, speed=speed, style="lame", turn=radians(60 if i % 2 else -60)).then("stand", 1.5)
        )
    return takes


def _running() -> list[Writer]:
    takes = []
    for name, speed in (("jog", 2.2), ("run_1", 3.0), ("run_2", 3.3), ("fast", 4.2)):
        takes.append(Writer(f"run/{name}").then("stand", 1).then("run", 7, speed=speed).then("stand", 2))
    for side, sign in (("left", 1), ("right", -1)):
        takes.append(
            Writer(f"run/curve_{side}")
            .then("stand", 1)
            .then("run", 8, speed=2.8, turn=sign * 1.5 * pi)
            .then("stand", 2)
        )
    for i, speed in enumerate((1.7, 2.1), start=1):
        back = (
            Writer(f"run/backwards_{i}")
            .then("stand", 1)
            .then("run", 4, speed=speed, direction="backwards")
            .then("stand", 1.5)
        )
        takes.append(back.then("run", 3.5, speed=2.8).then("stand", 1.5))
    for i in (1, 2):
        change = (
            Writer(f"run/walk_run_walk_{i}")
            .then("stand", 1)
            .then("walk", 3)
            .then("run", 4.5, speed=2.7 + 0.3 * i, turn=0.6 * i)
        )
        takes.append(change.then("walk", 3).then("stand", 1.5))
    return takes


def _jumping() -> list[Writer]:
    takes = []
    up = Writer("jump/up").then("stand", 1)
    for height in (0.2, 0.3, 0.38, 0.28):
        up.then("jump", 2.1, height=height).then("stand", 0.7)
    forward = Writer("jump/forward").then("stand", 1)
    for distance in (0.4, 0.7, 1.0, 0.8):
        forward.then("jump", 2.2, height=0.22, distance=distance).then("stand", 0.8)
    turning = Writer("jump/turning").then("stand", 1)
    for angle in (90, -90, 180):
        turning.then("jump", 2.2, height=0.28, turn=radians(angle)).then("stand", 0.8)
    for i in (1, 2, 3):
        run = Writer(f"jump/run_and_jump_{i}").then("stand", 1).then("run", 7.5, speed=2.8 + 0.25 * i)
        run.meanwhile("leap", 2.0, 1.0).meanwhile("leap", 4.2, 1.0, flight=0.36 + 0.04 * i)
        takes.append(run.then("stand", 2))
    walk = Writer("jump/walk_and_jump").then("stand", 1).then("walk", 3).then("jump", 2.4, height=0.24, distance=0.8)
    return [up, forward, turning, *takes, walk.then("walk", 3).then("stand", 1.5)]


def _postures() -> list[Writer]:
    takes = []
    for i, depth in enumerate((0.34, 0.44), start=1):
        crouch = Writer(f"crouch/crouch_{i}").then("stand", 1).then("crouch", 4, depth=depth).then("stand", 1)
        takes.append(crouch.then("walk", 2.5).then("crouch", 3.2, depth=0.4).then("stand", 1.2))
    for i in (1, 2, 3):
        trip = Writer(f"stumble/walk_{i}").then("stand", 1).then("walk", 5.5, speed=1.15 + 0.15 * i)
        trip.meanwhile("stumble", 2.4, 1.0, strength=0.7 + 0.2 * i).then("walk", 4.5, speed=1.3).meanwhile(
            "stumble", 1.5, 1.0
        )
        takes.append(trip.then("stand", 1.5))
    run = (
        Writer("stumble/run").then("stand", 1).then("run", 6, speed=2.6).meanwhile("stumble", 2.6, 1.0).then("stand", 2)
    )
    takes.append(run)
    for i, height in enumerate((0.40, 0.45, 0.52), start=1):
        sit = Writer(f"sit/chair_{i}").then("stand", 1).then("sit", 6, seat_height=height).then("stand", 1)
        takes.append(sit.then("sit", 5.5, seat_height=height, down=1.3, up=1.3).then("stand", 1))
    walk = Writer("sit/walk_sit_walk").then("stand", 0.8).then("walk", 3).then("turn", 1.8, angle=pi).then("stand", 0.8)
    return [*takes, walk.then("sit", 5.5, seat_height=0.45).then("stand", 0.8).then("walk", 3.5).then("stand", 1.2)]


def _hands() -> list[Writer]:
    wave = (
        Writer("wave/standing")
        .then("stand", 12)
        .meanwhile("wave", 1, 3.2)
        .meanwhile("wave", 5, 2.6, hand="left")
        .meanwhile("wave", 8.3, 3)
    )
    takes = [wave]
    for i, hand in enumerate(("right", "left"), start=1):
        walk = Writer(f"wave/walk_and_wave_{i}").then("stand", 1).then("walk", 9, speed=1.1 + 0.1 * i)
        takes.append(walk.meanwhile("wave", 1.2, 3, hand=hand).meanwhile("wave", 5, 2.8, hand=hand).then("stand", 1.5))
    for i, turn in enumerate((0.0, 1.2, -1.2), start=1):
        walk = Writer(f"carry/walk_and_carry_{i}").then("stand", 1.5).then("walk", 9, speed=1.0 + 0.1 * i, turn=turn)
        takes.append(walk.meanwhile("carry", -0.8, 10.3).then("stand", 2))
    still = Writer("catch/standing").then("stand", 13)
    for after, height, left in ((0.8, 0.42, 0.0), (3.8, 0.15, 0.12), (6.8, 0.6, -0.15), (9.8, 0.4, 0.1)):
        still.meanwhile("catch", after, 2.2, height=height, left=left)
    takes.append(still)
    for i in (1, 2):
        run = Writer(f"catch/running_{i}").then("stand", 1).then("run", 7, speed=2.6 + 0.3 * i)
        takes.append(
            run.meanwhile("catch", 1.6, 1.7).meanwhile("catch", 4.3, 1.7, height=0.55, left=0.12).then("stand", 2)
        )
    for i in (1, 2):
        jump = Writer(f"catch/jumping_{i}").then("stand", 1)
        for distance in (0.0, 0.4 * i):
            jump.then("jump", 2.3, height=0.3, distance=distance).meanwhile(
                "catch", 0.45, 1.7, after=0.6, height=0.72, ahead=0.34
            )
            jump.then("stand", 0.9)
        takes.append(jump)
    leap = Writer("catch/run_and_leap").then("stand", 1).then("run", 6, speed=3.0).meanwhile("leap", 2.4, 1.0)
    takes.append(leap.meanwhile("catch", 2.3, 1.7, after=0.75, height=0.65).then("stand", 2))
    push = (
        Writer("push/standing")
        .then("stand", 11)
        .meanwhile("push", 0.8, 2.8)
        .meanwhile("push", 4.4, 2.4, height=0.25)
        .meanwhile("push", 7.6, 2.8)
    )
    walk = (
        Writer("push/walking")
        .then("stand", 1.2)
        .then("walk", 7, speed=0.5)
        .meanwhile("push", -0.3, 7)
        .then("stand", 1.5)
    )
    return [*takes, push, walk]


def _handling() -> list[Writer]:
    reach = Writer("reach/high_and_low").then("stand", 14)
    for k, (height, ahead, left) in enumerate(
        ((1.5, 0.5, -0.15), (1.9, 0.4, -0.2), (1.0, 0.5, -0.3), (0.7, 0.45, -0.1))
    ):
        reach.meanwhile("reach", 0.8 + 3.2 * k, 2.4, height=height, ahead=ahead, left=left)
    other = Writer("reach/left_hand").then("stand", 1).then("walk", 3).then("stand", 6)
    other.meanwhile("reach", 0.8, 2.4, hand="left", left=0.2, height=1.7).meanwhile(
        "reach", 3.4, 2.2, hand="left", left=0.3, height=1.2, ahead=0.45
    )
    takes = [reach, other]
    tables = (
        ((0.4, 0.12, 2.6), (-1.8, 0.75, 1.4)),
        ((-0.5, 0.72, 2.8), (1.6, 0.08, 1.8)),
        ((0.0, 0.45, 3.0), (1.8, 1.0, 3.6)),
    )
    for i, (first, second) in enumerate(tables, start=1):
        move = (
            Writer(f"pick_up/pick_and_place_{i}").then("stand", 0.8).then("approach", 3.0, point=(first[0], first[2]))
        )
        move.then("stand", 2.8).meanwhile("pick_up", 0.5, 2.2, point=first)
        move.then("approach", 4.6, point=(second[0], second[2])).meanwhile("carry", -0.2, 5.4, width=0.3)
        takes.append(
            move.then("stand", 3.0)
            .meanwhile("place", 0.5, 2.2, point=second)
            .then("turn", 1.8, angle=pi)
            .then("stand", 1)
        )
    one = (
        Writer("pick_up/one_hand")
        .then("stand", 1)
        .then("stand", 2.6)
        .meanwhile("pick_up", 0.2, 2.2, hands="right", left=-0.15, height=0.06)
    )
    one.then("stand", 3).meanwhile("place", 0.4, 2.0, hands="right", left=-0.2, height=0.85, ahead=0.45)
    return [*takes, one.then("walk", 3).then("stand", 1.5)]


def _mixed() -> list[Writer]:
    play = (
        Writer("mixed/play")
        .then("stand", 1)
        .then("walk", 3)
        .meanwhile("wave", 0.4, 2.4)
        .then("run", 4, speed=3.0)
        .meanwhile("leap", 1.8, 1)
    )
    play.then("stand", 1.5).then("jump", 2.2, height=0.3).then("stand", 0.6).then("turn", 1.6, angle=-pi).then(
        "walk", 3.5, speed=1.4
    ).then("stand", 1.2)
    errand = (
        Writer("mixed/errand")
        .then("stand", 0.8)
        .then("walk", 3, turn=0.8)
        .then("stand", 3)
        .meanwhile("pick_up", 0.6, 2.2, height=0.5)
    )
    errand.then("walk", 4, speed=1.1, turn=-0.9).meanwhile("carry", -0.3, 5).then("stand", 3).meanwhile(
        "place", 0.7, 2.1, height=0.8
    )
    errand.then("walk", 3, speed=0.9, style="lame").then("stand", 1)
    creep = (
        Writer("mixed/creep_and_flee")
        .then("stand", 1)
        .then("walk", 5, speed=0.5, style="sneak")
        .then("crouch", 3)
        .then("stand", 0.5)
    )
    creep.then("turn", 1.3, angle=pi, ease=0.5).then("run", 4.5, speed=3.4, turn=-0.8).meanwhile(
        "stumble", 2.2, 1
    ).then("walk", 2.5).then("stand", 1.2)
    rest = (
        Writer("mixed/work_and_rest")
        .then("walk", 3, speed=0.6)
        .meanwhile("push", 0.0, 3.2)
        .then("stand", 1.2)
        .then("turn", 1.8, angle=pi)
    )
    rest.then("stand", 0.6).then("sit", 5, seat_height=0.47).then("stand", 3).meanwhile(
        "reach", 0.5, 2.3, height=1.6
    ).then("walk", 3).then("stand", 1)
    drill = (
        Writer("mixed/drill")
        .then("stand", 0.8)
        .then("walk", 2.5, speed=0.6, direction="sideways_left")
        .then("stand", 0.6)
    )
    drill.then("run", 3, speed=1.8, direction="backwards").then("stand", 1).then("run", 3.5, speed=3.0).meanwhile(
        "catch", 1.2, 1.7
    ).then("stand", 1.5)
    return [
        play,
        errand,
        creep,
        rest,
        drill.then("jump", 2.2, distance=0.6, height=0.24).then("walk", 3, speed=1.2).then("stand", 1.2),
    ]
