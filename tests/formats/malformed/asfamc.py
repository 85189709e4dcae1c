"""Malformed AMC files, and AMC files with a malformed ASF file beside them."""

from tests.formats.malformed.malformed_file import Malformed, swap, whole

ASF, AMC = whole("small.asf"), whole("small.amc")

MALFORMED = [
    Malformed(
        "07_01.amc",
        lambda: AMC.encode(),
        {},
        ": no skeleton '07.asf' beside it (no .asf is there). Please put it there or give its path.",
    ),
    Malformed(
        "unknown_bone.amc",
        lambda: swap(AMC, "head 4", "tail 4"),
        {"a.asf": ASF.encode()},
        " line 10: no bone 'tail' in the skeleton; its bones are root, back, head. Is it the right .asf?",
    ),
    Malformed(
        "dof_mismatch.amc",
        lambda: swap(AMC, "back 2 3", "back 2 3 4"),
        {"a.asf": ASF.encode()},
        " line 9: 3 values for 'back', expected 2. Is the file cut off, or the .asf wrong?",
    ),
    Malformed(
        "missing_bone.amc",
        lambda: swap(AMC, "back 2 3\n", ""),
        {"a.asf": ASF.encode()},
        " line 7: the frame that starts here has no bone 'back'. Is the file cut off?",
    ),
    Malformed(
        "twice.amc",
        lambda: swap(AMC, "2\nroot", "root"),
        {"a.asf": ASF.encode()},
        " line 7: 'root' twice in one frame. Is a frame number missing?",
    ),
    Malformed(
        "word.amc",
        lambda: swap(AMC, "back 1 2", "back 1 two"),
        {"a.asf": ASF.encode()},
        " line 5: 'two' is not a number, expected an angle of 'back'. Please correct this line.",
    ),
    Malformed(
        "header_only.amc",
        lambda: b":DEGREES\n",
        {"a.asf": ASF.encode()},
        ": no frames. Is the file cut off?",
    ),
    Malformed(
        "bones_first.amc",
        lambda: b":DEGREES\nroot 0 0 0 0 0 0\n",
        {"a.asf": ASF.encode()},
        " line 2: 'root 0 0 0 0 0 0' before the first frame number. Is this an AMC file?",
    ),
    Malformed(
        "asf_cut_off.amc",
        lambda: AMC.encode(),
        {"a.asf": ASF[: ASF.index("    axis 0 0 0 XYZ\n    dof rx\n")].encode()},
        ": no section ':hierarchy'. Is this a complete ASF file?",
    ),
    Malformed(
        "asf_unknown_bone.amc",
        lambda: AMC.encode(),
        {"a.asf": swap(ASF, "back head", "back hat")},
        " line 34: no bone 'hat'; the bones are root, back, head. Please correct this line.",
    ),
    Malformed(
        "asf_lost_bone.amc",
        lambda: AMC.encode(),
        {"a.asf": swap(ASF, "    back head\n", "")},
        ": bone 'head' has no parent in ':hierarchy'. Please add it there.",
    ),
    Malformed(
        "asf_limits.amc",
        lambda: AMC.encode(),
        {"a.asf": swap(ASF, "           (-30 30)\n", "")},
        " line 20: bone 'back' has 2 numbers in its limits, expected 4, low and high per dof. Please correct them.",
    ),
    Malformed(
        "asf_parenthesis.amc",
        lambda: AMC.encode(),
        {"a.asf": swap(ASF, "  begin\n    id 2\n", "  begin\n    (-30 30)\n    id 2\n")},
        " line 24: '(-30 30)' without 'limits' before it. Please correct this line.",
    ),
    Malformed(
        "amc_empty_frame.amc",
        lambda: AMC.encode() + b"3\n4\n",
        {"a.asf": ASF.encode()},
        " line 11: the frame that starts here has no bones. Is the file cut off?",
    ),
    Malformed(
        "asf_dof.amc",
        lambda: AMC.encode(),
        {"a.asf": swap(ASF, "dof rx ry", "dof rx rw")},
        " line 19: no dof 'rw'; the dofs are rx, ry, rz, tx, ty, tz, l. Please correct this line.",
    ),
    Malformed(
        "asf_axis.amc",
        lambda: AMC.encode(),
        {"a.asf": swap(ASF, "axis 0 0 0 XYZ", "axis 0 0 XYZ")},
        " line 18: bone 'back' has 3 values for 'axis', expected 4. Please correct it.",
    ),
]
