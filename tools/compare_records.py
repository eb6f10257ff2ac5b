#!/usr/bin/env python3
"""Reading speed: ours, cshogi's and python-shogi's, on the same files in one run.

    pip install cshogi python-shogi
    cargo build --release -p tsumugi-record --example read_speed
    cargo build --release -p tsumugi
    tools/compare_records.py ../shared/public/records target/release/examples/read_speed [target/release/tsumugi]

Only files that all three read to the same number of legal moves are timed. The Python parsers get text that is decoded
already and judge nothing (a further line has python-shogi play the moves on its board, too); ours gets raw bytes and
judges every move by the rules; the line `from files` has python-shogi open, decode and read them itself (KIF only: it
takes all CSA for UTF-8). Each is timed three times, in turns, and the least processor time of one core counts: other jobs
on the machine do not.

With the third argument the whole way is timed by the clock, too, as a user has it: `tsumugi convert FOLDER --to usi`,
its start included, on all cores, beside python-shogi's `parse_file` in one process, its imports not included; for the
files once, and for twenty copies of them.
"""
import json
import multiprocessing
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ENCODINGS = {"cp932": "cp932", "utf-8": "utf-8-sig", "ascii": "ascii"}


def count_cshogi(kind, text):
    import cshogi.CSA
    import cshogi.KIF

    if kind == "csa":
        return len(cshogi.CSA.Parser.parse_str(text)[0].moves)
    return len(cshogi.KIF.Parser.parse_str(text).moves)


def count_python_shogi(kind, text):
    import shogi.CSA
    import shogi.KIF

    parser = shogi.CSA.Parser if kind == "csa" else shogi.KIF.Parser
    return len(parser.parse_str(text)[0]["moves"])


def replay_python_shogi(kind, text):
    """Reads and plays the moves on python-shogi's board, which judges each: what our reader does."""
    import shogi
    import shogi.CSA
    import shogi.KIF

    parser = shogi.CSA.Parser if kind == "csa" else shogi.KIF.Parser
    game = parser.parse_str(text)[0]
    board = shogi.Board(game["sfen"])
    for word in game["moves"]:
        move = shogi.Move.from_usi(word)
        if not board.is_legal(move):
            raise ValueError(word)
        board.push(move)
    return len(game["moves"])


def file_python_shogi(kind, path):
    """Lets python-shogi find out the encoding, too."""
    import shogi.CSA
    import shogi.KIF

    parser = shogi.CSA.Parser if kind == "csa" else shogi.KIF.Parser
    return parser.parse_file(str(path))


def survives(job):
    """The number of moves both find, or None; runs in a process of its own, for cshogi may crash."""
    kind, text = job
    try:
        counts = {count_cshogi(kind, text), count_python_shogi(kind, text), replay_python_shogi(kind, text)}
    except Exception:
        return None
    return counts.pop() if len(counts) == 1 else None


def common_files(kind, cases):
    """Files of a kind, their texts and numbers of moves, that both Python parsers read."""
    chosen = []
    for path, text, moves in cases:
        parent, child = multiprocessing.Pipe()
        process = multiprocessing.Process(target=lambda: child.send(survives((kind, text))))
        process.start()
        process.join(20)
        if process.is_alive():
            process.kill()
        count = parent.recv() if parent.poll() else None
        if count is not None and count == moves:
            chosen.append((path, text, moves))
    return chosen


def time_python(count, kind, inputs):
    start = time.process_time()
    for item in inputs:
        count(kind, item)
    return time.process_time() - start


def time_ours(program, passes, listing):
    process = subprocess.Popen([program, str(passes), listing], stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"{program} failed")
    return (usage.ru_utime + usage.ru_stime) / passes


def opens(kind, path):
    """Whether python-shogi reads a file itself: it takes all CSA for UTF-8 without a mark."""
    try:
        file_python_shogi(kind, path)
    except ValueError:
        return False
    return True


def whole_way(tsumugi, kind, files, copies):
    """From files on disk to main lines, by the clock: the least of five runs each, in turns."""
    files = [(path, moves) for path, _, moves in files if opens(kind, path)]
    with tempfile.TemporaryDirectory() as folder:
        copied = []
        for copy in range(copies):
            place = Path(folder) / str(copy)
            place.mkdir()
            copied += [shutil.copy(path, place) for path, _ in files]
        ours, theirs = [], []
        for _ in range(5):
            start = time.perf_counter()
            subprocess.run([tsumugi, "convert", folder, "--to", "usi", "--quiet"], stdout=subprocess.DEVNULL, check=True)
            ours.append(time.perf_counter() - start)
            start = time.perf_counter()
            for path in copied:
                file_python_shogi(kind, path)
            theirs.append(time.perf_counter() - start)
    moves = copies * sum(moves for _, moves in files)
    print(f"{kind}, from files to main lines by the clock: {len(copied)} files, {moves} moves")
    for name, times in [("python-shogi, one process", theirs), ("tsumugi convert", ours)]:
        seconds = min(times)
        print(f"  {name:<26} {seconds:9.4f} s  {moves / seconds:>11.0f} moves/s  {seconds / min(ours):8.1f} x ours")


def main():
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    folder, program, tsumugi = Path(sys.argv[1]), sys.argv[2], (sys.argv[3:] or [None])[0]
    cases = {"csa": [], "kif": []}
    for line in (folder / "expected.jsonl").read_text().splitlines():
        case = json.loads(line)
        kind = "kif" if case["format"] in ("kif", "kifu") else case["format"]
        if kind in cases and case["legal"] and len(case["moves"]) > 10 and case["leaves"] == 1:
            path = folder / case["file"]
            text = path.read_bytes().decode(ENCODINGS[case["encoding"]])
            cases[kind].append((path, text, len(case["moves"])))
    for kind, found in cases.items():
        files = common_files(kind, found)
        moves = sum(n for _, _, n in files)
        size = sum(path.stat().st_size for path, _, _ in files)
        with tempfile.NamedTemporaryFile("w") as listing:
            listing.write("\n".join(str(path) for path, _, _ in files))
            listing.flush()
            best = {"python-shogi, judging": [], "python-shogi": [], "cshogi": [], "ours": []}
            texts = [text for _, text, _ in files]
            # Slow, and its ratio is large: once is enough.
            best["python-shogi, judging"].append(time_python(replay_python_shogi, kind, texts))
            for _ in range(3):
                best["ours"].append(time_ours(program, 200, listing.name))
                best["cshogi"].append(time_python(count_cshogi, kind, texts))
                best["python-shogi"].append(time_python(count_python_shogi, kind, texts))
                if kind == "kif":
                    took = time_python(file_python_shogi, kind, [path for path, _, _ in files])
                    best.setdefault("python-shogi from files", []).append(took)
        ours = min(best["ours"])
        print(f"{kind}: {len(files)} of {len(found)} files, {moves} moves, {size} bytes")
        for name, times in best.items():
            seconds = min(times)
            print(f"  {name:<24} {seconds:9.4f} s  {moves / seconds:>11.0f} moves/s  {seconds / ours:8.1f} x ours")
        for copies in (1, 20) if tsumugi else ():
            whole_way(tsumugi, kind, files, copies)


if __name__ == "__main__":
    main()
