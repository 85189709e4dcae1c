"""Verdicts: how well an answer meets its request, in the same numbers wherever a page says it."""

from motionloom.assembly import Report
from motionloom.assembly.results.spelling import whole_percent
from motionloom.studio.server.messages.methods import Verdict


def verdict_of(report: Report) -> Verdict:
    """The verdict of a report; of a method that measures a share of what was asked, its details name that.

    `details["share"]`, 0 to 1, is how much of `details["share_of"]` holds.
    """
    missed, of = sum(1 for part in report.parts if not part.met), len(report.parts)
    share = report.details.get("share")
    percent = whole_percent(share) if isinstance(share, int | float) else None
    words = "found a motion" if not of else f"{missed} of {of} missed" if missed else "everything is met"
    held = "" if percent is None else f", {percent} % of {report.details.get('share_of', 'the request')} holds"
    return Verdict(missed=missed, of=of, percent=percent, sentence=words + held)
