"""Import a folder of recordings into a corpus, label a stretch, and find it again.

python examples/02_make_a_corpus.py recordings/ my_corpus
"""

import sys

from motionloom.corpus import Corpus, Label, import_files, make_layers


def main(recordings: str, path: str) -> None:
    with Corpus.create(path) as corpus:
        report = import_files(corpus, [recordings])
        print(f"{len(report.imported)} takes imported, {len(report.refused)} refused")
        for _, reason in report.refused:
            print("  refused:", reason)

        make_layers(corpus)  # facing, positions, velocities, accelerations, contacts: once, on all cores
        for info in corpus.infos():
            contacts = corpus.layer(info.name, "contacts")  # (F, 4): heel and ball, left and right
            share = contacts.any(axis=1).mean()
            print(f"  {info.name}: {info.duration:.1f} s, on the floor {share:.0%} of the time")

        first = corpus.infos()[0]
        corpus.add_labels([Label(first.name, "beginning", 0, first.n_frames // 4)])
        track = corpus.label_track(first.name, "beginning")  # (F,): +1 where it holds
        print(f"  {first.name} has {(track > 0).sum()} frames of its beginning")


if __name__ == "__main__":
    main(*sys.argv[1:3])
