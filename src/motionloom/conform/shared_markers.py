"""Which markers takes share, and which takes share too few with the others."""

from collections.abc import Mapping

import numpy as np

from motionloom.conform.base_view import LeftOut, some_of
from motionloom.errors import BadInput

LARGER = 3.0  # times the usual size, or so much smaller: takes that are left out
SHARED = 0.5  # of the markers of the main set: takes that share less are left out


def share_markers(
    seen: Mapping[str, tuple[str, ...]], seconds: Mapping[str, float], wanted: tuple[str, ...] | None = None
) -> tuple[tuple[str, ...], list[LeftOut]]:
    """The markers that takes share, and the takes that are left out because they share too few of them.

    Of takes of several marker sets, the set with the most seconds is taken. Takes that share at least half of it
    belong to it, each as long as half of the set is left for all.

    Args:
        seen: by the name of a take, its markers that are seen in some frame, in its order.
        seconds: how long each take is.
        wanted: markers that all takes must have; None for those that they share.
    """
    if wanted is not None:
        return _check_wanted(seen, wanted)
    if not any(seen.values()):
        raise BadInput(f"{some_of(list(seen))}: no marker is ever seen")
    main = _main_set(seen, seconds)
    first = max((take for take in seen if set(seen[take]) == main), key=lambda take: (seconds[take], take))
    least = max(1, round(SHARED * len(seen[first])))
    common, left_out, kept = set(seen[first]), [], [first]
    ranked = sorted((take for take in seen if take != first), key=lambda take: -len(common & set(seen[take])))
    for take in ranked:
        if len(common & set(seen[take])) >= least:
            common &= set(seen[take])
            kept.append(take)
        else:
            left_out.append(LeftOut(take, _reason(take, first, seen)))
    if len(kept) == 1 and left_out:
        raise BadInput(_strangers(first, left_out[0].take, seen))
    return tuple(marker for marker in seen[_first_of(kept, seen)] if marker in common), left_out


def find_odd_sizes(extents: Mapping[str, float]) -> list[LeftOut]:
    """The takes that are much larger or smaller than the others: their unit must be wrong. Of two nobody knows whose.

    Args:
        extents: by the name of a take, metres that its markers reach.
    """
    sizes = sorted((extent, take) for take, extent in extents.items() if extent > 0)
    usual = float(np.median([extent for extent, _ in sizes] or [0.0]))
    if len(sizes) == 2 and sizes[1][0] > LARGER * sizes[0][0]:
        (small, first), (large, second) = sizes
        raise BadInput(f"{second} is {large:.3g} m large and {first} {small:.3g} m; import one again with its unit")
    return [
        LeftOut(take, f"it is {extent:.3g} m large and the others {usual:.3g} m; import it again with its unit")
        for take, extent in extents.items()
        if len(sizes) > 2 and extent > 0 and not usual / LARGER < extent < usual * LARGER
    ]


def _check_wanted(
    seen: Mapping[str, tuple[str, ...]], wanted: tuple[str, ...]
) -> tuple[tuple[str, ...], list[LeftOut]]:
    if not wanted or len(set(wanted)) != len(wanted):
        raise BadInput(f"markers {', '.join(wanted) or 'none'}: give at least one, and each once")
    for take, markers in seen.items():
        missing = [marker for marker in wanted if marker not in markers]
        if missing:
            raise BadInput(f"{take}: no marker '{missing[0]}' is seen in it; it has {some_of(markers) or 'none'}")
    return wanted, []


def _main_set(seen: Mapping[str, tuple[str, ...]], seconds: Mapping[str, float]) -> frozenset[str]:
    """The marker set that speaks for the most seconds: those of each take count by the share of markers in common."""
    lengths: dict[frozenset[str], float] = {}
    for take, markers in seen.items():
        lengths[frozenset(markers)] = lengths.get(frozenset(markers), 0.0) + seconds[take]
    sets = [markers for markers in lengths if markers]

    def weigh(own: frozenset[str]) -> tuple[float, float, list[str]]:
        alike = sum(len(own & other) / len(own | other) * lengths[other] for other in sets)
        return alike, lengths[own], sorted(own)

    return max(sets, key=weigh)


def _first_of(kept: list[str], seen: Mapping[str, tuple[str, ...]]) -> str:
    return next(take for take in seen if take in kept)


def _reason(take: str, first: str, seen: Mapping[str, tuple[str, ...]]) -> str:
    own = seen[take]
    if not own:
        return "no marker of it is ever seen"
    n_shared = len(set(own) & set(seen[first]))
    return f"it has {n_shared or 'none'} of the {len(seen[first])} markers of {first}, but {some_of(own)}"


def _strangers(first: str, other: str, seen: Mapping[str, tuple[str, ...]]) -> str:
    return (
        f"{first} and {other} share too few markers to be shown together: one has {some_of(seen[first])}, the other "
        f"{some_of(seen[other]) or 'none that is ever seen'}; choose takes of one marker set"
    )
