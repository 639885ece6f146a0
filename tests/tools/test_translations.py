"""tools/translations.py: which translations still belong to the English above them."""

from tools.chapter import digest, read_chapter
from tools.translations import problems, stamp

TEXT = '# %% [markdown]\n# Hello\n\n# %% [markdown] lang="zh"\n# 你好\n\n# %% [markdown]\n# Bye\n'


def test_the_build_writes_which_english_a_translation_is_of(source):
    path = source(TEXT)
    assert stamp(path) is True
    header = path.read_text(encoding="utf-8").splitlines()[3]
    assert header == f'# %% [markdown] lang="zh" of="{digest("Hello")}"'
    assert stamp(path) is False


def test_a_missing_translation_is_told(source):
    path = source(TEXT)
    stamp(path)
    assert problems(read_chapter(path)) == [f"{path}:7: not translated: Bye"]


def test_a_stale_translation_is_told_until_it_is_renewed(source):
    path = source(TEXT)
    stamp(path)
    path.write_text(path.read_text(encoding="utf-8").replace("# Hello", "# Hello there"))
    assert f"{path}:1: the translation is stale: Hello there" in problems(read_chapter(path))
    renewed = path.read_text(encoding="utf-8").replace(f' of="{digest("Hello")}"', "")
    path.write_text(renewed, encoding="utf-8")
    stamp(path)
    assert not any("is stale" in line for line in problems(read_chapter(path)))


def test_an_untranslated_chapter_misses_nothing(source, small):
    assert problems(read_chapter(source(small))) == []
