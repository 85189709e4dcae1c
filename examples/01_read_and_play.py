"""Read a recording, look at it, change it, write it for other programs.

python examples/01_read_and_play.py walk.bvh out/
"""

import sys
from pathlib import Path

from motionloom import formats, render
from motionloom.motion import cut, kinematics, mirror, resample


def main(recording: str, out: str) -> None:
    take = formats.read(recording)
    motion = take.motion
    print(f"{take.name}: {motion.n_frames} frames at {motion.fps:g} per second")
    for finding in take.findings:
        print("  found:", finding.message)

    positions = kinematics.world_positions(motion)  # (F, J, 3) metres
    hand = positions[:, motion.skeleton.index("right_hand")]
    print(f"  the right hand rises from {hand[:, 1].min():.2f} to {hand[:, 1].max():.2f} m")

    half = cut(motion, 0, motion.n_frames // 2)
    folder = Path(out)
    folder.mkdir(parents=True, exist_ok=True)
    formats.write(folder / "mirrored.glb", mirror(motion))
    formats.write(folder / "first_half.bvh", resample(half, 30), take.source)
    render.write_contact_sheet(folder / "sheet.png", motion, title=take.name)
    print(f"  wrote mirrored.glb, first_half.bvh and sheet.png to {folder}")


if __name__ == "__main__":
    main(*sys.argv[1:3])
