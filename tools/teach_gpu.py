#!/usr/bin/env python3
"""Gives positions better scores: what a deep network makes of them that has seen all games about once.

    tsumugi train convert GAMES -o games.psv
    tsumugi train tensors games.psv --out games --shape "$SHAPE" --keep-noisy --score-limit 65535
    tsumugi train perturb GAMES -o beside.psv
    tsumugi train tensors beside.psv --out beside --shape "$SHAPE" --keep-noisy --score-limit 65535 --held-out 0
    tools/teach_gpu.py --games games --beside beside --out taught
    tools/train_gpu.py taught --shape "$SHAPE" --out net.float --result-share 0 --scale 800 --power 2 --epochs 6

A small network that learns from scores and results of its own games sees each pattern too seldom. A deep one (residual
blocks of convolutions, as engines of that kind have) learns more from the same games. It has to tell from the position
alone the result, the score of the search, the best move, and between result and score what later searches of the same
game thought: a score of a later ply counts for less by the factor DECAY with each ply, what remains at the end goes to
the result. Such mixtures know more than the score, which is short-sighted, and are less noisy than the result.

What the network says is then the score of each position, in games and beside them. It sees a position once, so that it
cannot know results by heart: after three times it did, and was useless for other games.

Networks that have learned can judge more positions, several of them together better than the best of them alone:

    tools/teach_gpu.py --teachers first.pt second.pt --slope 0.65 --ask 0.85 0.93 0.97 --beside beside --out taught

The folder of rows NAME of `--games` needs NAME.psv beside it, the same positions in the same order, game by game. With
`--follow` folders may still be on the way: one is read when there is a file NAME.ready beside it. While some are missing,
learning stops whenever fewer than `--spare` positions are unseen: a network that learned from one folder after the other,
each of ten thousand games, knew results by heart within a folder, for it saw all positions of a game in a short time.
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
# Of a player's king in one zone; features of all zones are those of the first with a number of times this added.
FEATURES = KING_FEATURES + SQUARES
# Planes of pieces as one side sees them: nine kinds of each side, the own king, the enemy's king.
PLANES = (KING_FEATURES - HAND_FEATURES) // SQUARES + 2
ROW_BYTES = 4 * ACTIVE + 8
PSV_BYTES = 40
# Byte columns of a row, and of the two that are put behind it: where the best move goes, and where it comes from.
SCORE, RESULT, PLY, MIRRORED, MOVE = 4 * ACTIVE, 4 * ACTIVE + 2, 4 * ACTIVE + 4, 4 * ACTIVE + 7, ROW_BYTES
PSV_PLY = 36
NO_MOVE = 255
DROPS = 7
SCORE_LIMIT = 2500
CHUNK = 32768
# In one file of what is written.
FILE_ROWS = 2_000_000
DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", nargs="+", type=Path, default=[], help="folders of `tsumugi train tensors` to learn from")
    parser.add_argument("--teachers", nargs="+", type=Path, default=[],
                        help="networks that --keep has written: their mean judges, nothing is learned")
    parser.add_argument("--beside", nargs="+", type=Path, default=[], help="folders of positions that have no scores")
    parser.add_argument("--out", required=True, type=Path, help="folder for the rows with new scores")
    parser.add_argument("--follow", action="store_true", help="wait for a file NAME.ready before a folder NAME is read")
    parser.add_argument("--spare", type=int, default=8_000_000,
                        help="so many unseen positions to choose from before learning goes on without folders that are missing")
    parser.add_argument("--expect", type=int, default=0, help="about so many positions will come in all, for the learning rate")
    parser.add_argument("--keep", type=Path, help="file for the network itself")
    parser.add_argument("--from", dest="start", type=Path, help="network to begin with, as --keep has written it")
    parser.add_argument("--channels", type=int, default=128)
    parser.add_argument("--blocks", type=int, default=8)
    parser.add_argument("--batch", type=int, default=4096)
    parser.add_argument("--lr", type=float, default=1.5e-3)
    parser.add_argument("--scale", type=float, default=800.0, help="score that the network counts as one")
    parser.add_argument("--slope", type=float, help="what such a score adds to the log odds of the result; fitted to games")
    parser.add_argument("--decays", nargs="+", type=float, default=[0.7, 0.85, 0.93, 0.97],
                        help="what a score of one ply later counts for, for each mixture of later scores")
    parser.add_argument("--ask", nargs="+", default=["result", "0.93", "0.97"],
                        help="what makes the new score, in equal parts: result, score, or decays")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    args.heads = ["result", "score", *map(str, args.decays)]
    if unknown := [name for name in args.ask if name not in args.heads]:
        parser.error(f"--ask {' '.join(unknown)}: expected some of {' '.join(args.heads)}")
    if bool(args.games) == bool(args.teachers):
        parser.error("expected either --games to learn from or --teachers that have learned")
    if args.teachers and not (args.slope and args.beside):
        parser.error("--teachers need the --slope of their games (told when they learned) and positions (--beside)")
    return args


def numbers(rows, column):
    """The 16-bit numbers of a column."""
    return rows[:, column : column + 2].contiguous().view(torch.int16).view(-1).long()


def features(rows):
    """What the side to move sees, whatever the zone of its king."""
    seen = rows[:, : 2 * ACTIVE].contiguous().view(torch.int16).view(-1, ACTIVE).long()
    return torch.where(seen < 0, seen, seen % FEATURES)


def best_moves(psv, mirrored):
    """Where best moves go and come from (81 and more: drops) as the side to move sees its board, mirrored or not."""
    head, move = numbers(psv, 0), numbers(psv, 34) & 0xFFFF
    white = (head & 1) == 1

    def seen(square):
        square = torch.where(white, SQUARES - 1 - square, square)
        return torch.where(mirrored, (8 - square // 9) * 9 + square % 9, square)

    to, origin, is_drop = move & 127, move >> 7 & 127, (move >> 14 & 1) == 1
    known = (move != 0) & (to < SQUARES) & torch.where(is_drop, (origin > 0) & (origin <= DROPS), origin < SQUARES)
    origin = torch.where(is_drop, SQUARES - 1 + origin, seen(origin))
    return torch.stack([torch.where(known, x, NO_MOVE) for x in (seen(to), origin)], 1).to(torch.uint8)


def rows_of(folder):
    parts = [np.fromfile(path, dtype=np.uint8) for path in sorted(folder.glob("rows-*.bin"))]
    if not parts:
        raise SystemExit(f"{folder}: no rows; expected a folder that `tsumugi train tensors` wrote")
    return torch.from_numpy(np.concatenate(parts).reshape(-1, ROW_BYTES)).to(DEVICE)


def is_near(rows):
    """Whether a position is worth learning from: decided ones are not."""
    return numbers(rows, SCORE).abs() <= SCORE_LIMIT


def points_of(rows):
    """Points of the side to move."""
    return (rows[:, RESULT].view(torch.int8).float() + 1) / 2


def later(odds, points, follows, decay):
    """For each position the points that this and later scores of its game promise, and the result beyond them.

    `follows` tells which positions come next in the game of the position before them.
    """
    starts = (~follows).nonzero().squeeze(1)
    ends = torch.cat([starts[1:], torch.tensor([len(follows)], device=DEVICE)])
    expected, promised = torch.sigmoid(odds), torch.empty_like(odds)
    # From the end of each game to its start, all games at once: what comes after a position, as its side sees it.
    after = points[ends - 1]
    for back in range(1, int((ends - starts).max()) + 1):
        games = (ends - starts >= back).nonzero().squeeze(1)
        at = ends[games] - back
        promised[at] = (1 - decay) * expected[at] + decay * after[games]
        after[games] = 1 - promised[at]
    return promised


def slope_of(rows, scale):
    """What a score of one `scale` adds to the log odds of the result."""
    score, points = numbers(rows, SCORE).float() / scale, points_of(rows)
    return min((k / 20 for k in range(2, 60)), key=lambda k: F.binary_cross_entropy_with_logits(k * score, points).item())


def is_there(folder, args):
    return not args.follow or folder.with_name(folder.name + ".ready").exists()


def wait_for(folder, args):
    while not is_there(folder, args):
        time.sleep(0.2)


def load(folder, slope, args):
    """Rows with best moves behind them, what they promise (see `Teacher`), and the slope where it is not given.

    Decided positions are left out.
    """
    rows = rows_of(folder)
    psv = np.fromfile(folder.with_name(folder.name + ".psv"), dtype=np.uint8)
    psv = torch.from_numpy(psv.reshape(-1, PSV_BYTES)).to(DEVICE)
    if len(psv) != len(rows):
        raise SystemExit(f"{folder}: {len(rows)} rows, but {len(psv)} positions in {folder.name}.psv: "
                         "write rows of all positions (--keep-noisy --score-limit 65535)")
    near = is_near(rows)
    slope = slope or slope_of(rows[near], args.scale)
    odds, points, ply = slope * numbers(rows, SCORE) / args.scale, points_of(rows), numbers(psv, PSV_PLY)
    follows = torch.zeros(len(rows), dtype=torch.bool, device=DEVICE)
    follows[1:] = (ply[1:] == ply[:-1] + 1) & (points[1:] == 1 - points[:-1])
    promised = [points, torch.sigmoid(odds), *(later(odds, points, follows, decay) for decay in args.decays)]
    rows = torch.cat([rows, best_moves(psv, rows[:, MIRRORED] > 0)], 1)
    return rows[near], torch.stack(promised, 1)[near].half(), slope


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
    """From a board: result, score and mixtures of later scores, all as log odds; and the move."""

    def __init__(self, channels, blocks, heads):
        super().__init__()
        self.stem, self.hands = nn.Conv2d(PLANES, channels, 3, padding=1), nn.Linear(HAND_FEATURES, channels)
        self.norm = nn.BatchNorm2d(channels)
        self.places = nn.Parameter(torch.zeros(1, channels, 9, 9))
        self.blocks = nn.Sequential(*[Block(channels) for _ in range(blocks)])
        self.narrow, self.narrow_norm = nn.Conv2d(channels, 32, 1), nn.BatchNorm2d(32)
        self.wide, self.values = nn.Linear(32 * SQUARES, 256), nn.Linear(256, heads)
        self.moves, self.drops = nn.Conv2d(channels, 2, 1), nn.Linear(channels, DROPS)
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
        # The last part is filled up: a part of another size would be compiled anew.
        parts = (torch.arange(at, at + CHUNK, device=DEVICE).clamp(max=len(rows) - 1) for at in range(0, len(rows), CHUNK))
        return torch.cat([self.look(rows[part])[0] for part in parts])[: len(rows)]


def move_loss(guess, goal):
    return F.cross_entropy(guess, torch.where(goal == NO_MOVE, -100, goal.long()))


def compiled(net, rows):
    """The network, compiled by now for learning and for judging: this takes half a minute, in which games may come."""
    if DEVICE == "cuda":
        values, to, origin = net.look(rows)
        (values.sum() + to.sum() + origin.sum()).backward()
        net.zero_grad(set_to_none=True)
        net.values_of(rows)
    return net


class Games:
    """Rows of all folders that are there, what they promise, and which the network may see and has not seen."""

    def __init__(self, args):
        self.args, self.missing, self.slope = args, list(args.games), args.slope
        self.rows, self.targets, self.unseen, self.examined = [], [], [], []
        self.read_first()

    def read_first(self):
        """Reads the first folder that is missing, when it is there."""
        folder = self.missing[0]
        wait_for(folder, self.args)
        rows, targets, self.slope = load(folder, self.slope, self.args)
        # Whole games, but for one, are kept for examination.
        start, count = len(self.rows), len(rows) - len(rows) // 50
        numbers = torch.arange(start, start + len(rows), device=DEVICE)
        parts = (self.rows, rows), (self.targets, targets), (self.unseen, numbers[:count]), (self.examined, numbers[count:])
        self.rows, self.targets, self.unseen, self.examined = (
            torch.cat([known, new]) if len(known) else new for known, new in parts)
        self.unseen = self.unseen[torch.randperm(len(self.unseen), device=DEVICE)]
        self.missing = self.missing[1:]

    def draw(self, count):
        """Positions that were not seen before; waits for folders if few of them are left."""
        while self.missing and (is_there(self.missing[0], self.args) or len(self.unseen) < self.args.spare):
            self.read_first()
        drawn, self.unseen = self.unseen[:count], self.unseen[count:]
        return drawn


def train(net, games, args):
    """Shows the network each position once, those of a game far from each other."""
    optimiser = torch.optim.AdamW(net.parameters(), lr=args.lr, weight_decay=0.02, fused=DEVICE == "cuda")
    # The score is the easiest to learn and shapes the whole, as do the mixtures together.
    weights = torch.tensor([1.0, 2.0] + [0.75] * len(args.decays), device=DEVICE)
    began, steps, reports = time.time(), 0, 0
    net.train()
    while len(chosen := games.draw(args.batch)) == args.batch:
        steps += 1
        left = max(len(games.unseen), args.expect - steps * args.batch if games.missing else 0) / args.batch
        part = steps / (steps + left)
        for group in optimiser.param_groups:
            group["lr"] = args.lr * min(1.0, steps / 200) * max(0.01, 1 - part)
        rows = games.rows[chosen]
        values, to, origin = net.look(rows)
        losses = F.binary_cross_entropy_with_logits(values, games.targets[chosen].float(), reduction="none").mean(0)
        of_move = move_loss(to, rows[:, MOVE]) + move_loss(origin, rows[:, MOVE + 1])
        loss = (weights * losses).sum() + 0.15 * of_move
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        optimiser.step()
        if part * 20 >= reports + 1:
            reports = int(part * 20)
            of_heads = ", ".join(f"{name} {x:.4f}" for name, x in zip(args.heads, losses.tolist()))
            print(f"{100 * part:5.1f} %  {steps * args.batch / 1e6:.1f} M, {len(games.unseen) / 1e6:.1f} M unseen, "
                  f"{time.time() - began:.0f} s  {of_heads}, move {of_move.item():.3f}", flush=True)


@torch.no_grad()
def judge(net, rows, slope, args):
    """How well results of unseen games are told, in cross entropy."""
    values, points = net.values_of(rows), points_of(rows)
    entropy = lambda odds: F.binary_cross_entropy_with_logits(odds, points).item()
    by_heads = ", ".join(f"{name} {entropy(values[:, k]):.4f}" for k, name in enumerate(args.heads))
    by_score = entropy(slope * numbers(rows, SCORE) / args.scale)
    print(f"results of games it has not seen, by the searched score {by_score:.4f}; by what it says: {by_heads}", flush=True)


@torch.no_grad()
def teach(nets, rows, slope, args):
    """The rows with new scores."""
    asked = [args.heads.index(name) for name in args.ask]
    said = (sum(net.values_of(part) for net in nets) / len(nets) for part in rows.split(32 * CHUNK))
    odds = torch.cat([values[:, asked].mean(1) for values in said])
    new = (odds / slope * args.scale).round().clamp(-SCORE_LIMIT, SCORE_LIMIT).to(torch.int16)
    rows = rows[:, :ROW_BYTES].clone()
    rows[:, SCORE : SCORE + 2] = new.view(-1, 1).view(torch.uint8)
    return rows


def write(rows, path):
    """The file is there whole or not at all."""
    part = path.with_suffix(".part")
    rows.cpu().numpy().tofile(part)
    part.rename(path)


def network(state, args):
    """A network on the card, compiled when it is first used; one that has learned has the sizes of its weights."""
    channels, blocks = args.channels, args.blocks
    if state:
        channels, blocks = state["stem.weight"].shape[0], sum(name.endswith(".first.weight") for name in state)
    net = Teacher(channels, blocks, len(args.heads))
    if state:
        net.load_state_dict(state)
    net = net.to(DEVICE).to(memory_format=torch.channels_last)
    if DEVICE == "cuda":
        net.compile()
    return net


def state_of(path):
    return torch.load(path, map_location="cpu")


def learn(args):
    """A network that has learned from the games, their rows, and the slope."""
    net = network(state_of(args.start) if args.start else None, args)
    games = Games(args)
    net = compiled(net, games.rows[: args.batch])
    train(net, games, args)
    examined = games.rows[games.examined]
    print(f"{len(games.rows)} positions, {len(examined)} of them for examination; a score of {args.scale:.0f} is {games.slope} of "
          "log odds", flush=True)
    judge(net, examined, games.slope, args)
    if args.keep:
        torch.save(net.state_dict(), args.keep)
    return net, games.rows, games.slope


def main():
    args = arguments()
    torch.manual_seed(args.seed)
    torch.backends.cuda.matmul.allow_tf32 = True
    torch.backends.cudnn.benchmark = True
    if args.teachers:
        nets, of_games, slope = [network(state_of(path), args) for path in args.teachers], [], args.slope
    else:
        net, rows, slope = learn(args)
        nets, of_games = [net], rows.split(FILE_ROWS)
    args.out.mkdir(parents=True, exist_ok=True)
    for number, part in enumerate([*of_games, *args.beside]):
        if isinstance(part, Path):
            wait_for(part, args)
            part = rows_of(part)
        write(teach(nets, part, slope, args), args.out / f"rows-{number:04}.bin")
    print(f"rows with new scores in {args.out}", flush=True)


if __name__ == "__main__":
    main()
