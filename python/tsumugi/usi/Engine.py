"""A USI engine as a process, and what it says."""

from __future__ import annotations

import os
import shlex
import subprocess
from typing import Callable, Sequence

Listener = Callable[[str], object]


def _info_words(line: str) -> dict[str, object]:
    """An `info` line by its words; `pv` is a list, numbers are numbers."""
    words = line.split()[1:]
    info: dict[str, object] = {}
    while words:
        name = words.pop(0)
        if name in ("pv", "refutation", "currline"):
            info[name] = words
            break
        if name == "string":
            info[name] = " ".join(words)
            break
        if name == "score" and words:
            name = words.pop(0)
            info["score"] = name
        if name in ("lowerbound", "upperbound"):
            info[name] = True
            continue
        if words:
            value = words.pop(0)
            info[name] = int(value) if value.lstrip("+-").isdigit() else value
    return info


class InfoListener:
    """Keeps what an engine says of its best move.

    >>> listener = InfoListener()
    >>> for line in ["info depth 2 score cp 34 pv 7g7f 3c3d", "bestmove 7g7f"]:
    ...     listener(line)
    >>> listener.score, listener.pv
    (34, ['7g7f', '3c3d'])
    """

    def __init__(self, mate_score: int = 100000, listner: Listener | None = None):
        self._mate_score = mate_score
        self._listener = listner
        self._lines: dict[str, str] = {}
        self._last_line = ""

    def __call__(self, line: str) -> None:
        if self._listener is not None:
            self._listener(line)
        words = line.split()
        if words[:1] == ["info"] and "pv" in words[:-1]:
            self._lines[words[words.index("pv") + 1]] = line
        self._last_line = line

    def listen(self) -> InfoListener:
        """Forgets what was said, and returns itself."""
        self._lines = {}
        self._last_line = ""
        return self

    @property
    def bestmove(self) -> str | None:
        """The move that the last line names."""
        words = self._last_line.split()
        return words[1] if words[:1] == ["bestmove"] and len(words) > 1 else None

    @property
    def mate_score(self) -> int:
        """The score that stands for a mate."""
        return self._mate_score

    @property
    def info(self) -> dict[str, object] | None:
        """The last line about the best move by its words."""
        line = self._lines.get(self.bestmove or "")
        return None if line is None else _info_words(line)

    @property
    def score(self) -> int | None:
        """The score of the best move."""
        info = self.info or {}
        if isinstance(info.get("cp"), int):
            return int(str(info["cp"]))
        if "mate" in info:
            return -self._mate_score if str(info["mate"]).startswith("-") or info["mate"] == 0 else self._mate_score
        return None

    @property
    def pv(self) -> list[str] | None:
        """The line that begins with the best move."""
        pv = (self.info or {}).get("pv")
        return pv if isinstance(pv, list) else None


class MultiPVListener:
    """Keeps the last line of each of an engine's best moves."""

    def __init__(self, listner: Listener | None = None):
        self._listener = listner
        self._lines: dict[int, str] = {}

    def __call__(self, line: str) -> None:
        if self._listener is not None:
            self._listener(line)
        words = line.split()
        if words[:1] == ["info"] and "multipv" in words[:-1] and "pv" in words:
            number = words[words.index("multipv") + 1]
            if number.isdigit():
                self._lines[int(number)] = line

    def listen(self) -> MultiPVListener:
        """Forgets what was said, and returns itself."""
        self._lines = {}
        return self

    @property
    def info(self) -> list[dict[str, object]]:
        """The lines by their words, best move first."""
        return [_info_words(line) for _, line in sorted(self._lines.items())]


class Engine:
    """A USI engine.

    `cmd` is a path, or a list of a program and its arguments. An engine that ends raises `EOFError`.
    """

    def __init__(self, cmd: str | Sequence[str], connect: bool = True, debug: bool = False):
        self.cmd = cmd
        self.debug = debug
        self.name: str | None = None
        self.proc: subprocess.Popen[str] | None = None
        if connect:
            self.connect()

    def __enter__(self) -> Engine:
        return self

    def __exit__(self, *_: object) -> None:
        if self.proc is not None:
            self.quit()

    def connect(self, listener: Listener | None = None) -> None:
        """Starts the process and says `usi`."""
        if isinstance(self.cmd, str):
            words = [self.cmd] if os.path.exists(self.cmd) else shlex.split(self.cmd)
        else:
            words = list(self.cmd)
        program = words[0]
        # Engines look for their files beside themselves.
        folder = os.path.dirname(program) or None
        if folder:
            words[0] = os.path.abspath(program)
        self.proc = subprocess.Popen(
            words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=folder,
            encoding="utf-8", errors="replace", bufsize=1,
        )
        for line in self.usi(listener):
            if line.startswith("id name "):
                self.name = line.removeprefix("id name ")

    def _say(self, command: str, listener: Listener | None) -> Listener | None:
        """Sends a line; returns the function that hears of lines."""
        if self.proc is None or self.proc.stdin is None:
            raise EOFError(f"the engine {self.cmd} is not running: call connect")
        if "\n" in command or "\r" in command:
            raise ValueError(f"a command is one line: {command!r}")
        listener = print if self.debug else listener
        if listener:
            listener(command)
        try:
            self.proc.stdin.write(command + "\n")
            self.proc.stdin.flush()
        except (BrokenPipeError, OSError) as error:
            raise EOFError(f"the engine {self.cmd} has ended") from error
        return listener

    def _hear(self, first_word: str, listener: Listener | None) -> list[str]:
        """Lines up to the one that begins with a word."""
        lines: list[str] = []
        assert self.proc is not None and self.proc.stdout is not None
        for line in self.proc.stdout:
            line = line.strip()
            if listener:
                listener(line)
            lines.append(line)
            if line.split(" ", 1)[0] == first_word:
                return lines
        raise EOFError(f"the engine {self.cmd} ended before it said `{first_word}`")

    def usi(self, listener: Listener | None = None) -> list[str]:
        """Says `usi`; returns the lines before `usiok`."""
        return self._hear("usiok", self._say("usi", listener))[:-1]

    def setoption(self, name: str, value: str | int, listener: Listener | None = None) -> None:
        """Sets an option."""
        self._say(f"setoption name {name} value {value}", listener)

    def isready(self, listener: Listener | None = None) -> None:
        """Says `isready` and waits for `readyok`."""
        self._hear("readyok", self._say("isready", listener))

    def usinewgame(self, listener: Listener | None = None) -> None:
        """Says `usinewgame`."""
        self._say("usinewgame", listener)

    def position(
        self, moves: Sequence[str] | None = None, sfen: str = "startpos", listener: Listener | None = None
    ) -> None:
        """Sets a position: `startpos` or `sfen …`, and moves."""
        self._say("position " + sfen + (" moves " + " ".join(moves) if moves else ""), listener)

    def go(
        self,
        ponder: bool = False,
        btime: int | None = None,
        wtime: int | None = None,
        byoyomi: int | None = None,
        binc: int | None = None,
        winc: int | None = None,
        nodes: int | None = None,
        listener: Listener | None = None,
    ) -> tuple[str, str | None]:
        """Lets it think; returns its move and the move it expects then."""
        words = ["go", "ponder"] if ponder else ["go"]
        increments = [] if byoyomi is not None else [("binc", binc), ("winc", winc)]
        for name, value in [("btime", btime), ("wtime", wtime), ("byoyomi", byoyomi), *increments, ("nodes", nodes)]:
            if value is not None:
                words += [name, str(value)]
        answer = self._hear("bestmove", self._say(" ".join(words), listener))[-1].split()
        move = answer[1] if len(answer) > 1 else "resign"
        return move, answer[3] if len(answer) > 3 and answer[2] == "ponder" else None

    def go_mate(self, byoyomi: int | None = None, listener: Listener | None = None) -> str:
        """Lets it look for a mate; returns the moves, or `nomate`, `timeout`, `notimplemented`."""
        limit = "infinite" if byoyomi is None else str(byoyomi)
        answer = self._hear("checkmate", self._say(f"go mate {limit}", listener))[-1]
        return answer.removeprefix("checkmate").strip()

    def ponderhit(self, listener: Listener | None = None) -> None:
        """Says `ponderhit`."""
        self._say("ponderhit", listener)

    def stop(self, listener: Listener | None = None) -> None:
        """Says `stop`."""
        self._say("stop", listener)

    def gameover(self, result: str | None = None, listener: Listener | None = None) -> None:
        """Says `gameover` with the result."""
        self._say(f"gameover {result}" if result else "gameover", listener)

    def quit(self, listener: Listener | None = None, timeout: float = 5) -> None:
        """Says `quit` and waits for the end; after `timeout` seconds the process is killed."""
        if self.proc is None:
            return
        try:
            self._say("quit", listener)
        except EOFError:
            pass
        try:
            self.proc.communicate(timeout=timeout)
        except subprocess.TimeoutExpired:
            self.proc.kill()
            self.proc.communicate()
        self.proc = None
