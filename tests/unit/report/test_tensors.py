"""Files of a comparison can be read back, and hold what was compared."""

import csv
from io import BytesIO, StringIO

import numpy as np

from inspector.report.tensors import COLUMNS, figures_csv, values_npz
from inspector.text import say
from inspector.verify.result import ArraySample, StageName, Status, TensorDiff, Tolerance, Verification

DIFF = TensorDiff(
    name="=y,1", shape=(2, 3), dtype="float32", output=False, max_abs=0.1, mean_abs=1 / 3, max_rel=None, cosine=None,
    snr_db=None, nonfinite=(1, 2), equal=False, worst_index=(1, 2), sample=0, range_before=None, range_after=None,
    histogram=None, status=Status.FAILED, badge="dead",
)  # fmt: skip
RESULT = Verification(
    StageName.MODEL,
    Status.FAILED,
    None,
    (DIFF,),
    Tolerance(False, 1e-6, say("verify.limit_equivalent")),
    7,
    (),
    None,
    0.1,
)


def test_table_keeps_names_and_full_precision():
    (line,) = csv.DictReader(StringIO(figures_csv((RESULT,))))
    assert tuple(line) == COLUMNS
    assert line["tensor"] == "'=y,1", "no spreadsheet takes a name for a formula"
    assert float(line["mean_abs"]) == 1 / 3
    assert line["max_rel"] == line["cosine"] == ""
    assert (line["kind"], line["shape"], line["worst_index"], line["status"]) == (
        "intermediate",
        "2x3",
        "1 2",
        "FAILED",
    )
    assert float(line["limit_max_rel"]) == 1e-6


def test_arrays_come_back_bit_for_bit():
    before, after = np.array([[0.1, np.nan]], np.float32), np.array([[0.3, 1]], np.float32)
    with np.load(BytesIO(values_npz(ArraySample(before, after))), allow_pickle=False) as found:
        np.testing.assert_array_equal(found["before"], before)
        np.testing.assert_array_equal(found["after"], after)
        assert found["difference"][0, 0] == np.float64(after[0, 0]) - np.float64(before[0, 0])


def test_tensors_of_other_shapes_have_no_difference():
    with np.load(BytesIO(values_npz(ArraySample(np.zeros(2), np.zeros(3))))) as found:
        assert sorted(found) == ["after", "before"]
