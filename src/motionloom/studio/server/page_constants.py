"""Numbers that the page shares with the library and the server: written into its sources, so that none is kept twice.

Numbers of a request come with its schema, and verdicts with reports; these here are needed before anything was sent.
"""

import inspect
import json
from typing import Any

from motionloom.methods.snap.graph import clip_controls, hub_graph, hubs_file
from motionloom.methods.snap.play import place_search, player
from motionloom.methods.snap.play.planner import Planner
from motionloom.studio import document
from motionloom.studio.server import jobs, motions, packing

Constants = dict[str, tuple[Any, str]]  # name -> value, and what it is


def list_page_constants() -> Constants:
    """What the page needs to talk to the server."""
    return {
        "HISTORY_STEPS": (document.MOST_STEPS, "Steps that a history keeps."),
        "JOBS_KEPT": (jobs.KEPT, "Jobs that are remembered after they have ended."),
        "CHUNK": (motions.CHUNK, "Frames in one message of the server."),
        "UNIT": (motions.WHOLE, "Whole number of a rotation for 1.0 in a message."),
        "ALIGNMENT": (packing.ALIGNMENT, "Bytes at whose multiples the arrays of a message begin."),
    }


def list_player_constants() -> Constants:
    """What the player of hub graphs shares with its twin in Python; it needs no server."""
    usual = {name: parameter.default for name, parameter in inspect.signature(Planner.walk_to_place).parameters.items()}
    return {
        "UNIT": (hubs_file.UNIT, "Whole number of a rotation for 1.0 in a file."),
        "VERSION": (hubs_file.VERSION, "The newest version of the format that is read here."),
        "MOST_SUPPORTS": (hubs_file.MOST_SUPPORTS, "Of a file; more are not read."),
        "PREFIX": (hubs_file.PREFIX.size, "Bytes of a file before its header."),
        "ALIGNMENT": (hubs_file.ALIGNMENT, "Bytes at whose multiples the arrays of a file begin."),
        "MOSTLY": (hub_graph.MOSTLY, "The share of a clip's frames above which a label counts as what the clip does."),
        "MOST_EVENTS": (player.MOST_EVENTS, "That wait to be taken; older ones are dropped."),
        "LEAST_PATH": (clip_controls.LEAST_PATH, "Metres: who goes less turns on the spot."),
        "SPEED_SCALE": (clip_controls.SPEED_SCALE, "Metres per second that cost 1."),
        "CURVATURE_SCALE": (clip_controls.CURVATURE_SCALE, "Radians per metre that cost 1."),
        "ANGLE_SCALE": (float(clip_controls.ANGLE_SCALE), "Radians that cost 1."),
        "LABEL_COST": (clip_controls.LABEL_COST, "Of a wished label that holds nowhere in a clip."),
        "ASTRAY": (float(clip_controls.ASTRAY), "Radians by which a clip that goes nowhere misses a wished direction."),
        "PLACE_TOLERANCE": (usual["tolerance"], "Metres from a place that are near enough."),
        "HEADING_TOLERANCE": (usual["heading_tolerance"], "Radians from a heading that are near enough."),
        "PLACE_SECONDS": (usual["seconds"], "That the way to a place may take at most."),
        "PLACE_EFFORT": (usual["effort"], "Placements that a search expands at most."),
        "HEURISTIC_WEIGHT": (place_search.HEURISTIC_WEIGHT, "Of the greedy pass of a search for a place."),
        "CELL_HEADING": (place_search.CELL_HEADING, "Radians: size of a cell of placements in the greedy pass."),
    }


def write_constants(constants: Constants) -> str:
    """A line of TypeScript for each."""
    return "\n".join(f"/** {about} */\nexport const {name} = {value!r};" for name, (value, about) in constants.items())


def write_empty_document() -> str:
    """The document in which nothing was authored yet, as TypeScript."""
    empty = json.dumps(document.Document().model_dump(mode="json", by_alias=True), indent=2, ensure_ascii=False)
    return f"/** The document in which nothing was authored yet. */\nexport const EMPTY: T.Document = {empty};"
