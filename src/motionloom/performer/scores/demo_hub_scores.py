"""The demo scores that hub graphs are built from: fights between two stances, and standing about on planted feet."""

from typing import Any

from motionloom.performer.scores.score import Writer

MOVES: dict[str, tuple[str, float, dict[str, Any]]] = {  # name -> action, seconds, options
    "ready": ("ready", 0.45, {}),
    "jab": ("punch", 0.9, {"kind": "jab"}),
    "cross": ("punch", 1.05, {"kind": "cross"}),
    "hook": ("punch", 1.1, {"kind": "hook"}),
    "body_jab": ("punch", 0.95, {"kind": "jab", "height": 0.36}),
    "front_kick": ("kick", 2.1, {"kind": "front"}),
    "low_kick": ("kick", 2.1, {"kind": "front", "height": -0.14}),
    "lead_kick": ("kick", 2.1, {"kind": "front", "leg": "lead"}),
    "round_kick": ("kick", 2.3, {"kind": "round"}),
    "duck": ("dodge", 1.15, {"way": "duck"}),
    "lean_back": ("dodge", 1.1, {"way": "back"}),
    "slip_left": ("dodge", 1.0, {"way": "left"}),
    "slip_right": ("dodge", 1.0, {"way": "right"}),
    "step_in": ("shuffle", 1.15, {"way": "forwards"}),
    "step_out": ("shuffle", 1.15, {"way": "backwards"}),
    "step_left": ("shuffle", 1.15, {"way": "left"}),
    "step_right": ("shuffle", 1.15, {"way": "right"}),
    "switch": ("switch", 1.1, {"first": "lead"}),
    "switch_through": ("switch", 1.1, {"first": "rear"}),
}


def fighting() -> list[Writer]:
    """Fights: in each stance, between the two, and on the way from walking into a fight and out of it."""
    takes = []
    for stance in ("left", "right"):
        bout = Writer(f"fight/{stance}_stance").then("stand", 0.5).then("ready", 1.5, stance=stance)
        _bout(bout, "jab jab cross ready front_kick ready duck step_in jab cross hook ready step_out")
        takes.append(_bout(bout, "slip_left slip_right ready round_kick ready").then("stand", 1.2))
    switches = Writer("fight/switches").then("stand", 0.5).then("ready", 1.5, stance="right")
    _bout(switches, "switch ready jab switch_through cross switch hook ready switch_through lean_back switch ready")
    takes.append(_bout(switches, "low_kick ready").then("stand", 1.2))
    sparring = Writer("fight/sparring").then("stand", 0.5).then("ready", 1.5, stance="left")
    _bout(sparring, "step_left body_jab step_right lean_back lead_kick ready switch ready step_left hook step_right")
    takes.append(_bout(sparring, "lead_kick ready").then("stand", 1.2))
    for i, stance in enumerate(("left", "right"), start=1):
        walk = Writer(f"fight/walk_up_{i}").then("stand", 0.6).then("walk", 1.9, speed=1.1 + 0.1 * i).then("stand", 0.9)
        walk.then("ready", 1.6, stance=stance)
        _bout(
            walk, "jab cross duck front_kick ready step_out ready" if i == 1 else "step_in cross ready low_kick ready"
        )
        if i == 1:
            walk.then("stand", 1.4)
        takes.append(walk.then("walk", 2.3, speed=1.2, turn=0.9 * (3 - 2 * i)).then("stand", 1.2))
    return takes


def idling() -> list[Writer]:
    """Standing about: at least one foot is planted in every frame."""
    shifts = Writer("idle/weight_shifts").then("idle", 1.0)
    for to, seconds in (("left", 2.4), ("right", 2.2), ("middle", 2.0), ("right", 2.4), ("left", 2.0), ("middle", 1.8)):
        shifts.then("weight_shift", seconds, to=to)
    feet = Writer("idle/foot_shuffles").then("idle", 0.8, width=0.18)
    for foot, out, ahead, turn in (("left", 0.08, 0.03, 0.15), ("right", 0.05, -0.09, 0.2), ("left", 0.02, 0.11, 0.0)):
        feet.then("foot_shuffle", 2.5, foot=foot, out=out, ahead=ahead, turn=turn).then("idle", 0.5)
    feet.then("foot_shuffle", 2.6, foot="right", out=0.1, ahead=0.02, turn=0.25).then("idle", 0.6)
    taps = Writer("idle/toe_taps").then("idle", 0.8)
    for foot, count, height in (("right", 4, 0.4), ("left", 3, 0.38), ("right", 3, 0.44), ("left", 5, 0.4)):
        taps.then("toe_tap", 1.0 + 0.48 * count, foot=foot, taps=count, height=height).then("idle", 0.4)
    waiting = Writer("idle/waiting").then("walk", 2.0, speed=1.1).then("stand", 1.2).then("idle", 1.0, width=0.22)
    waiting.then("weight_shift", 1.8, to="left").then("toe_tap", 2.5, foot="right", taps=3, height=0.44)
    waiting.then("weight_shift", 1.8, to="right").then("foot_shuffle", 2.5, foot="left", out=0.06, ahead=0.07)
    return [shifts, feet, taps, waiting.then("weight_shift", 1.6, to="middle").then("idle", 0.6)]


def _bout(writer: Writer, moves: str) -> Writer:
    """Append moves, given by their names separated by spaces."""
    for move in moves.split():
        action, seconds, options = MOVES[move]
        writer.then(action, seconds, **options)
    return writer
