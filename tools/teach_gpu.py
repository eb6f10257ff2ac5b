#!/usr/bin/env python3
"""Gives positions better scores: what two deep networks make of them, each judging the games that it has not seen.

    tsumugi train convert GAMES -o first.psv
    tsumugi train tensors first.psv --out first --shape "$SHAPE" --keep-noisy --score-limit 65535
    (the same for other games: second)
    tools/teach_gpu.py --first first --second second --out taught
    tools/train_gpu.py taught --shape "$SHAPE" --out net.float --result-share 0 --scale 800 --power 2 --epochs 4

A small network that learns from scores and results of its own games sees each pattern too seldom. A deep one (residual
blocks of convolutions, as engines of that kind have) learns more from the same games: it must tell the result from the
position, the result from position and score together, the score from the position, and the best move. What it then
says of games it never saw is a smoother and better teacher than the searched score alone. Half of the folders teach one
network and are judged by the other, so that no score holds the memory of its own game's result.

The folder of rows NAME needs NAME.psv beside it, the same positions in the same order: best moves are taken from there.
"""

import argparse
import time
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

ACTIVE = 40
SQUARES = 81
HAND_FEATURES = 90
KING_FEATURES = 1548
FEATURES = KING_FEATURES + SQUARES
# Planes of pieces as one side sees them: nine kinds of each side, the own king, the enemy's king.
PLANES = (KING_FEATURES - HAND_FEATURES) // SQUARES + 2
ROW_BYTES = 4 * ACTIVE + 8
PSV_BYTES = 40
# Byte columns of a row, and of the two that are put behind it: where the best move goes, and where it comes from.
SCORE, RESULT, PLY, MOVE = 4 * ACTIVE, 4 * ACTIVE + 2, 4 * ACTIVE + 4, ROW_BYTES
NO_MOVE = 255
DROPS = 7
SCORE_LIMIT = 2500
DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--first", required=True, nargs="+", type=Path, help="folders of `tsumugi train tensors`")
    parser.add_argument("--second", required=True, nargs="+", type=Path, help="folders of other games")
    parser.add_argument("--out", required=True, type=Path, help="folder for the rows with new scores")
    parser.add_argument("--seconds", type=float, default=130, help="training time of each network")
    parser.add_argument("--channels", type=int, default=128)
    parser.add_argument("--blocks", type=int, default=8)
    parser.add_argument("--batch", type=int, default=4096)
    parser.add_argument("--lr", type=float, default=1.5e-3)
    parser.add_argument("--scale", type=float, default=800.0, help="score that the networks count as one")
    parser.add_argument("--look-share", type=float, default=0.8,
                        help="share of what the position alone says in the new score, the corrected score having the rest")
    parser.add_argument("--look", choices=["value", "score"], default="value",
                        help="what is asked of the position alone: the result, or the score of a search")
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args()


def numbers(rows, column):
    """The 16-bit numbers of a column."""
    return rows[:, column : column + 2].contiguous().view(torch.int16).view(-1).long()


def features(rows):
    """What the side to move sees."""
    return rows[:, : 2 * ACTIVE].contiguous().view(torch.int16).view(-1, ACTIVE).long()


def best_moves(psv):
    """Where best moves go and come from (81 and more: drops) as the side to move sees its mirrored board."""
    head, move = numbers(psv, 0) & 0xFFFF, numbers(psv, 34) & 0xFFFF
    white, black_king, white_king = (head & 1) == 1, head >> 1 & 127, head >> 8 & 127
    king = torch.where(white, SQUARES - 1 - white_king, black_king)

    def seen(square):
        square = torch.where(white, SQUARES - 1 - square, square)
        return torch.where(king // 9 > 4, (8 - square // 9) * 9 + square % 9, square)

    to, origin, is_drop = move & 127, move >> 7 & 127, (move >> 14 & 1) == 1
    known = (move != 0) & (to < SQUARES) & torch.where(is_drop, (origin > 0) & (origin <= DROPS), origin < SQUARES)
    origin = torch.where(is_drop, SQUARES - 1 + origin, seen(origin))
    return torch.stack([torch.where(known, x, NO_MOVE) for x in (seen(to), origin)], 1).to(torch.uint8)


def load(folders):
    """Rows with best moves behind them, all on the card; decided positions are left out."""
    parts = []
    for folder in folders:
        rows = np.concatenate([np.fromfile(path, dtype=np.uint8) for path in sorted(folder.glob("rows-*.bin"))])
        rows = torch.from_numpy(rows.reshape(-1, ROW_BYTES)).to(DEVICE)
        psv = np.fromfile(folder.with_name(folder.name + ".psv"), dtype=np.uint8)
        psv = torch.from_numpy(psv.reshape(-1, PSV_BYTES)).to(DEVICE)
        if len(psv) != len(rows):
            raise SystemExit(f"{folder}: {len(rows)} rows, but {len(psv)} positions in {folder.name}.psv: "
                             "write rows of all positions (--keep-noisy --score-limit 65535)")
        moves = torch.cat([best_moves(part) for part in psv.split(1 << 22)])
        rows = torch.cat([rows, moves], 1)
        parts.append(rows[numbers(rows, SCORE).abs() <= SCORE_LIMIT])
    return torch.cat(parts)


def boards(rows):
    """Planes of pieces, and pieces in hand, as the side to move sees them."""
    seen, black = features(rows), numbers(rows, PLY) % 2 == 1
    # Both kings share a plane of features, Black's comes first; the enemy's gets a plane of its own.
    enemy = torch.stack([~black, black], 1)
    seen[:, -2:] = torch.where(enemy & (seen[:, -2:] >= 0), seen[:, -2:] + SQUARES, seen[:, -2:])
    end = FEATURES + SQUARES
    kind = torch.bfloat16 if DEVICE == "cuda" else torch.float32
    table = torch.zeros(len(rows), end + 1, device=rows.device, dtype=kind)
    table.scatter_(1, torch.where(seen < 0, end, seen), 1.0)
    planes = table[:, HAND_FEATURES:end].view(-1, PLANES, 9, 9)
    return planes.contiguous(memory_format=torch.channels_last), table[:, :HAND_FEATURES]


class Block(nn.Module):
    """Two convolutions beside a shortcut, channels weighted by their means."""

    def __init__(self, channels):
        super().__init__()
        self.first, self.second = (nn.Conv2d(channels, channels, 3, padding=1, bias=False) for _ in range(2))
        self.first_norm, self.second_norm = (nn.BatchNorm2d(channels) for _ in range(2))
        self.weigh = nn.Linear(channels, channels)
        nn.init.zeros_(self.second_norm.weight)

    def forward(self, x):
        inner = F.relu(self.first_norm(self.first(x)))
        inner = inner * torch.sigmoid(self.weigh(inner.mean((2, 3))))[:, :, None, None] * 2
        return F.relu(x + self.second_norm(self.second(inner)))


class Teacher(nn.Module):
    """From a board: the result, what the score does not tell of the result, the score (all as log odds); the move."""

    def __init__(self, channels, blocks):
        super().__init__()
        self.stem, self.hands = nn.Conv2d(PLANES, channels, 3, padding=1), nn.Linear(HAND_FEATURES, channels)
        self.norm = nn.BatchNorm2d(channels)
        self.places = nn.Parameter(torch.zeros(1, channels, 9, 9))
        self.blocks = nn.Sequential(*[Block(channels) for _ in range(blocks)])
        self.narrow, self.narrow_norm = nn.Conv2d(channels, 32, 1), nn.BatchNorm2d(32)
        self.wide, self.values = nn.Linear(32 * SQUARES, 256), nn.Linear(256, 3)
        self.moves, self.drops = nn.Conv2d(channels, 2, 1), nn.Linear(channels, DROPS)
        # What a score of one `scale` adds to the log odds of the result.
        self.slope = nn.Parameter(torch.tensor(0.65))
        nn.init.zeros_(self.values.weight)
        nn.init.zeros_(self.values.bias)

    def forward(self, planes, hands):
        x = self.blocks(F.relu(self.norm(self.stem(planes) + self.hands(hands)[:, :, None, None] + self.places)))
        squares = self.moves(x).flatten(2)
        origins = torch.cat([squares[:, 1], self.drops(x.mean((2, 3)))], 1)
        narrow = F.relu(self.narrow_norm(self.narrow(x))).flatten(1)
        return self.values(F.relu(self.wide(narrow))).float(), squares[:, 0].float(), origins.float()

    def look(self, rows):
        with torch.autocast("cuda", dtype=torch.bfloat16, enabled=DEVICE == "cuda"):
            return self(*boards(rows))

    @torch.no_grad()
    def values_of(self, rows):
        self.eval()
        return torch.cat([self.look(part)[0] for part in rows.split(32768)])


def labels(rows, scale):
    """Scores in units of the scale, and points of the side to move."""
    return numbers(rows, SCORE).float() / scale, (rows[:, RESULT].view(torch.int8).float() + 1) / 2


def move_loss(guess, goal):
    return F.cross_entropy(guess, torch.where(goal == NO_MOVE, -100, goal.long()))


def train(rows, args, name):
    torch.manual_seed(args.seed)
    net = Teacher(args.channels, args.blocks).to(DEVICE).to(memory_format=torch.channels_last)
    optimiser = torch.optim.AdamW(net.parameters(), lr=args.lr, weight_decay=0.02, fused=DEVICE == "cuda")
    began, step, at, order, told = time.time(), 0, len(rows), None, 0.2
    while (part := (time.time() - began) / args.seconds) < 1:
        if at + args.batch > len(rows):
            order, at = torch.randperm(len(rows), device=DEVICE), 0
        chosen, at = rows[order[at : at + args.batch]], at + args.batch
        for group in optimiser.param_groups:
            group["lr"] = args.lr * min(1.0, (step + 1) / 200) * max(0.01, 1 - part)
        score, points = labels(chosen, args.scale)
        values, to, origin = net.look(chosen)
        by_look = F.binary_cross_entropy_with_logits(values[:, 0], points)
        by_score = F.binary_cross_entropy_with_logits(net.slope * score + values[:, 1], points)
        of_score = (torch.sigmoid(values[:, 2]) - torch.sigmoid(score)).square().mean()
        of_move = move_loss(to, chosen[:, MOVE]) + move_loss(origin, chosen[:, MOVE + 1])
        loss = 0.5 * by_look + by_score + 10 * of_score + 0.15 * of_move + 1e-3 * values[:, 1].square().mean()
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        optimiser.step()
        step += 1
        if step % 50 == 0 and DEVICE == "cuda":
            torch.cuda.synchronize()
        if part >= told:
            told += 0.2
            print(f"{name} {100 * part:3.0f} %  {step * args.batch / 1e6:.1f} M positions, "
                  f"{step * args.batch / (time.time() - began) / 1e3:.0f} k/s  result {by_look.item():.4f}, "
                  f"with the score {by_score.item():.4f}, score {of_score.item():.5f}, move {of_move.item():.3f}",
                  flush=True)
    return net


@torch.no_grad()
def judge(net, rows, args, name):
    """How well results of unseen games are told, in cross entropy."""
    rows = rows[torch.randperm(len(rows), device=DEVICE)[:200_000]]
    values, (score, points) = net.values_of(rows), labels(rows, args.scale)
    entropy = lambda odds: F.binary_cross_entropy_with_logits(odds, points).item()
    alone = min(entropy(score * slope / 20) for slope in range(2, 40))
    print(f"{name}, games it has not seen: results by the score {alone:.4f}, by the position "
          f"{entropy(values[:, 0]):.4f}, by both {entropy(net.slope * score + values[:, 1]):.4f}", flush=True)


@torch.no_grad()
def teach(net, rows, args):
    """The rows with new scores."""
    values, (score, _) = net.values_of(rows), labels(rows, args.scale)
    corrected = score + values[:, 1] / net.slope
    look = values[:, 0] / net.slope if args.look == "value" else values[:, 2]
    new = ((1 - args.look_share) * corrected + args.look_share * look) * args.scale
    rows = rows[:, :ROW_BYTES].clone()
    new = new.round().clamp(-SCORE_LIMIT, SCORE_LIMIT).to(torch.int16)
    rows[:, SCORE : SCORE + 2] = new.view(-1, 1).view(torch.uint8)
    return rows


def main():
    args = arguments()
    torch.backends.cuda.matmul.allow_tf32 = True
    torch.backends.cudnn.benchmark = True
    halves = [load(args.first), load(args.second)]
    print(f"{len(halves[0])} and {len(halves[1])} positions", flush=True)
    args.out.mkdir(parents=True, exist_ok=True)
    for number, name in enumerate(("first", "second")):
        unseen = halves[1 - number]
        net = train(halves[number], args, name)
        judge(net, unseen, args, name)
        path = args.out / f"rows-{1 - number:04}.bin"
        part = path.with_suffix(".part")
        teach(net, unseen, args).cpu().numpy().tofile(part)
        part.rename(path)
    print(f"rows with new scores in {args.out}")


if __name__ == "__main__":
    main()
