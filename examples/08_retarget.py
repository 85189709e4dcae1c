"""Put a recording onto the skeleton of another file, with planted feet, and draw both bodies.

python examples/08_retarget.py walk.bvh hero.bvh out/
"""

import sys
from pathlib import Path

from motionloom import formats
from motionloom.features.supported_contacts import detect_footing, find_floor
from motionloom.render import ComparedBody, write_comparison_sheet
from motionloom.retarget import RetargetSettings, retarget_motion


def main(recording: str, skeleton: str, folder: str) -> None:
    motion = formats.read(recording).motion
    target = formats.read_skeleton(skeleton)  # BVH, ASF, AMC or npz
    floor = find_floor(motion)
    contacts, footing = detect_footing(motion, floor)  # when heels and balls rest, and on what

    result = retarget_motion(
        motion,
        target.motion.skeleton,
        floor_height=floor,
        contacts=contacts,
        footing=footing,
        settings=RetargetSettings(hands="body"),
    )
    print("\n".join(result.report.sentences()))
    Path(folder).mkdir(parents=True, exist_ok=True)
    formats.write(Path(folder) / "retargeted.bvh", result.motion, target.source)
    bodies = [
        ComparedBody("before", motion, floor, footing),
        ComparedBody("after", result.motion, floor, result.footing),
    ]
    write_comparison_sheet(Path(folder) / "both.png", bodies, Path(recording).stem)


if __name__ == "__main__":
    main(*sys.argv[1:4])
