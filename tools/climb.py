#!/usr/bin/env python3
"""Climbs from one network to the next: games, training, quantising, a match; again and again.

    tools/climb.py --binary target/release/tsumugi --work DIR --openings FILE --steps 400:130:45:0.6 600:200:60:0.45

A step is NODES:SECONDS:TRAINING_SECONDS:RESULT_SHARE: so many nodes a move for so many seconds of games by the network of
the step before (material at first, or --start), then so long a training on the data of the last --window steps. While the
GPU trains, the cores go on playing; what they play belongs to the same step. A step that is cut short goes on when the
same command is given again.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
ZONES = "0" * 45


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--binary", required=True, type=Path)
    parser.add_argument("--work", required=True, type=Path)
    parser.add_argument("--openings", type=Path)
    parser.add_argument("--steps", nargs="+", required=True, metavar="NODES:SECONDS:TRAINING_SECONDS:RESULT_SHARE")
    parser.add_argument("--start", type=Path, help="network (nn.bin) to begin with; material without it")
    parser.add_argument("--start-float", type=Path, help="its float file, to train on from")
    parser.add_argument("--rows", nargs="*", type=Path, default=[], help="packs of earlier steps to train on, too")
    parser.add_argument("--first", type=int, default=0, help="number of the first step")
    parser.add_argument("--window", type=int, default=2, help="train on the data of so many steps")
    parser.add_argument("--width", type=int, default=512)
    parser.add_argument("--seed", type=int, default=100)
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--epochs", type=float, default=6)
    parser.add_argument("--lr", type=float, default=6e-4)
    parser.add_argument("--batch", type=int, default=4096)
    parser.add_argument("--games", type=int, default=0, help="games of the match after each step")
    parser.add_argument("--match-nodes", type=int, default=3000)
    return parser.parse_args()


def say(text):
    print(f"[{time.strftime('%H:%M:%S')}] {text}", flush=True)


def run(*words, **more):
    words = [str(word) for word in words]
    return subprocess.run(words, check=True, text=True, **more)


def main():
    args = arguments()
    args.work.mkdir(parents=True, exist_ok=True)
    shape = (f"ModelType=SFNNWithoutPsqt;Features=HalfKA_hm2_zones({ZONES})[1629->{args.width}x2],"
             f"Network=SFNN_HALFKAHM2ZONES_{args.width}_15_32_K3K3{{LayerStack=9}}")
    net, rows = args.start, []
    for number, packs in enumerate(args.rows):
        folder = args.work / f"rows-earlier{number}"
        run(args.binary, "train", "tensors", packs, "--shape", shape, "--out", folder)
        rows.append(folder)
    for number, step in enumerate(args.steps, args.first):
        nodes, seconds, training_seconds, share = step.split(":")
        data, folder, made = (args.work / f"{name}{number}" for name in ("data", "rows", "net"))
        made.mkdir(exist_ok=True)
        evaluation = ["--eval", net] if net else ["--material", "4"]
        generate = [args.binary, "train", "generate", "--out", data, "--nodes", nodes, "--seed", args.seed + number,
                    *evaluation, *(["--openings", args.openings] if args.openings else [])]
        say(f"step {number}: games by {net or 'material'}, {nodes} nodes a move, {seconds} s")
        run(*generate, "--seconds", seconds, "--threads", args.threads, stderr=subprocess.DEVNULL)
        stats = run(args.binary, "train", "stats", data, capture_output=True).stdout
        print(stats.split("\nscore")[0], flush=True)
        scale = re.search(r"^scale +(\d+)", stats, re.M)[1]
        # The data of the step before has grown while its network was trained.
        for source, target in ((args.work / f"data{number - 1}", args.work / f"rows{number - 1}"), (data, folder)):
            if source.exists():
                shutil.rmtree(target, ignore_errors=True)
                run(args.binary, "train", "tensors", source, "--shape", shape, "--out", target)
        rows.append(folder)
        say(f"step {number}: training, scale {scale}")
        more = subprocess.Popen([str(word) for word in generate] + ["--seconds", training_seconds, "--threads",
                                str(max(1, args.threads - 2))], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        start = args.start_float if number == args.first and args.start_float else None
        run(sys.executable, HERE / "train_gpu.py", *rows[-args.window:], "--shape", shape, "--out", made / "net.float",
            "--result-share", share, "--scale", scale, "--seconds", training_seconds, "--epochs", args.epochs,
            "--seed", args.seed + number, "--lr", args.lr, "--batch", args.batch, *(["--from", start] if start else []))
        more.terminate()
        more.wait()
        run(args.binary, "train", "quantise", made / "net.float", made / "nn.bin")
        if args.games:
            gate(args, net, made)
        net = made / "nn.bin"


def gate(args, old, made):
    """A match of the new network against the one before."""
    folder = made / "match"
    shutil.rmtree(folder, ignore_errors=True)
    new = f"option.EvalDir={made.resolve()}"
    before = [f"option.EvalDir={old.parent.resolve()}"] if old else ["option.EvalDir=nowhere"]
    opening = ["--openings", args.openings, "--shuffle"] if args.openings else []
    words = [args.binary, "match", "--engine", "name=new", f"cmd={args.binary.resolve()}", new, "option.FV_SCALE=16",
             "--engine", "name=old", f"cmd={args.binary.resolve()}", *before, "option.FV_SCALE=16", "--each",
             f"nodes={args.match_nodes}", "threads=1", "hash=16", "--games", args.games, "--concurrency", args.threads,
             *opening, "--out", folder]
    done = subprocess.run([str(word) for word in words], text=True, capture_output=True)
    say("match: " + " | ".join((done.stdout + done.stderr).strip().splitlines()[-6:]))


if __name__ == "__main__":
    main()
