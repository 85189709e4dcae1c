"""Skeletons, sources and findings as the texts that the catalogue keeps."""

import json
from dataclasses import asdict
from typing import Any

import numpy as np

from motionloom.errors import CorpusError, MotionloomError
from motionloom.formats.take import Finding, Source
from motionloom.motion import Skeleton

LOST = "catalogue"  # the kind of findings about damaged texts
SHOWN = 80  # letters of a text that messages quote
_TYPES = {"path": str, "format": str, "digest": str, "up": str, "rest_frame_dropped": bool}


def is_text(text: str) -> bool:
    """Whether a text is one that was written, rather than bytes that are none."""
    return "\ufffd" not in text


def shorten(text: object) -> str:
    """The beginning of a text, in one printable line."""
    line = "".join(letter if letter.isprintable() else " " for letter in str(text))
    return line if len(line) <= SHOWN else f"{line[:SHOWN]}..."


def source_to_json(source: Source) -> str:
    return json.dumps(asdict(source))


def findings_to_json(findings: tuple[Finding, ...]) -> str:
    return json.dumps([asdict(finding) for finding in findings])


def read_source(text: Any, fps: float) -> tuple[Source, tuple[Finding, ...]]:
    """A source, and what to tell about it where its text is damaged."""
    try:
        content = json.loads(text)
        content["rotation_orders"] = tuple(content["rotation_orders"])
        source = Source(**content)
        if all(isinstance(getattr(source, name), kind) for name, kind in _TYPES.items()):
            return source, ()
    except (ValueError, TypeError, KeyError):
        pass
    return Source("", "unknown", "", fps, 1.0), (_lost("its file"),)


def read_findings(text: Any) -> tuple[tuple[Finding, ...], tuple[Finding, ...]]:
    """Findings, and what to tell about them where their text is damaged."""
    try:
        findings = tuple(Finding(**finding) for finding in json.loads(text))
        if all(isinstance(one.kind, str) and isinstance(one.message, str) for one in findings):
            return findings, ()
    except (ValueError, TypeError):
        pass
    return (), (_lost("findings of its reader"),)


def read_names(text: Any) -> tuple[str, ...]:
    """Names of points."""
    try:
        names = json.loads(text)
    except (ValueError, TypeError) as error:
        raise CorpusError(f"the names of its points cannot be read ({shorten(error)})") from error
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise CorpusError("the names of its points are no list of names")
    return tuple(names)


def read_data(text: Any) -> dict[str, Any] | None:
    """The data of an event; None where its text is damaged."""
    try:
        data = json.loads(text)
    except (ValueError, TypeError):
        return None
    return data if isinstance(data, dict) else None


def skeleton_to_json(skeleton: Skeleton) -> str:
    """A skeleton as text; numbers keep every bit."""
    return json.dumps(
        {
            "name": skeleton.name,
            "names": skeleton.names,
            "parents": skeleton.parents.tolist(),
            "offsets": skeleton.offsets.tolist(),
            "end_parents": skeleton.end_parents.tolist(),
            "end_offsets": skeleton.end_offsets.tolist(),
            "roles": dict(skeleton.roles),
        }
    )


def skeleton_from_json(text: Any) -> Skeleton:
    """A skeleton; raises where the text is damaged."""
    try:
        content = json.loads(text)
        return Skeleton(
            names=tuple(content["names"]),
            parents=np.array(content["parents"], int),
            offsets=np.array(content["offsets"], float).reshape(-1, 3),
            end_parents=np.array(content["end_parents"], int),
            end_offsets=np.array(content["end_offsets"], float).reshape(-1, 3),
            roles=content["roles"],
            name=content["name"],
        )
    except (ValueError, TypeError, KeyError, AttributeError, MotionloomError) as error:
        raise CorpusError(f"its skeleton cannot be read ({shorten(error)})") from error


def _lost(what: str) -> Finding:
    return Finding(LOST, f"what the catalogue says about {what} is damaged", is_warning=True)
