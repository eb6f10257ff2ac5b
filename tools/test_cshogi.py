#!/usr/bin/env python3
"""Runs cshogi's own tests and scripts with `import tsumugi as cshogi`.

    git clone https://github.com/TadaoYamaoka/cshogi /tmp/cshogi
    pip install pytest numpy ./python
    tools/test_cshogi.py /tmp/cshogi

The tests are read where they lie; without the folder this says so and ends with status 2. `test/test_ki2.py` runs under pytest, the
scripts `read_kif.py`, `read_csa.py` and `ki2_test.py` on files of testdata/records and on games that are made here, and what
cshogi's documentation shows of `Board` runs as it stands there. Modules that have no counterpart here (`web`, `gym_shogi`,
`dlshogi`) are not imported.
"""
import io
import runpy
import sys
import tempfile
from contextlib import redirect_stdout
from pathlib import Path

import tsumugi
import tsumugi.cli
import tsumugi.CSA
import tsumugi.KI2
import tsumugi.KIF
import tsumugi.usi
import tsumugi.usi.Engine

ROOT = Path(__file__).resolve().parent.parent
RECORDS = ROOT / "testdata" / "records"


def take_the_name():
    """Makes `import cshogi` mean this package."""
    for name in ["", ".CSA", ".KIF", ".KI2", ".usi", ".usi.Engine", ".cli"]:
        sys.modules["cshogi" + name] = sys.modules["tsumugi" + name]


def script(path, *words):
    """Runs a script as if it had been started with these words; what it printed."""
    argv, sys.argv = sys.argv, [str(path), *map(str, words)]
    printed = io.StringIO()
    try:
        with redirect_stdout(printed):
            runpy.run_path(str(path), run_name="__main__")
    finally:
        sys.argv = argv
    return printed.getvalue()


def check(what, holds, shown=""):
    """Counts a success, or ends with what went wrong."""
    if not holds:
        sys.exit(f"failed: {what}\n{shown}")
    print(f"passed: {what}")


def games_for_scripts(folder):
    """A game in CSA with a time as `ki2_test.py` wants it, and the same in KIF."""
    usi = "7g7f 3c3d 2g2f 8c8d 2f2e 8d8e 6i7h 4a3b 2e2d 2c2d 2h2d P*2c 2d2h".split()
    board = tsumugi.Board()
    csa, kif = folder / "game.csa", folder / "game.kif"
    exporter = tsumugi.CSA.Exporter(str(csa))
    exporter.info(names=["先の人", "後の人"], var_info={"START_TIME": "2026/11/18 09:00:00"}, version="V2.2")
    writer = tsumugi.KIF.Exporter(str(kif))
    writer.header(["先の人", "後の人"])
    for word in usi:
        move = board.push_usi(word)
        exporter.move(move, 3, "** 52 -3334FU")
        writer.move(move, 3, 3)
    exporter.endgame("%TORYO")
    writer.end("resign")
    exporter.close()
    writer.close()
    return csa, kif, board.history


def main():
    if len(sys.argv) != 2 or not (Path(sys.argv[1]) / "test").is_dir():
        sys.stderr.write(f"{__doc__}\nskipped: no folder of cshogi's sources was named\n")
        sys.exit(2)
    import pytest

    tests = Path(sys.argv[1]) / "test"
    take_the_name()
    status = pytest.main(["-q", "-p", "no:cacheprovider", str(tests / "test_ki2.py")])
    check("test_ki2.py under pytest", status == 0)
    with tempfile.TemporaryDirectory() as scratch:
        csa, kif, moves = games_for_scripts(Path(scratch))
        printed = script(tests / "read_kif.py", kif)
        check("read_kif.py", str(moves) in printed and "%TORYO" in printed, printed)
        for name in ["branches.kif", "handicap.kif", "tsume.kif"]:
            printed = script(tests / "read_kif.py", RECORDS / name)
            check(f"read_kif.py {name}", len(printed.splitlines()) >= 7, printed)
        out = Path(scratch) / "out.ki2"
        printed = script(tests / "ki2_test.py", csa, out)
        check("ki2_test.py from CSA", str(moves) in printed and out.stat().st_size > 0, printed)
        again = Path(scratch) / "again.ki2"
        printed = script(tests / "ki2_test.py", out, again)
        check("ki2_test.py from KI2", str(moves) in printed and out.read_bytes() == again.read_bytes(), printed)
        games = Path(scratch) / "games"
        games.mkdir()
        (games / "one.csa").write_bytes(csa.read_bytes())
        namespace = reader_of(tests / "read_csa.py")
        positions = namespace["read_kifu_cython"]([str(games / "one.csa")])
        check("read_csa.py: read_kifu_cython", len(positions) == len(moves), positions)
        check("read_csa.py: scores and results", {int(p[0]["eval"]) for p in positions} == {52}
              and {int(p[0]["gameResult"]) for p in positions} == {tsumugi.BLACK_WIN}, positions)
        engine = [sys.executable, str(tests / "test_usi_engine.py"), "7g7f", "3c3d", "2g2f"]
        result = tsumugi.cli.main(engine, engine, games=2, byoyomi=100, draw=3, csa=str(games / "played"), print_summary=False)
        check("test_usi_engine.py by cli.main", result["draw"] == 2 and len(list((games / "played").iterdir())) == 2, result)


def reader_of(path):
    """The functions of `read_csa.py`; its last lines measure cshogi against python-shogi on a folder of the author's."""
    source = path.read_text(encoding="utf-8").split("kifu_list = ")[0]
    lines = [line for line in source.splitlines() if line not in ("import shogi", "import shogi.CSA")]
    namespace = {}
    exec(compile("\n".join(lines), str(path), "exec"), namespace)
    return namespace


if __name__ == "__main__":
    main()
