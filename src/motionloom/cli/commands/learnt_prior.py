"""The prior that `motionloom retarget --prior` retargets with: learnt on the target's skeleton, once for every rate."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from motionloom.cli.commands.corpus import open_to_keep
from motionloom.cli.console import progress_bar

if TYPE_CHECKING:
    from motionloom.corpus import Corpus
    from motionloom.methods.dynamics import Model
    from motionloom.methods.dynamics.retargeting.prior_retarget import PriorRetargeted
    from motionloom.motion import Motion, Skeleton
    from motionloom.retarget import Retargeted, RetargetSettings


@contextmanager
def open_prior(
    corpus: Path | None, takes: list[str] | None, skeleton: Skeleton, motions: Iterable[Motion]
) -> Iterator[LearntPrior | None]:
    """What is learnt from takes of a corpus for motions to come on a skeleton; None without a corpus."""
    if corpus is None:
        yield None
        return
    with open_to_keep(corpus) as store:
        material = tuple(takes) if takes else None
        yield LearntPrior({fps: _learn(store, material, skeleton, fps) for fps in {motion.fps for motion in motions}})


@dataclass(frozen=True, eq=False)
class LearntPrior:
    """Models on the skeleton of the target, by the rate of motions."""

    models: Mapping[float, Model]

    def retarget(self, source: Motion, kit: Retargeted, settings: RetargetSettings) -> PriorRetargeted:
        """A motion that the kit has retargeted, with its feet at their scaled places."""
        from motionloom.methods.dynamics.retargeting.prior_retarget import retarget_with_prior

        assert kit.contacts is not None  # feet are planted
        prior = self.models[source.fps].prior
        return retarget_with_prior(source, kit, prior, contacts=kit.contacts, retargeting=settings)


def _learn(store: Corpus, takes: tuple[str, ...] | None, skeleton: Skeleton, fps: float) -> Model:
    from motionloom.methods import dynamics

    with progress_bar("learning") as progress:
        return dynamics.prepare(store, dynamics.Material(takes, fps), skeleton=skeleton, progress=progress)
