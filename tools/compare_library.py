#!/usr/bin/env python3
"""The work of `tsumugi games add` and `find --position` done by cshogi and SQLite, for comparison: run by hand.

    pip install cshogi
    cargo run --release -p tsumugi-library --example random_games -- OPENINGS.sfen 100000 > games.usi
    tools/compare_library.py games.usi --games 100000 --database /tmp/positions.sqlite

1. A loop over cshogi reads each line of USI moves, checks them and collects (zobrist key, game, ply, move) of each position.
2. SQLite keeps those in a table without row numbers, primary key (key, game): inserted in the order of the games, a transaction for
   each 65,536 games as `games add` does, or (--sorted) all at once in the order of the keys, which needs all of them in memory.
3. Positions are looked up: how many games, by move and result.
Seconds are processor seconds of this process, so that other work of the machine does not count.
"""

import argparse
import os
import sqlite3
import time
from itertools import islice

import cshogi

ENDINGS = ("resign", "rep_draw")
LOOKUP = "SELECT move, count(*), sum(result = 1), sum(result = 2), sum(result = 3) FROM position JOIN game USING (game) WHERE key = ? GROUP BY move"
CHUNK = 1 << 16


def positions(lines, first):
    """The rows of some games: positions, and the result of each game."""
    rows, results = [], []
    board = cshogi.Board()
    for number, line in enumerate(lines, first):
        words = line.split()[2:]
        board.reset()
        result = 0
        seen = set()
        for ply, word in enumerate(words):
            move = board.move_from_usi(word) if word not in ENDINGS else 0
            key = board.zobrist_hash() - (1 << 63)
            if key not in seen:
                seen.add(key)
                rows.append((key, number, ply, move & 0xFFFF))
            if word in ENDINGS:
                # The player to move has resigned: White wins at even plies.
                result = 3 if word == "rep_draw" else 2 - ply % 2
                break
            if not board.is_legal(move):
                raise SystemExit(f"line {number + 1}: {word} is not legal")
            board.push(move)
        else:
            key = board.zobrist_hash() - (1 << 63)
            if key not in seen:
                rows.append((key, number, len(words), 0))
        results.append((number, result, line))
    return rows, results


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file")
    parser.add_argument("--games", type=int, default=100_000)
    parser.add_argument("--database", required=True)
    parser.add_argument("--sorted", action="store_true")
    args = parser.parse_args()
    if os.path.exists(args.database):
        parser.error(f"{args.database} is already there")
    database = sqlite3.connect(args.database, isolation_level=None)
    database.executescript(
        """PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -1000000;
        CREATE TABLE game (game INTEGER PRIMARY KEY, result INTEGER, moves TEXT);
        CREATE TABLE position (key INTEGER, game INTEGER, ply INTEGER, move INTEGER, PRIMARY KEY (key, game)) WITHOUT ROWID;"""
    )
    reading = storing = 0.0
    games = count = 0
    sample, kept = [], []
    with open(args.file, encoding="ascii") as file:
        lines = islice(file, args.games)
        while chunk := [line.rstrip() for line in islice(lines, CHUNK)]:
            begin = time.process_time()
            rows, results = positions(chunk, games)
            reading += time.process_time() - begin
            games += len(results)
            count += len(rows)
            sample += rows[:: max(1, len(rows) // 2000)]
            begin = time.process_time()
            if args.sorted:
                kept += rows
                rows = []
            database.execute("BEGIN")
            database.executemany("INSERT INTO game VALUES (?, ?, ?)", results)
            database.executemany("INSERT INTO position VALUES (?, ?, ?, ?)", rows)
            database.execute("COMMIT")
            storing += time.process_time() - begin
    begin = time.process_time()
    if args.sorted:
        kept.sort()
        database.execute("BEGIN")
        database.executemany("INSERT INTO position VALUES (?, ?, ?, ?)", kept)
        database.execute("COMMIT")
    database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    storing += time.process_time() - begin
    size = os.path.getsize(args.database)
    print(f"{games} games, {count} positions")
    print(f"cshogi, moves checked and keys collected: {reading:.1f} s, {games / reading:.0f} games/s")
    print(f"SQLite, stored: {storing:.1f} s, {games / storing:.0f} games/s; both: {games / (reading + storing):.0f} games/s")
    print(f"{size} bytes, {size / count:.1f} for each position (moves of the games included)")
    for name, first, last in [("start position", 0, 0), ("moves 1 to 10", 1, 10), ("moves 11 to 24", 11, 24), ("moves 25 to 60", 25, 60)]:
        keys = [key for key, _, ply, _ in sample if first <= ply <= last]
        if first == 0:
            keys = [database.execute("SELECT key FROM position WHERE game = 0 AND ply = 0").fetchone()[0]] * 20
        times, found = [], 0
        for key in keys[:500]:
            begin = time.perf_counter()
            found += sum(row[1] for row in database.execute(LOOKUP, (key,)))
            times.append(time.perf_counter() - begin)
        times.sort()
        at = lambda part: 1e3 * times[int(part * (len(times) - 1))]
        print(f"{name}: {len(times)} lookups, median {at(0.5):.3f} ms, 99 % {at(0.99):.3f} ms; {found / len(times):.0f} games on average")


main()
