import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from inspector.verify import metrics
from inspector.verify.metrics import figures, histogram, sample

SHAPES = hnp.array_shapes(min_dims=0, max_dims=4, min_side=0, max_side=5)
FLOATS = st.floats(width=32, allow_nan=False, allow_infinity=False)
ANY_FLOATS = st.floats(width=32)


@st.composite
def pairs(draw, dtype=np.float32, elements=FLOATS):
    shape = draw(SHAPES)
    return (
        draw(hnp.arrays(dtype, shape, elements=elements)),
        draw(hnp.arrays(dtype, shape, elements=elements)),
    )


@given(pairs())
def test_figures_agree_with_plain_float64(pair):
    a, b = pair
    x, y = a.astype(np.float64).ravel(), b.astype(np.float64).ravel()
    diff = np.abs(x - y)
    found = figures(a, b)
    assert found.count == x.size
    assert found.equal == bool(np.array_equal(a, b))
    if not x.size:
        assert (found.max_abs, found.mean_abs, found.max_rel, found.cosine) == (0.0, 0.0, 0.0, None)
        return
    assert found.max_abs == diff.max()
    assert found.mean_abs == pytest.approx(diff.mean(), rel=1e-12)
    reference = np.abs(x).max()
    if not diff.max():
        assert found.max_rel == 0.0
    elif not reference:
        assert found.max_rel is None
    else:
        assert found.max_rel == diff.max() / reference
    norms = np.linalg.norm(x), np.linalg.norm(y)
    if min(norms) > 1e-150:
        assert found.cosine == pytest.approx(float(np.dot(x / norms[0], y / norms[1])), abs=1e-9)
    if diff.max() and reference:
        energy = (diff**2).sum(), (x**2).sum()
        if min(energy) > 1e-300:
            assert found.snr_db == pytest.approx(10 * np.log10(energy[1] / energy[0]), rel=1e-9, abs=1e-9)
    assert found.low == (x.min(), y.min())
    assert found.high == (x.max(), y.max())
    if diff.max():
        assert diff[found.worst] == diff.max()


@given(pairs(elements=ANY_FLOATS))
def test_places_that_are_not_finite_are_counted_and_must_agree(pair):
    a, b = pair
    found = figures(a, b)
    assert found.nonfinite == (np.count_nonzero(~np.isfinite(a)), np.count_nonzero(~np.isfinite(b)))
    same = (a == b) | (np.isnan(a) & np.isnan(b))
    assert found.equal == bool(same.all())
    odd = ~(np.isfinite(a) & np.isfinite(b))
    assert found.misplaced == np.count_nonzero(odd & ~same)
    good = ~odd
    assert found.finite == np.count_nonzero(good)
    if good.any():
        assert found.max_abs == np.abs(a[good].astype(np.float64) - b[good].astype(np.float64)).max()


@given(pairs(np.int64, st.integers(-(2**63), 2**63 - 1)))
def test_integers_are_exact_beyond_what_float64_holds(pair):
    a, b = pair
    exact = [abs(int(x) - int(y)) for x, y in zip(a.ravel(), b.ravel(), strict=True)]
    found = figures(a, b)
    assert found.equal == (not any(exact))
    assert found.max_abs == float(max(exact, default=0))
    assert sum(found.decades.values()) == sum(map(bool, exact))


def test_neighbouring_large_integers_differ():
    found = figures(np.array([2**62], np.int64), np.array([2**62 + 1], np.int64))
    assert not found.equal
    assert found.max_abs == 1.0


@pytest.mark.parametrize("dtype", [np.bool_, np.uint8, np.int8, np.float16, np.float64, np.uint64])
def test_every_dtype(dtype):
    a = np.array([0, 1, 1, 0], dtype)
    b = np.array([0, 1, 0, 0], dtype)
    found = figures(a, b)
    assert (found.max_abs, found.worst, found.mean_abs) == (1.0, 2, 0.25)
    assert figures(a, a).equal


def test_strings_and_complex():
    a, b = np.array(["x", "y"], object), np.array(["x", "z"], object)
    assert figures(a, a).equal
    assert not figures(a, b).equal
    assert figures(a, b).worst == 1
    c = np.array([1 + 2j, 3 + 4j], np.complex64)
    assert figures(c, c).equal
    d = figures(c, c + np.complex64(0.5j))
    assert d.max_abs == 0.5
    assert not d.equal


def test_other_shapes_or_dtypes_are_refused():
    with pytest.raises(ValueError, match="cannot be held against"):
        figures(np.zeros(2), np.zeros(3))
    with pytest.raises(ValueError, match="cannot be held against"):
        figures(np.zeros(2, np.float32), np.zeros(2, np.float64))


def test_zero_vectors_have_no_cosine():
    zero, one = np.zeros(3, np.float32), np.ones(3, np.float32)
    assert figures(zero, zero).cosine is None
    assert figures(zero, one).cosine is None
    assert figures(one, zero).cosine is None
    assert figures(one, one).cosine == 1.0
    assert figures(one, -one).cosine == -1.0
    assert figures(zero, one).max_rel is None
    assert figures(zero, one).snr_db is None


def test_blocks_add_up(monkeypatch):
    rng = np.random.default_rng(3)
    a = rng.standard_normal((7, 11, 13)).astype(np.float32)
    b = a + rng.standard_normal(a.shape).astype(np.float32) * 1e-3
    b[3, 4, 5] = np.nan
    whole = figures(a, b)
    monkeypatch.setattr(metrics, "BLOCK", 10)
    parts = figures(a, b)
    assert parts.worst == whole.worst
    assert parts.decades == whole.decades
    assert (parts.max_abs, parts.misplaced, parts.nonfinite) == (whole.max_abs, whole.misplaced, whole.nonfinite)
    assert parts.dot == pytest.approx(whole.dot, rel=1e-12)


def test_worst_index_counts_the_elements_left_out():
    a = np.array([np.nan, 1, 2], np.float32)
    b = np.array([np.nan, 1, 5], np.float32)
    assert figures(a, b).worst == 2


def test_histogram_by_decade():
    found = figures(np.array([1, 1, 1, 1, 1], np.float64), np.array([1, 1.5, 3, 1.002, 1], np.float64))
    counted = histogram(found.exact, found.decades)
    assert counted.zero == 2
    assert counted.edges == (-3.0, -2.0, -1.0, 0.0, 1.0)
    assert counted.counts == (1, 0, 1, 1)
    assert histogram(4, {}).counts == ()


def test_a_sample_is_cut_but_keeps_its_axes():
    large = np.broadcast_to(np.float32(1), (4, 3, 1024, 1024))
    cut = sample(large, large)
    assert cut.before.ndim == 4
    assert cut.before.size <= metrics.SAMPLE_LIMIT
    assert cut.before.shape[2:] == (1024, 1024)
    small = sample(np.arange(6).reshape(2, 3), np.arange(6).reshape(2, 3))
    assert small.before.dtype == np.int64
    assert not small.before.flags.writeable
    assert sample(np.ones(2, np.float16), np.ones(2, np.float16)).before.dtype == np.float32
