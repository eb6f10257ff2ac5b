#!/usr/bin/env python3
"""Trains an SFNN of mirrored piece-square features, for all zones of the own king or for each, on a GPU with PyTorch.

    tsumugi train tensors DATA... --shape "$SHAPE" --out ROWS
    tools/train_gpu.py ROWS... --shape "$SHAPE" --out net.float --epochs 30
    tsumugi train quantise net.float nn.bin

The float file is the one that `tsumugi train fit` writes: a line `tsumugi float net 1 SHAPE`, then little-endian f32
numbers: transformer [rows][width], its bias, and for each stack three layers, weights [out][in] before the bias.

All rows stay on the card. The positions of a batch are put in order of the zones of their kings, and those of a zone become
a matrix of zeros and ones, which is multiplied at the full speed of the card. With zones, weights are the sum of what a
feature is worth everywhere and of what its zone makes of it, so that zones seldom seen know what the others know. In the
last part of the run weights and activations are rounded on the way forward exactly as the engine rounds them, so that the
quantised network is the one that was trained.
"""

import argparse
import contextlib
import json
import math
import re
import sys
import time
from pathlib import Path

import numpy as np
import torch

ACTIVE = 40
ROW_BYTES = 4 * ACTIVE + 8
# Features of one zone; a column for the bias and one for no feature come after them, and some so that cards are quick.
ZONE = 1629
BIAS, NONE, COLUMNS = ZONE, ZONE + 1, (ZONE + 2 + 7) // 8 * 8
# The engine's units: sums of the first layer, its weights in files, activations, weights of the other layers.
SUM_ONE, WHOLE, ONE, WEIGHT_ONE = 254.0, 127.0, 127.0, 64.0
# Of the product of two sums in units of weights: an activation, in its units.
PRODUCT = (SUM_ONE / WHOLE) ** 2 / 512.0
SQUARE = (ONE * WEIGHT_ONE) ** 2 / 2.0**19 / ONE
MOST_WEIGHT = 127.0 / WEIGHT_ONE


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("rows", nargs="+", type=Path, help="folders of `tsumugi train tensors`")
    parser.add_argument("--shape", required=True, help="header text of the network")
    parser.add_argument("--out", required=True, type=Path, help="float network to write")
    parser.add_argument("--from", dest="start", type=Path, help="float network of the same shape to begin with")
    parser.add_argument("--epochs", type=float, default=30)
    parser.add_argument("--batch", type=int, default=16384)
    parser.add_argument("--lr", type=float, default=1e-3)
    parser.add_argument("--last-lr", type=float, default=2e-5)
    parser.add_argument("--weight-decay", type=float, default=0.01)
    parser.add_argument("--power", type=float, default=2.5, help="of the difference in the loss")
    parser.add_argument("--result-share", type=float, default=0.4, help="of the result in the target, against the score")
    parser.add_argument("--scale", type=float, default=600.0, help="score that means 73 %%")
    parser.add_argument("--fv-scale", type=float, default=16.0)
    parser.add_argument("--rounded-part", type=float, default=0.6, help="last part of the run that rounds as the engine")
    parser.add_argument("--mean-share", type=float, default=0.001, help="of the newest network in the mean of networks")
    parser.add_argument("--seconds", type=float, help="end after so long, if that comes first")
    parser.add_argument("--follow", action="store_true", help="look for new files of rows after each pass")
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args()


class Rows:
    """All rows on the card, and which of them are held out."""

    def __init__(self, folders, device):
        self.folders, self.device, self.known = folders, device, set()
        self.features = torch.empty(0, 2, ACTIVE, dtype=torch.int16, device=device)
        self.labels = torch.empty(0, ROW_BYTES - 4 * ACTIVE, dtype=torch.uint8, device=device)
        self.read_new()

    def read_new(self):
        """Reads files that were not there before."""
        paths = {path for folder in self.folders for path in folder.glob("rows-*.bin")} - self.known
        for path in sorted(paths):
            rows = np.fromfile(path, dtype=np.uint8)
            rows = torch.from_numpy(rows[: len(rows) // ROW_BYTES * ROW_BYTES].reshape(-1, ROW_BYTES)).to(self.device)
            features = rows[:, : 4 * ACTIVE].contiguous().view(torch.int16).view(-1, 2, ACTIVE)
            self.features = torch.cat([self.features, features])
            self.labels = torch.cat([self.labels, rows[:, 4 * ACTIVE :]])
        self.known |= paths
        held_out = self.labels[:, 6] > 0
        self.training, self.testing = (~held_out).nonzero().squeeze(1), held_out.nonzero().squeeze(1)[:400_000]

    def chosen(self, index):
        """Features, scores, results and stacks of these rows."""
        labels = self.labels[index]
        score, result = labels[:, 0:2].contiguous().view(torch.int16).view(-1).float(), labels[:, 2].view(torch.int8).float()
        return self.features[index], score, result, labels[:, 3].long()


def rounded(x, one, how):
    """`x` as the engine has it, with the gradient of `x`."""
    return x + (how(x * one) / one - x).detach()


class Sums(torch.autograd.Function):
    """For each line of features the sum of their weights and of the bias, of tables of weights one for each zone.

    Cards multiply numbers of 16 bits, whose eight digits hold the integers that weights are in the engine's units.
    """

    @staticmethod
    def forward(ctx, tables, bias, index):
        kind = torch.bfloat16 if index.is_cuda else torch.float32
        # The features of a line are all of one zone.
        zones, order = (index.amax(1) // ZONE).sort()
        ends = torch.bincount(zones, minlength=len(tables)).cumsum(0).tolist()
        spans = [slice(start, end) for start, end in zip([0, *ends], ends)]
        ones = torch.zeros(len(index), COLUMNS, device=index.device, dtype=kind)
        ones.scatter_(1, torch.where(index < 0, NONE, index % ZONE)[order], 1.0)
        ones[:, BIAS] = 1.0
        weights = torch.zeros(len(tables), COLUMNS, len(bias), device=index.device, dtype=kind)
        weights[:, :ZONE], weights[:, BIAS] = tables, bias
        sums = torch.empty(len(index), len(bias), device=index.device)
        sums[order] = torch.cat([ones[span] @ of_zone for span, of_zone in zip(spans, weights)]).float()
        ctx.save_for_backward(ones, order)
        ctx.spans = spans
        return sums

    @staticmethod
    def backward(ctx, gradient):
        ones, order = ctx.saved_tensors
        gradient = gradient.to(ones.dtype)[order]
        of_weights = torch.stack([ones[span].t() @ gradient[span] for span in ctx.spans]).float()
        return of_weights[:, :ZONE], of_weights[:, BIAS].sum(0), None


class Net(torch.nn.Module):
    def __init__(self, rows, width, hidden1, hidden2, stacks):
        super().__init__()
        self.rows, self.width, self.hidden1, self.hidden2, self.stacks = rows, width, hidden1, hidden2, stacks

        def uniform(*shape, bound):
            return torch.nn.Parameter((torch.rand(*shape) * 2 - 1) * bound)

        def alike(outputs, inputs):
            one = (torch.rand(1, outputs, inputs) * 2 - 1) / math.sqrt(inputs)
            return torch.nn.Parameter(one.repeat(stacks, 1, 1))

        self.transformer = uniform(min(rows, ZONE), width, bound=0.06)
        self.of_zones = torch.nn.Parameter(torch.zeros(rows, width)) if rows > ZONE else None
        self.transformer_bias = torch.nn.Parameter(torch.full((width,), 0.3))
        outputs = hidden1 + 1
        self.w1, self.b1 = alike(outputs, width), torch.nn.Parameter(torch.zeros(stacks, outputs))
        self.w2, self.b2 = alike(hidden2, 2 * hidden1), torch.nn.Parameter(torch.zeros(stacks, hidden2))
        self.w3, self.b3 = alike(1, hidden2), torch.nn.Parameter(torch.zeros(stacks, 1))

    def table(self):
        """The weights of all features."""
        if self.of_zones is None:
            return self.transformer
        return (self.transformer.repeat(self.rows // ZONE, 1) + self.of_zones).clamp(-MOST_WEIGHT, MOST_WEIGHT)

    def forward(self, features, stack, round_all):
        count = features.shape[0]
        table, bias = self.table(), self.transformer_bias
        w1, w2, w3 = self.w1, self.w2, self.w3
        if round_all:
            table, bias = (rounded(x, WHOLE, torch.round) for x in (table, bias))
            w1, w2, w3 = (rounded(w, WEIGHT_ONE, torch.round) for w in (w1, w2, w3))
        tables = table.view(-1, ZONE, self.width) * WHOLE
        # In units of weights, so that what is rounded down below is exact.
        sums = Sums.apply(tables, bias * WHOLE, features.reshape(count * 2, ACTIVE).long()).clamp(0, WHOLE)
        half = self.width // 2
        products = sums[:, :half] * sums[:, half:] * PRODUCT
        if round_all:
            products = rounded(products, 1.0, torch.floor)
        products = products.view(count, self.width) / ONE
        # A one for the stack of each position: looking it up instead takes cards far longer on the way back.
        chosen = torch.nn.functional.one_hot(stack, self.stacks).float()

        def layer(x, w, b):
            every = (x @ w.reshape(-1, w.shape[2]).t()).view(count, self.stacks, -1)
            return (every * chosen[:, :, None]).sum(1) + chosen @ b

        first = layer(products, w1, self.b1)
        hidden, shortcut = first[:, : self.hidden1], first[:, self.hidden1 :]
        squares, clipped = (hidden * hidden * SQUARE).clamp(max=1), hidden.clamp(0, 1)
        if round_all:
            squares, clipped = rounded(squares, ONE, torch.floor), rounded(clipped, ONE, torch.floor)
        second = layer(torch.cat([squares, clipped], 1), w2, self.b2).clamp(0, 1)
        if round_all:
            second = rounded(second, ONE, torch.floor)
        return (layer(second, w3, self.b3) + shortcut).squeeze(1)

    @torch.no_grad()
    def clip(self):
        self.transformer.clamp_(-MOST_WEIGHT, MOST_WEIGHT)
        for w in (self.w1, self.w2, self.w3):
            w.clamp_(-MOST_WEIGHT, MOST_WEIGHT)

    def arrays(self):
        yield self.table()
        yield self.transformer_bias
        for stack in range(self.stacks):
            for w, b in ((self.w1, self.b1), (self.w2, self.b2), (self.w3, self.b3)):
                yield w[stack]
                yield b[stack]

    def save(self, path, shape):
        part = path.with_suffix(".part")
        with open(part, "wb") as file:
            file.write(f"tsumugi float net 1 {shape}\n".encode())
            for array in self.arrays():
                file.write(array.detach().float().cpu().numpy().astype("<f4").tobytes())
        part.rename(path)

    @torch.no_grad()
    def read(self, path, shape):
        data = path.read_bytes()
        head, data = data.split(b"\n", 1)
        if head.decode() != f"tsumugi float net 1 {shape}":
            sys.exit(f"{path}: another shape: {head.decode()}")
        numbers = torch.from_numpy(np.frombuffer(data, dtype="<f4").copy())
        for array in self.arrays():
            array.copy_(numbers[: array.numel()].view(array.shape))
            if array.shape == (self.rows, self.width) and self.of_zones is not None:
                zones = array.view(-1, ZONE, self.width)
                self.transformer.copy_(zones.mean(0))
                self.of_zones.copy_((zones - self.transformer).view(array.shape))
            numbers = numbers[array.numel() :]


def sizes(shape):
    """Rows, width, hidden1, hidden2 and stacks of a header text."""
    found = re.search(r"\[(\d+)->(\d+)x2\],Network=SFNN_\w+?_\d+_(\d+)_(\d+).*LayerStack=(\d+)", shape)
    if not found or int(found[3]) % 8 != 7 or int(found[1]) > ZONE and int(found[1]) % ZONE != 0:
        sys.exit(f"only SFNN with a shortcut and features with zones can be trained here, not {shape}")
    return tuple(map(int, found.groups()))


def main():
    args = arguments()
    torch.manual_seed(args.seed)
    torch.backends.cuda.matmul.allow_tf32 = True
    device = "cuda" if torch.cuda.is_available() else "cpu"
    began = time.time()
    data = Rows(args.rows, device)
    if not len(data.training):
        sys.exit(f"{args.rows[0]}: no rows to learn from; expected files that `tsumugi train tensors` wrote")
    rows, width, hidden1, hidden2, stacks = sizes(args.shape)
    print(f"{len(data.training)} positions, {len(data.testing)} held out, {rows} x {width} - {hidden1} - {hidden2}, "
          f"loaded in {time.time() - began:.1f} s", flush=True)
    net = Net(rows, width, hidden1, hidden2, stacks).to(device)
    if args.start:
        net.read(args.start, args.shape)
    optimiser = torch.optim.AdamW(net.parameters(), lr=args.lr, weight_decay=args.weight_decay, fused=device == "cuda")
    value_one = ONE * WEIGHT_ONE / args.fv_scale
    share = args.result_share

    def loss_of(chosen, round_all):
        features, score, result, stack = data.chosen(chosen)
        out = net(features, stack, round_all) * value_one
        q = torch.sigmoid(out / args.scale)
        won = (result + 1) / 2
        p = share * won + (1 - share) * torch.sigmoid(score / args.scale)
        return (q - p).abs().pow(args.power).mean(), out, won

    @torch.no_grad()
    def test(round_all):
        total, right, judged = 0.0, 0, 0
        for chosen in data.testing.split(65536):
            loss, out, won = loss_of(chosen, round_all)
            total += loss.item() * len(chosen)
            decided = won != 0.5
            right += ((out > 0) == (won > 0.5))[decided].sum().item()
            judged += decided.sum().item()
        return total / max(len(data.testing), 1), right / max(judged, 1)

    steps = max(1, int(len(data.training) * args.epochs) // args.batch)
    began, step, reports, history, best = time.time(), 0, 0, [], math.inf
    part, order, at = 0.0, data.training[:0], 0
    mean, mean_steps = [p.detach().clone() for p in net.parameters()], 0

    @contextlib.contextmanager
    def averaged():
        last = [p.detach().clone() for p in net.parameters()]
        with torch.no_grad():
            torch._foreach_copy_(list(net.parameters()), mean)
        yield
        with torch.no_grad():
            torch._foreach_copy_(list(net.parameters()), last)

    while part < 1:
        if at + args.batch > len(order):
            if args.follow:
                data.read_new()
            order, at = data.training[torch.randperm(len(data.training), device=device)], 0
        chosen, at = order[at : at + args.batch], at + args.batch
        warm = min(1.0, (step + 1) / 500)
        lr = args.last_lr + (args.lr - args.last_lr) * (1 + math.cos(math.pi * part)) / 2
        for group in optimiser.param_groups:
            group["lr"] = lr * warm
        round_all = part >= 1 - args.rounded_part
        loss, _, _ = loss_of(chosen, round_all)
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        optimiser.step()
        net.clip()
        step += 1
        part = max(step / steps, (time.time() - began) / (args.seconds or math.inf))
        if round_all:
            torch._foreach_lerp_(mean, list(net.parameters()), max(args.mean_share, 1 / (1 + mean_steps)))
            mean_steps += 1
        if part * 20 >= reports + 1:
            reports = int(part * 20)
            held, sign = test(round_all)
            seconds = time.time() - began
            history.append({"step": step, "train": loss.item(), "held_out": held, "sign": sign, "lr": lr})
            print(f"{100 * min(part, 1):5.1f} %  loss {loss.item():.6f}  held out {held:.6f}  sign {100 * sign:.2f} %  lr {lr:.2e}  "
                  f"{len(data.training) / 1e6:.1f} M rows  {step * args.batch / seconds / 1e6:.2f} M/s  {seconds:.0f} s", flush=True)
            if round_all:
                # The best network is kept, the last one or the mean: the mean has less noise, but is not rounded as it learned.
                if held <= best:
                    best = held
                    net.save(args.out, args.shape)
                with averaged():
                    held, sign = test(True)
                    print(f"         mean of networks: held out {held:.6f}  sign {100 * sign:.2f} %", flush=True)
                    if held <= best:
                        best = held
                        net.save(args.out, args.shape)
    facts = {"positions": len(data.training), "visits": step * args.batch, "seed": args.seed, "result_share": share,
             "scale": args.scale, "power": args.power, "batch": args.batch, "lr": args.lr, "history": history}
    args.out.with_suffix(".json").write_text(json.dumps(facts, indent=1) + "\n")


if __name__ == "__main__":
    main()
