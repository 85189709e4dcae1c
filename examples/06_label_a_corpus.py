"""Label a corpus quickly: verify the take that teaches the most, learn again, let the classifier propose the rest.

python examples/06_label_a_corpus.py demo/corpus 8

What the demo corpus knows about its takes plays the person who looks at them; from then on it is that person's word.
"""

import sys

import numpy as np

from motionloom.conform import label_tracks, make_view, verified_tracks
from motionloom.corpus import Corpus
from motionloom.corpus.labels.proposal_accuracy import ProposalAccuracy, measure_proposals
from motionloom.methods.annotate import Request, proposal_ranges, propose_tracks, retrain, teaches_most, train_view

LABELS = ("walk", "run", "stand", "jump", "wave", "turn_left", "turn_right")


def main(path: str, n_takes: str = "8") -> None:
    with Corpus.open(path, write=True) as corpus:
        view = make_view(corpus)
        truth = label_tracks(view, LABELS)
        model = train_view(view, LABELS, verified_tracks(view, LABELS))
        for _ in range(int(n_takes)):
            offer = teaches_most(model)[0]
            corpus.set_proposals(offer.take, LABELS, propose(view, model, offer.take))
            look_at(corpus, offer.take)
            model = retrain(model, verified_tracks(view, LABELS))
            print(f"{offer.take}: unsure {offer.unsure:.2f}, new {offer.new:.2f}")

        answers = sum(measure_proposals(corpus).values(), ProposalAccuracy())
        print(f"{answers.right_proposals} of {answers.proposals} proposals right, {answers.corrections} corrections")
        found = propose_tracks(model)
        proposed = np.concatenate([found.tracks[name] for name in view.names])
        unseen = (proposed != 0) & (truth != 0)
        print(f"{(proposed == truth)[unseen].mean():.1%} right of what is not verified")


def propose(view, model, take):
    """What the classifier proposes for a take, as a corpus stores it."""
    return proposal_ranges(propose_tracks(model, Request(takes=[take])), view)


def look_at(corpus, take):
    """What a person does: verify where each label holds."""
    labels = corpus.labels(take)
    held = {word: [(label.start, label.stop) for label in labels if label.label == word] for word in LABELS}
    corpus.accept(take, LABELS, 0, corpus.info(take).n_frames, held)


if __name__ == "__main__":
    main(*sys.argv[1:])
