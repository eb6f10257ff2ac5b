#!/usr/bin/env python3
"""A run over a hub while everything is killed: the output must be that of the run without a hub.

    tools/cluster_soak.py target/debug/tsumugi                          # 10,000 jobs, 16 workers, kills
    tools/cluster_soak.py target/debug/tsumugi --jobs 10000 --quiet     # without kills: the overhead of a job

Jobs are mate problems of one or a few plies. Workers, the coordinator and nats-server are killed with SIGKILL at random, and the store of the
server is deleted once in the middle. Exit status 0: byte-equal. Skipped with a line where nats-server is not installed.
"""

import argparse
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path


def problems(path, count):
    """Different small problems: kings on all squares of the first rank, pawns before them, pieces far away."""
    lines = []
    for number in range(count):
        left = number % 7 + 1
        pawn = "9" if number % 5 == 0 else f"{left}P{7 - left + 1}"
        # Pawns of the defender on other ranks make each problem another one.
        code, ranks = number // 35, []
        for _ in range(4):
            file = code % 9
            code //= 9
            ranks.append((f"{file}" if file else "") + "l" + (f"{8 - file}" if file < 8 else ""))
        lines.append(f"{left}k{8 - left}/9/{pawn}/9/{ranks[0]}/{ranks[1]}/{ranks[2]}/{ranks[3]}/4K4 b 2G 1")
    path.write_text("\n".join(lines) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("program", type=Path)
    parser.add_argument("--jobs", type=int, default=10_000)
    parser.add_argument("--workers", type=int, default=16)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--quiet", action="store_true", help="kill nothing")
    arguments = parser.parse_args()
    server = os.environ.get("TSUMUGI_NATS_SERVER", "nats-server")
    if not shutil.which(server):
        print("skipped: nats-server is not installed (apt-get install nats-server)")
        return 0
    chance = random.Random(arguments.seed)
    program = str(arguments.program.resolve())
    with tempfile.TemporaryDirectory(prefix="cluster_soak.") as scratch:
        folder = Path(scratch)
        environment = {**os.environ, "XDG_DATA_HOME": scratch, "LC_ALL": "C"}
        problems(folder / "problems.txt", arguments.jobs)
        solve = [program, "mate", "problems.txt", "--hash", "1", "--nodes", "300", "--json", "--no-time", "-q"]
        begin = time.monotonic()
        here = subprocess.run(solve, cwd=folder, env=environment, check=True, stdout=subprocess.PIPE).stdout
        alone = time.monotonic() - begin
        subprocess.run([program, "hub", "init", "hub"], cwd=folder, env=environment, check=True, stdout=subprocess.DEVNULL)
        log = open(folder / "log", "wb")

        def start(words, stdout=subprocess.DEVNULL):
            return subprocess.Popen([program, *words], cwd=folder, env=environment, stdout=stdout, stderr=log)

        hub = start(["hub", "run", "hub", "--port", "0"], subprocess.PIPE)
        url = hub.stdout.readline().decode().strip()
        work = ["work", "--hub", url, "--slots", "1"]
        workers = [start(work) for _ in range(arguments.workers)]
        kills = {"worker": 0, "coordinator": 0, "server": 0, "store": 0}
        begin = time.monotonic()
        coordinate = [*solve[1:], "--hub", url]
        output = folder / "output"
        with open(output, "wb") as out:
            coordinator = start(coordinate, out)
        while True:
            pause = chance.uniform(0.5, 3.0)
            try:
                status = coordinator.wait(pause)
                if status == 0:
                    break
                print(f"the coordinator ended with {status}: {(folder / 'log').read_bytes()[-500:].decode()}")
                return 1
            except subprocess.TimeoutExpired:
                pass
            if arguments.quiet:
                continue
            what = chance.choice(["worker", "worker", "worker", "coordinator", "server"])
            if what == "server" and not kills["store"] and kills["server"] >= 1:
                what = "store"
            kills[what] += 1
            if what == "worker":
                index = chance.randrange(len(workers))
                workers[index].kill()
                workers[index].wait()
                workers[index] = start(work)
            elif what == "coordinator":
                coordinator.kill()
                coordinator.wait()
                with open(output, "wb") as out:
                    coordinator = start(coordinate, out)
            else:
                if what == "store":
                    shutil.rmtree(folder / "hub" / "store", ignore_errors=True)
                os.kill(int((folder / "hub" / "nats.pid").read_text()), signal.SIGKILL)
        spent = time.monotonic() - begin
        for process in [*workers, hub]:
            process.terminate()
        for process in [*workers, hub]:
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
        equal = output.read_bytes() == here
        overhead = (spent - alone) / arguments.jobs * 1000
        killed = ", ".join(f"{count} x {what}" for what, count in kills.items())
        print(f"{arguments.jobs} jobs, {arguments.workers} workers: {spent:.1f} s over the hub, {alone:.1f} s without;"
              f" {overhead:.2f} ms more a job; killed: {killed}; output {'equal' if equal else 'DIFFERENT'}")
        return 0 if equal else 1


if __name__ == "__main__":
    sys.exit(main())
