"""Kept classifiers: the last one that was learnt is kept in the corpus, with a digest of what it was learnt from."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from motionloom.caching import code_version
from motionloom.classify.classifier import Classifier, classify, freeze
from motionloom.classify.settings import Settings
from motionloom.classify.windows import EMBEDDING, Embedding
from motionloom.corpus import Corpus
from motionloom.corpus.labels.label_state import read_label_state
from motionloom.corpus.models import find_model, keep_model
from motionloom.errors import BadInput

KIND = "classifier"
KEY = "learnt last"
HOW_TO_LEARN = "`motionloom annotate learn` learns one from verified labels"


@dataclass(frozen=True, eq=False)
class KeptClassifier:
    """The classifier that was learnt last in a corpus."""

    classifier: Classifier
    takes: tuple[str, ...]  # that it was learnt from, those that are still there, as they are called now
    stale: str = ""  # what has changed since, in words; "" where nothing has


def keep_classifier(corpus: Corpus, classifier: Classifier, takes: Sequence[str]) -> None:
    """Keep a classifier instead of the last one.

    Args:
        corpus: open for writing.
        classifier: learnt from verified labels of the corpus.
        takes: that have them.
    """
    about: dict[str, Any] = {
        "labels": list(classifier.labels),
        "settings": asdict(classifier.settings),
        "joints": list(classifier.joints),
        "leg": classifier.leg,
        "takes": [corpus.info(take).digest for take in takes],  # their content: names may change
        "learnt_from": digest_of_labels(corpus, classifier.labels, takes),
        "code": code_version(freeze, classify),
    }
    if not classifier.labels or not len(classifier.support[0]):
        return  # nothing was learnt
    arrays = {
        **{name: getattr(classifier.embedding, name) for name in EMBEDDING},
        "support": classifier.support,
        "weights": classifier.weights,
        "biases": classifier.biases,
        "about": np.frombuffer(json.dumps(about).encode(), np.uint8),
    }
    keep_model(corpus, KIND, KEY, arrays, settings={"labels": about["labels"]}, takes=about["takes"], code_version=None)


def find_classifier(corpus: Corpus) -> KeptClassifier | None:
    """The classifier that was learnt last, with what has changed since; None where none is kept, or it is damaged."""
    arrays = find_model(corpus, KIND, KEY)
    if arrays is None:
        return None
    try:
        about = json.loads(np.asarray(arrays["about"]).tobytes())
        embedding = Embedding(**{name: np.asarray(arrays[name]) for name in EMBEDDING})
        labels, names = tuple(about["labels"]), {info.digest: info.name for info in corpus.infos()}
        takes = tuple(names[take] for take in about["takes"] if take in names)
        learnt = tuple(np.asarray(arrays[name]) for name in ("support", "weights", "biases"))
        classifier = Classifier(
            labels, Settings(**about["settings"]), tuple(about["joints"]), about["leg"], embedding, *learnt
        )
    except (KeyError, ValueError, TypeError, BadInput):
        return None  # another version kept it; it is learnt again in seconds
    return KeptClassifier(classifier, takes, _stale(corpus, about, labels, takes))


def digest_of_labels(corpus: Corpus, labels: Sequence[str], takes: Sequence[str]) -> str:
    """Of all that is verified about some labels, and of the takes that were learnt from, whatever they are called."""
    state, contents = read_label_state(corpus), {info.name: info.digest for info in corpus.infos()}
    wanted = [pair for pair in state.verified if pair[0] in contents and pair[1] in labels]
    parts = [
        *sorted((contents[pair[0]], pair[1], state.verified[pair], state.labelled.get(pair, [])) for pair in wanted),
        *sorted(contents[take] for take in takes if take in contents),
    ]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


def _stale(corpus: Corpus, about: dict, labels: Sequence[str], takes: Sequence[str]) -> str:
    if digest_of_labels(corpus, labels, takes) != about["learnt_from"]:
        return "labels or takes that it was learnt from have changed since"
    return "" if code_version(freeze, classify) == about["code"] else "another version of motionloom learnt it"
