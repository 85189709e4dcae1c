"""Binary messages come back as they were."""

import struct

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from motionloom.studio.server.packing import ALIGNMENT, pack, unpack

KINDS = ["float32", "int16", "uint16", "uint32", "int32", "uint8", "bool"]


@given(
    st.dictionaries(
        st.text(min_size=1, max_size=8),
        st.sampled_from(KINDS).flatmap(lambda kind: arrays.arrays(kind, arrays.array_shapes(min_dims=1, min_side=0))),
        max_size=4,
    ),
    st.dictionaries(st.text(max_size=8).filter(lambda key: key != "arrays"), st.integers() | st.text(), max_size=3),
)
def test_what_is_packed_comes_back(given_arrays, header):
    back, found = unpack(pack(header, given_arrays))
    assert back == header
    assert set(found) == set(given_arrays)
    for name, array in given_arrays.items():
        assert (found[name].dtype, found[name].shape) == (array.dtype, array.shape)
        np.testing.assert_array_equal(found[name], array)


def test_arrays_begin_where_typed_arrays_can_be_laid_over_them():
    message = pack({"odd": "x"}, {"a": np.arange(3, dtype=np.uint8), "b": np.arange(5.0), "c": np.ones(1, np.int16)})
    (length,) = struct.unpack_from("<I", message)
    begin = 4 + length + -(4 + length) % ALIGNMENT
    assert begin % ALIGNMENT == 0
    import json

    for array in json.loads(message[4 : 4 + length])["arrays"]:
        assert array["offset"] % ALIGNMENT == 0


def test_arrays_that_do_not_lie_in_one_piece_are_packed_all_the_same():
    whole = np.arange(24, dtype=np.float32).reshape(4, 6)
    _, found = unpack(pack({}, {"part": whole[::2, 1::2]}))
    np.testing.assert_array_equal(found["part"], whole[::2, 1::2])
