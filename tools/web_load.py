#!/usr/bin/env python3
"""Measures `tsumugi web` with a client of other people: pip install websocket-client; tools/web_load.py PROGRAM [FOLDER]

Linux only: memory and processor time are read from /proc. FOLDER holds the boards, a run of 100,000 games (250 MB) and an engine that
talks a lot; a temporary one where absent. crates/web/ui/tests/measure.mjs has what is seen in a browser."""

import json
import os
import subprocess
import sys
import tempfile
import time
import urllib.request

import websocket

MAIN = ["３八飛(28)", "７二飛(82)", "２八飛(38)", "８二飛(72)"]
BLACK = ["１八香(19)", "７六歩(77)", "２六歩(27)", "５六歩(57)", "６八銀(79)", "４八銀(39)", "７八金(69)", "１六歩(17)", "９六歩(97)", "４六歩(47)"]
WHITE = ["１二香(11)", "３四歩(33)", "８四歩(83)", "５四歩(53)", "４二銀(31)", "６二銀(71)", "３二金(41)", "１四歩(13)", "９四歩(93)", "６四歩(63)"]


class Tab:
    """One socket."""

    def __init__(self, port):
        self.socket = websocket.create_connection(f"ws://127.0.0.1:{port}/ws", origin=f"http://127.0.0.1:{port}", timeout=60)
        self.next = 0

    def ask(self, do, **arguments):
        self.next += 1
        self.socket.send(json.dumps({"id": self.next, "do": do, **arguments}))
        while True:
            text = self.socket.recv()
            message = json.loads(text)
            if message.get("id") == self.next:
                if "error" in message:
                    raise SystemExit(f"{do}: {message['error']['text']}")
                return message["ok"], len(text)

    def until(self, is_it):
        while not is_it(json.loads(self.socket.recv())):
            pass


def memory(process):
    with open(f"/proc/{process}/status", encoding="ascii") as file:
        return next(int(line.split()[1]) for line in file if line.startswith("VmRSS")) / 1024


def seconds(process):
    with open(f"/proc/{process}/stat", encoding="utf-8") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / 100


class Watch:
    """How long something takes, and how much of the server's processor time."""

    def __init__(self, process):
        self.process, self.used, self.began = process, seconds(process), time.perf_counter()

    def __str__(self):
        took, used = time.perf_counter() - self.began, seconds(self.process) - self.used
        return f"{took:8.3f} s, {used:.2f} s of processor time"


def tree(length=11):
    """A record with some ten thousand nodes: three plies of branches below every move of its main line."""
    lines = ["手合割：平手"] + [f"{ply} {MAIN[(ply - 1) % 4]}" for ply in range(1, length + 1)]
    nodes = length
    for ply in range(length, 0, -1):
        mine, theirs = (BLACK, WHITE) if ply % 2 else (WHITE, BLACK)
        for first in mine:
            lines += [f"\n変化：{ply}手", f"{ply} {first}", f"{ply + 1} {theirs[0]}"]
            nodes += 2
            for second in theirs[:0:-1]:
                lines += [f"\n変化：{ply + 1}手", f"{ply + 1} {second}"]
                nodes += 1
                for third in (move for move in mine if move != first):
                    lines += [f"\n変化：{ply + 2}手", f"{ply + 2} {third}"]
                    nodes += 1
    return "\n".join(lines) + "\n", nodes


# Says something new every five milliseconds for as long as it is asked.
TALKER = """
import sys, threading, time
stop = threading.Event()
def talk():
    depth = 0
    while not stop.wait(0.005):
        depth += 1
        for line, move in enumerate(("7g7f 3c3d 2g2f", "2g2f 8c8d 7g7f", "5g5f 3c3d 2h5h"), 1):
            print(f"info depth {depth} seldepth {depth} multipv {line} score cp {depth % 90} nodes {depth * 1000} nps 1000000 time {depth * 5} pv {move}", flush=True)
    print("bestmove 7g7f", flush=True)
for line in sys.stdin:
    word = line.split(" ")[0].strip()
    if word == "usi":
        print("id name talker\\noption name MultiPV type spin default 1 min 1 max 10\\nusiok", flush=True)
    elif word == "isready":
        print("readyok", flush=True)
    elif word == "go":
        stop.clear()
        threading.Thread(target=talk).start()
    elif word == "stop":
        stop.set()
    elif word == "quit":
        break
"""

def write_run(program, folder, games=100_000, plies=100):
    """A match as `tsumugi match` keeps it, with many games: a small one is played, and its last line is written again and again."""
    run = os.path.join(folder, "runs", "long")
    engine = ["--engine", f"cmd={program}", "nodes=20", "threads=1", "hash=1"]
    command = [program, "match", *engine, "name=a", *engine, "name=b", "--games", "2", "--concurrency", "1"]
    subprocess.run([*command, "--max-moves", str(plies), "--out", run], check=True, stdout=subprocess.DEVNULL, cwd=folder)
    path = os.path.join(run, "games.jsonl")
    with open(path, encoding="utf-8") as file:
        line = json.loads(file.readlines()[-1])
    with open(path, "w", encoding="utf-8") as file:
        for game in range(games):
            line.update(game=game, round=game // 2, result=("black", "white", "draw")[game % 3])
            line["black"], line["white"] = ("a", "b") if game % 2 else ("b", "a")
            file.write(json.dumps(line, separators=(",", ":")) + "\n")
    return path, line


def measure(program, folder):
    with open(os.path.join(folder, "talker.py"), "w", encoding="utf-8") as file:
        file.write(TALKER)
    journal, line = write_run(program, folder)
    talker = f"cmd={sys.executable} args={os.path.join(folder, 'talker.py')} name=talker"
    started = time.time()
    command = [program, "web", "--port", "0", "--data", folder, "--runs", os.path.join(folder, "runs"), "--engine", talker]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=folder)
    try:
        port = int(server.stdout.readline().strip().rstrip("/").rsplit(":", 1)[1])
        print(f"start to the first line        {1000 * (time.time() - started):8.0f} ms")
        time.sleep(1)
        print(f"memory, idle                   {memory(server.pid):8.1f} MB")
        tab = Tab(port)
        board = tab.ask("open", game="shogi")[0]["board"]
        quiet = "7g7f 3c3d 2g2f 8c8d 6i7h 4a3b 7i6h 7a6b 3i4h 3a4b 5g5f 5c5d 4g4f 6c6d 1g1f 1c1d 9g9f 9c9d 3g3f 7c7d".split()
        node = tab.ask("add_line", board=board, node=1, moves=quiet)[0]["node"]
        times = []
        watch = Watch(server.pid)
        for _ in range(1000):
            asked = time.perf_counter()
            tab.ask("go_to", board=board, node=node)
            times.append(1000 * (time.perf_counter() - asked))
            time.sleep(0.006)
        times.sort()
        used = seconds(server.pid) - watch.used
        print(f"go_to after 20 moves, p50 p95  {times[500]:8.2f} {times[950]:.2f} ms, {used:.2f} ms of processor time each")
        text, nodes = tree()
        watch = Watch(server.pid)
        request = urllib.request.Request(
            f"http://127.0.0.1:{port}/api/file", data=text.encode(), headers={"Origin": f"http://127.0.0.1:{port}"}
        )
        with urllib.request.urlopen(request) as answer:
            opened = json.loads(answer.read())[0]
        print(f"record of {nodes} nodes, read    {watch} {opened['notices'] or ''}")
        watch = Watch(server.pid)
        told, size = tab.ask("subscribe", board=opened["board"])
        count = len(told["all"]["nodes"]) - 1
        print(f"the same told ({count} nodes)    {watch}, {size / 1e6:.1f} MB")
        tabs = [Tab(port) for _ in range(20)]
        for other in tabs:
            other.ask("subscribe", board=board)
        tab.ask("analyse", board=board, node=node, on=True, lines=3, engine="talker")
        time.sleep(2)
        used, began = seconds(server.pid), time.time()
        time.sleep(10)
        used, took = seconds(server.pid) - used, time.time() - began
        tab.ask("analyse", board=board, on=False, engine="talker")
        tabs[0].socket.settimeout(0.5)
        events = 0
        try:
            while True:
                events += '"event":"analysis"' in tabs[0].socket.recv()
        except websocket.WebSocketTimeoutException:
            pass
        print(f"20 tabs, {events / 12:.1f} events/s each    {100 * used / took:8.1f} % of a core")
        print(f"memory after that              {memory(server.pid):8.1f} MB")
        watch = Watch(server.pid)
        told, _ = tab.ask("runs.watch", run="long")
        size = os.path.getsize(journal) / 1e6
        print(f"run of {told['done']} games, {size:.0f} MB    {watch}")
        watch = Watch(server.pid)
        tab.ask("runs.list")
        print(f"the list of runs               {watch}")
        asked = time.perf_counter()
        with open(journal, "a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")
        tab.until(lambda message: message.get("event") == "run")
        print(f"one more game told after       {time.perf_counter() - asked:8.3f} s (read every 0.5 s)")
        watch = Watch(server.pid)
        tab.ask("runs.games", run="long", skip=50_000, count=20)
        print(f"twenty games in its middle     {watch}")
        print(f"memory after that              {memory(server.pid):8.1f} MB")
        stopped = time.time()
        server.terminate()
        server.wait()
        print(f"SIGTERM to the end             {1000 * (time.time() - stopped):8.0f} ms, status {server.returncode}")
    finally:
        server.kill()


def main():
    if len(sys.argv) not in (2, 3):
        raise SystemExit(__doc__)
    if len(sys.argv) == 3:
        measure(sys.argv[1], sys.argv[2])
    else:
        with tempfile.TemporaryDirectory() as folder:
            measure(sys.argv[1], folder)


if __name__ == "__main__":
    main()
