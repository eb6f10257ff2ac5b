"""Games between two USI engines, as cshogi's `cli` plays them: `tsumugi-cli --engine1 PATH --engine2 PATH --byoyomi 1000`.

For many games, SPRT and more engines use the program's own `tsumugi match`, which survives engines that crash or hang.
"""

from __future__ import annotations

import argparse
import math
import os
import random
import time as clock
from collections import Counter
from datetime import datetime
from typing import Callable, Mapping, Sequence

from . import CSA, _native
from .constants import BLACK, BLACK_WIN, DRAW, REPETITION_LOSE, REPETITION_WIN, WHITE, WHITE_WIN
from .usi import Engine, InfoListener

Pair = tuple[int | None, int | None]


def _pair(value: int | Sequence[int] | None) -> Pair:
    """One value for both engines, or one for each."""
    if value is None or isinstance(value, int):
        return value, value
    return value[0], value[1] if len(value) > 1 else value[0]


def _openings(path: str | None, seed: int | None, index: int | None) -> list[list[str]]:
    """The games of a file with a line `startpos moves …` for each."""
    if path is None:
        return [[]]
    with open(path, encoding="utf-8") as file:
        lines = [line.split() for line in file if line.strip()]
    openings = [[word for word in line if word not in ("startpos", "moves", "position")] for line in lines]
    if not openings:
        raise ValueError(f"no opening in {path}: expected lines `startpos moves …`")
    if index is not None:
        return [openings[index]]
    random.Random(seed).shuffle(openings)
    return openings


class _Side:
    """An engine with its clock."""

    def __init__(self, engine: Engine, options: Mapping[str, object], byoyomi: int | None, time: int | None, inc: int | None):
        self.engine, self.options = engine, options
        self.byoyomi, self.time, self.inc = byoyomi, time, inc
        self.left = time
        self.listener = InfoListener()

    def ready(self) -> None:
        """Starts it where it does not run, and prepares it for a game."""
        if self.engine.proc is None:
            name = self.engine.name
            self.engine.connect()
            self.engine.name = name or self.engine.name
        for name, value in self.options.items():
            self.engine.setoption(name, str(value))
        self.engine.isready()
        self.left = self.time

    def spend(self, seconds: float) -> bool:
        """Takes time off the clock; false if it has run out. Less than a second over is forgiven."""
        if self.left is None:
            return True
        self.left += (self.inc or 0) - math.ceil(seconds * 1000)
        used_byoyomi = self.byoyomi or 0
        if self.left + used_byoyomi <= -1000:
            return False
        self.left = max(self.left, 0)
        return True


class _Game:
    """One game: its board and who plays."""

    def __init__(self, sides: tuple[_Side, _Side], exporter: CSA.Exporter | None):
        self.sides = sides
        self.exporter = exporter
        self.board = _native.Board()
        self.moves: list[str] = []

    def play(self, usi: str, seconds: int | None = None, comment: str | None = None) -> bool:
        """Plays a move; false if it is illegal."""
        move = self.board.move_from_usi(usi)
        if not move:
            return False
        self.board.push(move)
        self.moves.append(usi)
        if self.exporter:
            self.exporter.move(move, seconds, comment)
        return True

    def run(self, resign: int | None, mate_win: bool, draw: int) -> tuple[int, str]:
        """Plays on to the end; the result and its name in CSA."""
        while True:
            turn = self.board.turn
            win, loss = (BLACK_WIN, WHITE_WIN) if turn == BLACK else (WHITE_WIN, BLACK_WIN)
            if self.board.is_game_over():
                return loss, "%TSUMI"
            if self.board.is_fourfold_repetition():
                verdict = self.board.is_draw()
                if verdict == REPETITION_WIN:
                    return win, "%ILLEGAL_MOVE"
                if verdict == REPETITION_LOSE:
                    return loss, "%ILLEGAL_MOVE"
                return DRAW, "%SENNICHITE"
            if self.board.move_number > draw:
                return DRAW, "%MAX_MOVES"
            side = self.sides[turn]
            try:
                side.engine.position(self.moves)
                begin = clock.perf_counter()
                black, white = self.sides
                bestmove, _ = side.engine.go(
                    btime=black.left, wtime=white.left, byoyomi=side.byoyomi, binc=black.inc, winc=white.inc,
                    listener=side.listener.listen(),
                )
            except EOFError:
                return loss, "%ERROR"
            seconds = clock.perf_counter() - begin
            if not side.spend(seconds):
                return loss, "%TIME_UP"
            score = side.listener.score
            if bestmove == "resign" or (resign is not None and score is not None and score <= -resign):
                return loss, "%TORYO"
            if bestmove == "win":
                return (win, "%KACHI") if self.board.is_nyugyoku() else (loss, "%ILLEGAL_MOVE")
            sign = 1 if turn == BLACK else -1
            if not self.play(bestmove, int(seconds), None if score is None else f"** {score * sign}"):
                return loss, "%ILLEGAL_MOVE"
            if mate_win and score == side.listener.mate_score:
                return win, "%TORYO"


def main(
    engine1: str | Sequence[str],
    engine2: str | Sequence[str],
    options1: Mapping[str, object] | None = None,
    options2: Mapping[str, object] | None = None,
    names: Sequence[str | None] | None = None,
    games: int = 1,
    resign: int | None = None,
    mate_win: bool = False,
    byoyomi: int | Sequence[int] | None = None,
    time: int | Sequence[int] | None = None,
    inc: int | Sequence[int] | None = None,
    draw: int = 256,
    no_swap: bool = False,
    opening: str | None = None,
    opening_moves: int = 24,
    opening_seed: int | None = None,
    opening_index: int | None = None,
    keep_process: bool = False,
    csa: str | None = None,
    multi_csa: bool = False,
    print_summary: bool = True,
    callback: Callable[[dict[str, object]], object] | None = None,
) -> dict[str, object]:
    """Plays games and returns how they ended."""
    byoyomis, times, incs = _pair(byoyomi), _pair(time), _pair(inc)
    sides = [
        _Side(Engine(command, connect=False), options or {}, byoyomis[index], times[index], incs[index])
        for index, (command, options) in enumerate([(engine1, options1), (engine2, options2)])
    ]
    for side, name in zip(sides, names or []):
        side.engine.name = name
    openings = _openings(opening, opening_seed, opening_index)
    won: Counter[object] = Counter()
    result: dict[str, object] = {}
    one_file = CSA.Exporter(csa, append=True) if csa and multi_csa else None
    try:
        for number in range(games):
            swapped = not no_swap and number % 2 == 1
            order = (sides[1], sides[0]) if swapped else (sides[0], sides[1])
            for side in order:
                side.ready()
            players = [side.engine.name or f"engine{sides.index(side) + 1}" for side in order]
            exporter = one_file or (_exporter(csa, players, number) if csa else None)
            if exporter:
                exporter.info(names=players, version="V2.2")
            game = _Game(order, exporter)
            for usi in openings[number // 2 % len(openings)][:opening_moves]:
                if not game.play(usi):
                    raise ValueError(f"the opening move {usi} is illegal in {game.board.sfen()}")
            for side in order:
                side.engine.usinewgame()
            winner, endgame = game.run(resign, mate_win, draw)
            if exporter:
                exporter.endgame(endgame)
                if exporter is not one_file:
                    exporter.close()
            _leave(order, winner, keep_process and number + 1 < games)
            black_is_first = not swapped
            won["draw" if winner == DRAW else "engine1_won" if (winner == BLACK_WIN) == black_is_first else "engine2_won"] += 1
            result = {
                "engine1_name": sides[0].engine.name, "engine2_name": sides[1].engine.name,
                "engine1_won": won["engine1_won"], "engine2_won": won["engine2_won"], "draw": won["draw"],
                "total": number + 1,
            }
            if print_summary:
                print(
                    f"{number + 1} of {games} games finished ({players[BLACK]} vs {players[WHITE]}: {endgame}): "
                    f"{won['engine1_won']}-{won['engine2_won']}-{won['draw']}",
                    flush=True,
                )
            if callback:
                callback({**result, "moves": game.board.history, "win": winner, "endgame": endgame})
    finally:
        for side in sides:
            side.engine.quit()
        if one_file:
            one_file.close()
    return result


def _exporter(folder: str, players: Sequence[str], number: int) -> CSA.Exporter:
    """A new file in the folder of games."""
    os.makedirs(folder, exist_ok=True)
    safe = ["".join(letter if letter.isalnum() or letter in "-_." else "_" for letter in name) for name in players]
    return CSA.Exporter(os.path.join(folder, f"{'+'.join(safe)}+{datetime.now():%Y%m%d%H%M%S}-{number + 1}.csa"))


def _leave(order: tuple[_Side, _Side], winner: int, stay: bool) -> None:
    """Tells both engines how the game ended."""
    for side, own in zip(order, (BLACK_WIN, WHITE_WIN)):
        try:
            side.engine.gameover("draw" if winner == DRAW else "win" if winner == own else "lose")
        except EOFError:
            side.engine.quit()
        if not stay:
            side.engine.quit()


def command() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description="Plays games between two USI engines.")
    parser.add_argument("--engine1", required=True, metavar="PATH")
    parser.add_argument("--engine2", required=True, metavar="PATH")
    for number in (1, 2):
        parser.add_argument(f"--options{number}", default="", metavar="NAME:VALUE,…")
        parser.add_argument(f"--name{number}", metavar="NAME")
    parser.add_argument("--games", type=int, default=1)
    parser.add_argument("--resign", type=int, metavar="SCORE")
    parser.add_argument("--mate_win", action="store_true")
    for name in ("byoyomi", "time", "inc"):
        parser.add_argument(f"--{name}", type=int, nargs="+", metavar="MS")
    parser.add_argument("--draw", type=int, default=256, metavar="MOVES")
    parser.add_argument("--no_swap", action="store_true")
    parser.add_argument("--opening", metavar="FILE")
    parser.add_argument("--opening_moves", type=int, default=24)
    parser.add_argument("--opening_seed", type=int)
    parser.add_argument("--opening_index", type=int)
    parser.add_argument("--keep_process", action="store_true")
    parser.add_argument("--csa", metavar="FOLDER")
    parser.add_argument("--multi_csa", action="store_true", help="--csa names one file for all games")
    arguments = vars(parser.parse_args())
    for number in (1, 2):
        pairs = [word.partition(":") for word in arguments[f"options{number}"].split(",") if word]
        arguments[f"options{number}"] = {name: value for name, _, value in pairs}
    arguments["names"] = [arguments.pop("name1"), arguments.pop("name2")]
    main(**arguments)


if __name__ == "__main__":
    command()
