#!/usr/bin/env python3
"""What `tsumugi analyze` has written, read back by tsshogi and python-shogi: run by hand.

    npm install --prefix /tmp/peers tsshogi
    pip install python-shogi
    tsumugi analyze games/ --nodes 15000 --lines 2 -o result
    tools/check_analysis.py result /tmp/peers/node_modules/tsshogi

The records of `result` (KIF, CSA, JKF) must have the moves of analysis.json for both, and tsshogi must find at each move the
comment with the value that analysis.json has for the position after it. python-shogi does not keep comments.
"""

import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

# The beginnings of lines by which ShogiHome knows a value, and floodgate's behind the sign of comments.
SHOGIHOME = re.compile(r"^#評価値=([+-]?\d+)", re.M)
MATE = re.compile(r"^#詰み=(先手|後手)勝ち:(\d+)手", re.M)
FLOODGATE = re.compile(r"^\* ([+-]?\d+)", re.M)

READER = """
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
const [modulePath, ...files] = process.argv.slice(2);
const tsshogi = createRequire(import.meta.url)(resolve(modulePath));
const readers = { kif: tsshogi.importKIF, kifu: tsshogi.importKIF, csa: tsshogi.importCSA, jkf: tsshogi.importJKFString };
const decode = (bytes) => { try { return new TextDecoder("utf-8", { fatal: true }).decode(bytes); } catch { return new TextDecoder("shift_jis").decode(bytes); } };
const all = files.map((file) => {
  const record = readers[file.split(".").pop()](decode(readFileSync(file)));
  if (record instanceof Error) return { file, error: String(record) };
  return { file, nodes: record.moves.map((node) => ({ move: node.move instanceof tsshogi.Move ? node.move.usi : null, comment: node.comment })) };
});
process.stdout.write(JSON.stringify(all));
"""


def value_for_black(position):
    """The value of a position as records have it; a mate as None."""
    score = position["score"]
    if not isinstance(score, int):
        return None
    return score if position["side"] == "black" else -score


def python_shogi_moves(path):
    import shogi.CSA
    import shogi.KIF

    parser = shogi.CSA.Parser if path.suffix == ".csa" else shogi.KIF.Parser
    if path.suffix == ".csa":
        return parser.parse_file(str(path))[0]["moves"]
    text = path.read_bytes()
    try:
        text = text.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = text.decode("cp932")
    return parser.parse_str(text)[0]["moves"]


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    folder, module = Path(sys.argv[1]), sys.argv[2]
    games = {Path(game["file"]).stem: game for game in json.loads((folder / "analysis.json").read_text())["games"]}
    files = sorted(path for path in folder.iterdir() if path.suffix in (".kif", ".kifu", ".csa", ".jkf"))
    with tempfile.TemporaryDirectory() as scratch:
        script = Path(scratch) / "read.mjs"
        script.write_text(READER)
        command = ["node", str(script), module, *map(str, files)]
        read = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    faults, values, moves = [], 0, 0
    for path, found in zip(files, read):
        positions = games[path.stem]["positions"]
        played = [position["played"]["move"] for position in positions if position["played"]]
        if "error" in found:
            faults.append(f"{path.name}: tsshogi: {found['error']}")
            continue
        nodes = found["nodes"]
        if [node["move"] for node in nodes if node["move"]] != played:
            faults.append(f"{path.name}: tsshogi has other moves")
        for ply, position in enumerate(positions):
            expected = value_for_black(position)
            if expected is None or ply >= len(nodes):
                continue
            comment = nodes[ply]["comment"]
            line = FLOODGATE.search(comment) if path.suffix == ".csa" else SHOGIHOME.search(comment)
            if line is None or int(line[1]) != expected:
                faults.append(f"{path.name}: ply {ply}: {expected} expected in {comment[:60]!r}")
            else:
                values += 1
        if path.suffix != ".jkf":
            own = python_shogi_moves(path)
            moves += len(own)
            if own != played:
                faults.append(f"{path.name}: python-shogi has other moves")
    print(f"{len(files)} files: {values} values read by tsshogi, {moves} moves by python-shogi, {len(faults)} faults")
    for fault in faults:
        print(fault)
    sys.exit(bool(faults))


main()
