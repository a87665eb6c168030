"""Fuzzy matching against a plain definition, its order, and Chinese by pinyin."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.gui import pinyin
from inspector.gui.fuzzy import NONE, Corpus, best, spots

LETTERS = st.text(alphabet="ab/C预é\n.", max_size=8)


def holds(text, word):
    """Whether *text* has the letters of *word* in order, said as plainly as can be."""
    letters = iter(text.casefold())
    return all(letter in letters for letter in word.casefold())


@given(st.lists(LETTERS, max_size=6), st.text(alphabet="abC预", min_size=1, max_size=3))
def test_matches_are_the_texts_that_hold_the_letters(texts, word):
    score = Corpus(texts).score([word])
    spread = len(word) > 1
    wanted = [holds(text, word) if spread else word.casefold() in text.casefold() for text in texts]
    assert [value > NONE for value in score.tolist()] == wanted


@given(LETTERS, st.lists(st.text(alphabet="abC", min_size=1, max_size=3), min_size=1, max_size=2))
def test_marked_letters_are_those_typed(text, words):
    marked = spots(text, words)
    assert list(marked) == sorted(set(marked))
    assert set("".join(text[spot] for spot in marked).casefold()) <= set("".join(words).casefold())
    if len(words) == 1 and holds(text, words[0]):
        assert "".join(text[spot] for spot in marked).casefold() == words[0].casefold()


def order(texts, *words):
    return [texts[i] for i in best(Corpus(texts).score(words), 10)]


def test_better_matches_lead():
    texts = ["deconv", "c_o_n_v", "my conv", "convert", "conv", "con", "Relu"]
    assert order(texts, "conv") == ["conv", "convert", "my conv", "deconv", "c_o_n_v"]
    assert order(texts, "conv", "my") == ["my conv"]
    assert order(texts, "zz") == []


def test_letters_far_apart_are_no_match():
    assert order([f"a{'x' * 40}b"], "ab") == []


def test_marks_prefer_the_beginning_of_a_word():
    assert spots("/deconv/conv", ["conv"]) == (8, 9, 10, 11)
    assert spots("c_conv", ["cnv"]) == (2, 4, 5)


@pytest.mark.parametrize(
    ("word", "found"),
    [
        ("yl", (0, 1)),
        ("yulan", (0, 1)),
        ("YuLan", (0, 1)),
        ("yulzj", (0, 1, 2, 3)),
        ("xf", (4, 5)),
        ("ulan", ()),
        ("lz", (1, 2)),
        ("yx", ()),
        ("", ()),
        ("预览", ()),
    ],
)
def test_pinyin(word, found):
    assert pinyin.spots("预览最佳修复", word) == found


def test_pinyin_passes_over_punctuation_and_takes_latin_letters():
    assert pinyin.spots("复制 node_info", "fznode") == (0, 1, 3, 4, 5, 6)
    assert pinyin.spots("运行在 BPU 上", "zbpu") == (2, 4, 5, 6)
