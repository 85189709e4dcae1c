"""Malformed BVH files."""

from tests.formats.malformed.malformed_file import Malformed, swap, whole

BVH = whole("small.bvh")


def many_frames() -> bytes:
    """Joints that never turn, so that many frames of many joints take little room."""
    joints = "JOINT j\n{\nOFFSET 0 1 0\nCHANNELS 0\nEnd Site\n{\nOFFSET 0 1 0\n}\n}\n"
    frames = "MOTION\nFrames: 300\nFrame Time: 0.01\n" + "0\n" * 300
    return f"HIERARCHY\nROOT r\n{{\nOFFSET 0 0 0\nCHANNELS 1 Xrotation\n{joints * 9000}}}\n{frames}".encode()


def many_joints() -> bytes:
    """A chain of them."""
    joints = "".join(f"JOINT j{i}\n{{\nOFFSET 0 1 0\nCHANNELS 1 Xrotation\n" for i in range(10_001))
    return f"HIERARCHY\nROOT r\n{{\nOFFSET 0 0 0\nCHANNELS 1 Xrotation\n{joints}".encode()


MALFORMED = [
    Malformed("empty.bvh", lambda: b"", {}, ": the file is empty. Was it copied completely?"),
    Malformed(
        "binary.bvh",
        lambda: b"HIER\0\1\2\xff",
        {},
        " line 1: byte 4 is zero, so this is not a text file. Is it the right file?",
    ),
    Malformed(
        "picture.bvh",
        lambda: b"\x89PNG\r\n\x1a\n rest of a picture",
        {},
        " line 1: '\x89PNG' where HIERARCHY was expected. Is this a BVH file?".replace("\x89", "?"),
    ),
    Malformed(
        "other_text.bvh",
        lambda: b"take,label,start,stop\na,walk,0,10\n",
        {},
        " line 1: 'take,label,start,stop' where HIERARCHY was expected. Is this a BVH file?",
    ),
    Malformed(
        "no_root.bvh",
        lambda: b"HIERARCHY\nMOTION\nFrames: 1\nFrame Time: 0.01\n0\n",
        {},
        " line 1: no ROOT in the hierarchy. Is the file complete?",
    ),
    Malformed(
        "two_roots.bvh",
        lambda: swap(BVH, "MOTION", "ROOT Other\n{\nOFFSET 0 0 0\nCHANNELS 1 Xrotation\n}\nMOTION"),
        {},
        " line 16: a second ROOT 'Other' after 'Hips', but only one skeleton can be read. "
        "Please split the file into one per skeleton.",
    ),
    Malformed(
        "open_brace.bvh",
        lambda: swap(BVH, "  }\n}\nMOTION", "  }\nMOTION"),
        {},
        " line 14: 1 brace is not closed where the hierarchy ends ('Hips' of line 2). Is the file cut off?",
    ),
    Malformed(
        "extra_brace.bvh",
        lambda: swap(BVH, "}\nMOTION", "}\n}\nMOTION"),
        {},
        " line 16: '}' without a matching '{'. Please check the braces.",
    ),
    Malformed(
        "no_brace.bvh",
        lambda: swap(BVH, "  JOINT Chest\n  {\n", "  JOINT Chest\n"),
        {},
        " line 7: 'OFFSET 0 20 0' where '{' was expected. Please check the braces.",
    ),
    Malformed(
        "no_offset.bvh",
        lambda: swap(BVH, "    OFFSET 0 20 0\n", ""),
        {},
        " line 13: joint 'Chest' has no OFFSET, expected 'OFFSET x y z'. Please add it.",
    ),
    Malformed(
        "short_offset.bvh",
        lambda: swap(BVH, "OFFSET 0 20 0", "OFFSET 0 20"),
        {},
        " line 8: OFFSET with 2 numbers, expected 3. Please correct this line.",
    ),
    Malformed(
        "word_in_offset.bvh",
        lambda: swap(BVH, "OFFSET 0 20 0", "OFFSET 0 2O 0"),
        {},
        " line 8: '2O' is not a number, expected a number of an OFFSET. Please correct this line.",
    ),
    Malformed(
        "channel_count.bvh",
        lambda: swap(BVH, "CHANNELS 3", "CHANNELS 4"),
        {},
        " line 9: CHANNELS states 4 but lists 3: Zrotation Yrotation Xrotation. Please correct this line.",
    ),
    Malformed(
        "channel_name.bvh",
        lambda: swap(BVH, "Yrotation Xrotation\n    End", "Wrotation Xrotation\n    End"),
        {},
        " line 9: no channel 'Wrotation'; the channels are Xposition, Yposition, Zposition, Xrotation, "
        "Yrotation and Zrotation. Please correct this line.",
    ),
    Malformed(
        "unknown_word.bvh",
        lambda: swap(BVH, "    OFFSET 0 20 0", "    SCALE 2\n    OFFSET 0 20 0"),
        {},
        " line 8: 'SCALE 2' is unknown, expected ROOT, JOINT, End Site, OFFSET, CHANNELS or MOTION. "
        "Please correct this line.",
    ),
    Malformed(
        "many_joints.bvh",
        many_joints,
        {},
        " line 40002: more than 10000 joints. Is this a motion of one person?",
    ),
    Malformed(
        "no_motion.bvh",
        lambda: BVH.split("MOTION")[0].encode(),
        {},
        " line 16: no line MOTION after the hierarchy. Is the file cut off?",
    ),
    Malformed(
        "cut_in_hierarchy.bvh",
        lambda: BVH[:150].encode(),
        {},
        " line 9: 2 braces are not closed where the hierarchy ends ('Hips' of line 2, 'Chest' of line 6). "
        "Is the file cut off?",
    ),
    Malformed(
        "no_frames.bvh",
        lambda: swap(BVH, "Frames: 2\n", ""),
        {},
        " line 17: no 'Frames:' after MOTION. Is the file cut off?",
    ),
    Malformed(
        "zero_frames.bvh",
        lambda: swap(BVH, "Frames: 2", "Frames: 0"),
        {},
        " line 17: 'Frames: 0', expected a whole number above 0. Is the file cut off?",
    ),
    Malformed(
        "negative_frame_time.bvh",
        lambda: swap(BVH, "0.01", "-0.01"),
        {},
        " line 18: 'Frame Time: -0.01', expected seconds above 0. Please correct it or give --fps.",
    ),
    Malformed(
        "no_frame_time.bvh",
        lambda: swap(BVH, "Frame Time: 0.01\n", ""),
        {},
        " line 18: no 'Frame Time:' after 'Frames:'. Please add it, such as 'Frame Time: 0.0083333'.",
    ),
    Malformed(
        "cut_off.bvh",
        lambda: BVH[:-8].encode(),
        {},
        " line 20: 5 values, expected 9 (2 joints). Is the file cut off or damaged?",
    ),
    Malformed(
        "missing_frames.bvh",
        lambda: swap(BVH, "Frames: 2", "Frames: 200000000"),
        {},
        " line 20: 2 frames of numbers, but 'Frames:' states 200000000. Is the file cut off?",
    ),
    Malformed(
        "long_line.bvh",
        lambda: swap(BVH, "0 90 0 0", "0 90 0 0 0"),
        {},
        " line 19: 10 values, expected 9 (2 joints). Is the file cut off or damaged?",
    ),
    Malformed(
        "word_in_numbers.bvh",
        lambda: swap(BVH, "0 91 0", "0 ninety 0"),
        {},
        " line 20: 'ninety' is not a valid number, expected a finite decimal. Is the file damaged here?",
    ),
    Malformed(
        "comma_decimals.bvh",
        lambda: swap(BVH, "0 91 0", "0 91,5 0"),
        {},
        " line 20: '91,5' is not a valid number, expected a finite decimal. Is the file damaged here?",
    ),
    Malformed(
        "nan.bvh",
        lambda: swap(BVH, "0 91 0", "0 nan 0"),
        {},
        " line 20: 'nan' is not a valid number, expected a finite decimal. Is the file damaged here?",
    ),
    Malformed(
        "too_large.bvh",
        lambda: swap(BVH, "0 91 0", "0 1e999 0"),
        {},
        " line 20: '1e999' is not a valid number, expected a finite decimal. Is the file damaged here?",
    ),
    Malformed(
        "too_fast.bvh",
        lambda: swap(BVH, "0.01", "1e-6"),
        {},
        " line 18: 'Frame Time: 1e-6', expected 0.0001 to 10 seconds. Please correct it or give --fps.",
    ),
    Malformed(
        "giant.bvh",
        lambda: swap(BVH, "OFFSET 0 20 0", "OFFSET 0 1e38 0"),
        {},
        ": a bone is longer than 100000 m (is the unit right?). Please correct the file, or give its unit or rate.",
    ),
    Malformed(
        "many_channels.bvh",
        lambda: swap(BVH, "CHANNELS 3 Zrotation", "CHANNELS 30" + " Zrotation" * 28),
        {},
        " line 9: 30 CHANNELS; a joint has at most 24.",
    ),
    Malformed(
        "long_name.bvh",
        lambda: swap(BVH, "JOINT Chest", "JOINT " + "Chest" * 300),
        {},
        " line 6: a name of 1500 characters; at most 1000 are read.",
    ),
    Malformed(
        "wide.bvh",
        many_frames,
        {},
        ": 300 frames of 9001 joints in 0.6 MB, of which at most 277 frames are read. Is it a real recording?",
    ),
]
