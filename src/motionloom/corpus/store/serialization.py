"""Skeletons, sources and findings as JSON, as the catalogue stores them."""

import json
from dataclasses import asdict
from typing import Any

import numpy as np

from motionloom.errors import CorpusError, MotionloomError
from motionloom.formats.take import Finding, Source
from motionloom.motion import Skeleton

LOST = "catalogue"  # the kind of findings about damaged JSON
SHOWN = 80  # characters of a text that messages quote
_TYPES = {"path": str, "format": str, "digest": str, "up": str, "rest_frame_dropped": bool}


def is_text(text: str) -> bool:
    """Whether a text was valid UTF-8: it has no replacement character."""
    return "\ufffd" not in text


def shorten(text: object) -> str:
    """A text truncated to one printable line."""
    line = "".join(letter if letter.isprintable() else " " for letter in str(text))
    return line if len(line) <= SHOWN else f"{line[:SHOWN]}..."


def source_to_json(source: Source) -> str:
    return json.dumps(asdict(source))


def findings_to_json(findings: tuple[Finding, ...]) -> str:
    return json.dumps([asdict(finding) for finding in findings])


def read_source(text: Any, fps: float) -> tuple[Source, tuple[Finding, ...]]:
    """Parse a source; if its JSON is damaged, a source without a file, and a finding that reports it."""
    try:
        content = json.loads(text)
        content["rotation_orders"] = tuple(content["rotation_orders"])
        content["filled"] = tuple((str(name), int(start), int(stop)) for name, start, stop in content.get("filled", ()))
        source = Source(**content)
        if all(isinstance(getattr(source, name), kind) for name, kind in _TYPES.items()):
            return source, ()
    except (ValueError, TypeError, KeyError):
        pass
    return Source("", "unknown", "", fps, 1.0), (_lost("its file"),)


def read_findings(text: Any) -> tuple[tuple[Finding, ...], tuple[Finding, ...]]:
    """Parse findings; if their JSON is damaged, none, and a finding that reports it."""
    try:
        findings = tuple(Finding(**finding) for finding in json.loads(text))
        if all(isinstance(finding.kind, str) and isinstance(finding.message, str) for finding in findings):
            return findings, ()
    except (ValueError, TypeError):
        pass
    return (), (_lost("findings of its reader"),)


def read_names(text: Any) -> tuple[str, ...]:
    """Parse the names of points; raises if the JSON is damaged."""
    try:
        names = json.loads(text)
    except (ValueError, TypeError) as error:
        raise CorpusError(f"the names of its points cannot be read ({shorten(error)})") from error
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise CorpusError("the names of its points are not a list of strings")
    return tuple(names)


def read_data(text: Any) -> dict[str, Any] | None:
    """Parse the data of an event; None if its JSON is damaged."""
    try:
        data = json.loads(text)
    except (ValueError, TypeError):
        return None
    return data if isinstance(data, dict) else None


def skeleton_to_json(skeleton: Skeleton) -> str:
    """A skeleton as JSON; floats round-trip exactly."""
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
    """Parse a skeleton; raises if the JSON is damaged."""
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
    return Finding(LOST, f"the catalogue's entry for {what} is damaged", is_warning=True)
