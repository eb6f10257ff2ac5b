"""What the manuals and the package's documentation show is what happens."""

import doctest
import re
import sys

import pytest

import tsumugi
import tsumugi.move
import tsumugi.usi
from conftest import ROOT


@pytest.mark.parametrize("path", ["docs/python.md", "docs/ja/python.md"])
def test_manuals(path):
    failed, tried = doctest.testfile(str(ROOT / path), module_relative=False, encoding="utf-8")
    assert (failed, tried > 20) == (0, True)


@pytest.mark.parametrize("module", [tsumugi, tsumugi.move, sys.modules["tsumugi.usi.Engine"]])
def test_modules(module):
    failed, tried = doctest.testmod(module)
    assert failed == 0 and tried > 0


def test_every_name_of_the_manual_is_there():
    text = (ROOT / "docs" / "python.md").read_text(encoding="utf-8")
    table = text[text.index("| to | use |") : text.index("A board is always valid")]
    names = set(re.findall(r"`(\w+)[`(]", table))
    missing = [name for name in names if not hasattr(tsumugi.Board, name) and not hasattr(tsumugi, name) and name != "print"]
    assert len(names) > 45 and not missing


def test_every_native_name_has_a_type():
    from tsumugi import _native

    stub = (ROOT / "python" / "tsumugi" / "_native.pyi").read_text(encoding="utf-8")
    public = [name for name in dir(_native) if not name.startswith("_")]
    assert not [name for name in public if not re.search(rf"^(class|def) {name}\b", stub, re.M)]
    for name in ("Board", "Game", "Record", "DfPn", "Book"):
        body = stub[stub.index(f"class {name}:") :].split("\n@final")[0]
        members = [member for member in vars(getattr(_native, name)) if not member.startswith("__")]
        assert not [member for member in members if f"def {member}(" not in body], name
