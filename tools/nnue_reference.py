#!/usr/bin/env python3
"""A slow NNUE evaluation, written independently of the Rust one and from the documents only.

    nnue_reference.py eval NN.BIN [--fv-scale N]             < sfens, one a line    -> values
    nnue_reference.py compare NN.BIN VALUES.tsv [--fv-scale N]  lines "sfen<TAB>value" of another program
    nnue_reference.py write SHAPE SEED OUT.BIN               a network of pseudo-random numbers
    nnue_reference.py vectors SHAPE SEED                     < sfens  -> JSON lines for testdata/nnue, unscaled

SHAPE is the name of an architecture, such as halfkp_256x2-32-32 or sfnn_halfkahm2_1536_15_32_k3k3; features with
king zones are called halfkahm2zones(MAP), MAP being 45 digits of base 36, and +lean if boards with a king on the middle file
are mirrored where the other pieces are more on the left. `vectors` never builds the network: every number is computed from its place when it is needed.
"""
import argparse
import json
import math
import re
import struct
import sys

KING, ENEMY_KING, ALL = 1548, 1629, 1710
FEATURES = {  # word: (name in headers, hash, inputs)
    "kp": ("K+P", None, ALL),
    "ka2": ("K+A2", None, ENEMY_KING + 162),
    "halfkp": ("HalfKP(Friend)", 0x5D69D5B8, 81 * KING),
    "halfkpe9": ("HalfKPE9(Friend)", 0x5D69D5B8, 9 * 81 * KING),
    "halfkpvm": ("HalfKP_vm(Friend)", 0x0B6B1D9A, 45 * KING),
    "halfka1": ("HalfKA1(Friend)", 0x5F134CB8, 81 * ALL),
    "halfkahm1": ("HalfKA_hm1(Friend)", 0x7F134CB8, 45 * ALL),
    "halfka2": ("HalfKA2(Friend)", 0x5F234CB8, 81 * ENEMY_KING),
    "halfkahm2": ("HalfKA_hm2(Friend)", 0x7F234CB8, 45 * ENEMY_KING),
}
ZONES = re.compile(r"halfkahm2zones\(([0-9a-z]{45})(\+lean)?\)")


def zones(feature):
    """The zone of each square of files 1 to 5, or None."""
    found = ZONES.fullmatch(feature)
    return found and [int(digit, 36) for digit in found[1]]


def leans(feature):
    found = ZONES.fullmatch(feature)
    return bool(found and found[2])


def feature_facts(feature):
    """(name in headers, hash, inputs)"""
    if not zones(feature):
        return FEATURES[feature]
    hashed = 0x811C9DC5
    for zone in zones(feature):
        hashed = (hashed ^ zone) * 0x01000193 & 0xFFFFFFFF
    if leans(feature):
        hashed = (hashed ^ 0xFF) * 0x01000193 & 0xFFFFFFFF
    name = "HalfKA_hm2_zones" + feature[len("halfkahm2zones"):]
    return name, 0x7F234CB8 ^ hashed, (max(zones(feature)) + 1) * ENEMY_KING


HANDS = {"": 1, "hand4": 2, "hand16": 4, "hand64": 8, "hand64z": 8, "hand256": 16, "hand1024": 32}
KINGS = {"": 1, "k3k3": 3, "k9k9": 9, "k9k9z": 9, "k13k13z": 13, "k21k21": 21, "k29k29": 29}
M64 = (1 << 64) - 1


def pad32(n):
    return (n + 31) // 32 * 32


# ---------------------------------------------------------------- shapes


class Shape:
    def __init__(self, feature, width, h1, h2, sfnn=False, hands="", kings="", progress=1, shards=None):
        self.feature, self.width, self.h1, self.h2, self.sfnn = feature, width, h1, h2, sfnn
        self.hands, self.kings, self.progress, self.shards = hands, kings, progress, shards
        self.inputs = feature_facts(feature)[2]
        self.shortcut = sfnn and h1 % 8 == 7
        self.stacks = HANDS[hands] ** 2 * KINGS[kings] ** 2 * progress
        if sfnn:
            self.layers = [(width, h1 + self.shortcut), (2 * h1, h2), (h2, 1)]
        else:
            self.layers = [(2 * width, h1), (h1, h2), (h2, 1)]

    @staticmethod
    def parse(name):
        words = re.split(r"[-_]", name.lower())
        if not words[0].startswith("sfnn"):
            width = words[1].split("x")
            assert width[1] == "2"
            return Shape(words[0], int(width[0]), int(words[2]), int(words[3]))
        shape = dict(feature=words[1], width=int(words[2]), h1=int(words[3]), h2=int(words[4]), sfnn=True)
        for word in words[5:]:
            if word in HANDS:
                shape["hands"] = word
            elif word in KINGS:
                shape["kings"] = word
            elif word.startswith("progress"):
                shape["progress"] = int(word[8:])
            elif word.startswith("c"):
                shape["shards"] = (int(word[1:]),)
            elif word.startswith("s"):
                size, groups = word[1:].split("x")
                shape["shards"] += (int(size), int(groups))
            else:
                raise ValueError(word)
        return Shape(**shape)

    @staticmethod
    def from_header(text):
        text = text.split(" {")[0]  # facts about the network may follow
        found = re.fullmatch(r"(ModelType=SFNNWithoutPsqt;)?Features=(.*?)\[(\d+)->(\d+)x2\],Network=(.*)", text)
        name, dims, width, network = found[2], int(found[3]), int(found[4]), found[5]
        if name.startswith("HalfKA_hm2_zones"):
            feature = "halfkahm2zones" + name[len("HalfKA_hm2_zones"):]
            assert feature_facts(feature)[2] == dims
        else:
            feature = next(word for word, (_, _, inputs) in FEATURES.items() if inputs == dims)
        if found[1]:
            network = network.split("{")[0].lower().replace("halfkahm2zones", feature)
            network = network.replace("sfnn-1536", "SFNN-1536")
            return Shape.parse("sfnn_halfkahm2_1536_15_32_k3k3" if network == "SFNN-1536" else network)
        layers = [(int(a), int(b)) for a, b in re.findall(r"\[(\d+)<-(\d+)\]", network)]
        return Shape(feature, width, layers[2][0], layers[1][0])

    def header(self):
        name, _, dims = feature_facts(self.feature)
        text = f"Features={name}[{dims}->{self.width}x2],Network="
        if not self.sfnn:
            w, a, b = 2 * self.width, self.h1, self.h2
            return text + (f"AffineTransform[1<-{b}](ClippedReLU[{b}](AffineTransform[{b}<-{a}](ClippedReLU[{a}]("
                           f"AffineTransform[{a}<-{w}](InputSlice[{w}(0:{w})])))))")
        words = ["SFNN", self.feature.split("(")[0], str(self.width), str(self.h1), str(self.h2)]
        if self.shards:
            words += [f"c{self.shards[0]}", f"s{self.shards[1]}x{self.shards[2]}"]
        words += [self.hands, self.kings, f"progress{self.progress}" if self.progress > 1 else ""]
        network = "_".join(word for word in words if word).upper()
        if network == "SFNN_HALFKAHM2_1536_15_32_K3K3":
            network = "SFNN-1536"
        return "ModelType=SFNNWithoutPsqt;" + text + network + "{LayerStack=%d}" % self.stacks

    def hashes(self):
        """(whole, transformer, network)"""
        m = 0xFFFFFFFF
        if self.sfnn:
            return 0x3C203B32 ^ (0x6F50524F if self.progress > 1 else 0), 0x5F134AB8, 0x6333718A
        k = 0xD3CEE169
        tail = {"kp": 0x764CFB4B, "ka2": 0xA20DCB9B}.get(self.feature)
        raw = feature_facts(self.feature)[1] if tail is None else k ^ (tail << 1 & m) ^ (tail >> 31)
        h = 0xEC42E90D ^ (2 * self.width)
        for i, (_, outputs) in enumerate(self.layers):
            if i > 0:
                h = (0x538D24C7 + h) & m
            h = (0xCC03DAE4 + outputs) & m ^ (h >> 1) ^ (h << 31 & m)
        transformer = raw ^ (2 * self.width)
        return transformer ^ h, transformer, h


# ---------------------------------------------------------------- networks: numbers by place


def splitmix64(seed, index):
    z = (seed + index * 0x9E3779B97F4A7C15) & M64
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & M64
    z = (z ^ z >> 27) * 0x94D049BB133111EB & M64
    return z ^ z >> 31


class RandomNet:
    """Numbers computed from their place in the file (padding not counted), counted from 1."""

    def __init__(self, shape, seed):
        self.shape, self.seed = shape, seed
        self.scale = 2 if shape.sfnn else 1
        self.progress_base = shape.width * (1 + shape.inputs)
        self.layer_base = self.progress_base + (1 + 81 * KING if shape.progress > 1 else 0)
        self.stack_size = sum(outputs * (1 + inputs) for inputs, outputs in shape.layers)
        self.rows = {}

    def number(self, place, limit):
        return splitmix64(self.seed, place + 1) % (2 * limit + 1) - limit

    def row(self, feature):
        """-1 is the bias."""
        if feature not in self.rows:
            start = (feature + 1) * self.shape.width
            limit = 100 if feature < 0 else 20
            self.rows[feature] = [self.number(start + i, limit) * self.scale for i in range(self.shape.width)]
        return self.rows[feature]

    def progress_bias(self):
        return self.number(self.progress_base, 1 << 16)

    def progress_weight(self, king, piece):
        return self.number(self.progress_base + 1 + king * KING + piece, 1 << 14)

    def layer(self, stack, which):
        """(bias list, rows)"""
        start = self.layer_base + stack * self.stack_size
        start += sum(outputs * (1 + inputs) for inputs, outputs in self.shape.layers[:which])
        inputs, outputs = self.shape.layers[which]
        bias = [self.number(start + i, 4000) for i in range(outputs)]
        start += outputs
        rows = [[self.number(start + o * inputs + i, 127) for i in range(inputs)] for o in range(outputs)]
        return bias, keep_shards(self.shape, which, rows)


def keep_shards(shape, which, rows):
    if which == 0 and shape.shards:
        common, size, groups = shape.shards
        for o, row in enumerate(rows):
            first = common + o // (len(rows) // groups) * size
            for i in range(common, len(row)):
                if not first <= i < first + size:
                    row[i] = 0
    return rows


class FileNet:
    def __init__(self, path):
        data = open(path, "rb").read()
        version, _, length = struct.unpack_from("<III", data)
        assert version == 0x7AF32F16, hex(version)
        self.shape = shape = Shape.from_header(data[12:12 + length].decode())
        assert struct.unpack_from("<I", data, 4)[0] == shape.hashes()[0], "hash"
        place = 12 + length + 4
        count = shape.width * (shape.inputs + 1)
        if shape.sfnn:
            numbers, place = [], place
            for block in (shape.width, count - shape.width):
                assert data[place:place + 17] == b"COMPRESSED_LEB128"
                size = struct.unpack_from("<I", data, place + 17)[0]
                place += 21
                numbers += [2 * n for n in unpack_leb128(data[place:place + size], block)]
                place += size
            self.transformer = numbers
        else:
            self.transformer = memoryview(data)[place:place + 2 * count].cast("h")
            place += 2 * count
        if shape.progress > 1:
            self.progress = struct.unpack_from(f"<{1 + 81 * KING}i", data, place + 4)
            place += 4 + 4 * len(self.progress)
        self.stacks = []
        for _ in range(shape.stacks):
            place += 4
            layers = []
            for which, (inputs, outputs) in enumerate(shape.layers):
                bias = struct.unpack_from(f"<{outputs}i", data, place)
                place += 4 * outputs
                rows = []
                for _ in range(outputs):
                    rows.append(list(struct.unpack_from(f"{inputs}b", data, place)))
                    place += pad32(inputs)
                layers.append((bias, keep_shards(shape, which, rows)))
            self.stacks.append(layers)
        assert place == len(data), (place, len(data))

    def row(self, feature):
        start = (feature + 1) * self.shape.width
        return self.transformer[start:start + self.shape.width]

    def progress_bias(self):
        return self.progress[0]

    def progress_weight(self, king, piece):
        return self.progress[1 + king * KING + piece]

    def layer(self, stack, which):
        return self.stacks[stack][which]


def unpack_leb128(data, count):
    numbers, value, shift = [], 0, 0
    for byte in data:
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            numbers.append(value - (1 << shift) if byte & 64 else value)
            value = shift = 0
    assert len(numbers) == count
    return numbers


def pack_leb128(numbers):
    out = bytearray()
    for n in numbers:
        while not -64 <= n < 64:
            out.append(n & 127 | 128)
            n >>= 7
        out.append(n & 127)
    return b"COMPRESSED_LEB128" + struct.pack("<I", len(out)) + bytes(out)


def write_net(net, path):
    shape = net.shape
    whole, transformer, network = shape.hashes()
    text = shape.header().encode()
    with open(path, "wb") as out:
        out.write(struct.pack("<III", 0x7AF32F16, whole, len(text)) + text + struct.pack("<I", transformer))
        if shape.sfnn:
            out.write(pack_leb128(n // 2 for n in net.row(-1)))
            out.write(pack_leb128(n // 2 for f in range(shape.inputs) for n in net.row(f)))
        else:
            for feature in range(-1, shape.inputs):
                out.write(struct.pack(f"<{shape.width}h", *net.row(feature)))
                net.rows.clear()
        if shape.progress > 1:
            table = [net.progress_weight(k, p) for k in range(81) for p in range(KING)]
            out.write(struct.pack(f"<Ii{81 * KING}i", 0x6F50524F, net.progress_bias(), *table))
        for stack in range(shape.stacks):
            out.write(struct.pack("<I", network))
            for which, (inputs, outputs) in enumerate(shape.layers):
                bias, rows = net.layer(stack, which)
                out.write(struct.pack(f"<{outputs}i", *bias))
                for row in rows:
                    out.write(struct.pack(f"{inputs}b", *row).ljust(pad32(inputs), b"\0"))


# ---------------------------------------------------------------- positions

PLANE = {"P": 0, "L": 1, "N": 2, "S": 3, "G": 4, "+P": 4, "+L": 4, "+N": 4, "+S": 4, "B": 5, "+B": 6, "R": 7,
         "+R": 8, "K": 9}
HAND = {"P": (1, 20, 18), "L": (39, 44, 4), "N": (49, 54, 4), "S": (59, 64, 4), "G": (69, 74, 4),
        "B": (79, 82, 2), "R": (85, 88, 2)}
GOLD = [(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (0, 1)]
DIAGONAL, STRAIGHT = [(-1, -1), (1, -1), (-1, 1), (1, 1)], [(0, -1), (-1, 0), (1, 0), (0, 1)]
STEPS = {"P": [(0, -1)], "N": [(-1, -2), (1, -2)], "S": [(0, -1)] + DIAGONAL, "G": GOLD, "+P": GOLD,
         "+L": GOLD, "+N": GOLD, "+S": GOLD, "K": DIAGONAL + STRAIGHT, "+B": STRAIGHT, "+R": DIAGONAL}
LEANING = [["R", "+R"], ["B", "+B"], ["G"], ["S"], ["N"], ["L"], ["P"]]
KINDS = ["", "P", "L", "N", "S", "B", "R", "G", "K", "+P", "+L", "+N", "+S", "+B", "+R"]
SLIDES = {"L": [(0, -1)], "B": DIAGONAL, "+B": DIAGONAL, "R": STRAIGHT, "+R": STRAIGHT}


class Board:
    """Colour 0 is Black. Squares are 9 * file + rank, both from 0."""

    def __init__(self, sfen):
        board, side, hands = sfen.split()[:3]
        self.side = "bw".index(side)
        self.pieces = {}
        for rank, row in enumerate(board.split("/")):
            file = 8
            for token in re.findall(r"\+?[A-Za-z]|\d", row):
                if token.isdigit():
                    file -= int(token)
                else:
                    self.pieces[9 * file + rank] = (int(token.islower()), token.upper())
                    file -= 1
        self.hands = [{}, {}]
        for count, letter in re.findall(r"(\d*)([A-Za-z])", hands.replace("-", "")):
            self.hands[int(letter.islower())][letter.upper()] = int(count or 1)
        self.kings = [None, None]
        for square, (colour, kind) in self.pieces.items():
            if kind == "K":
                self.kings[colour] = square

    def king(self, colour):
        """Seen from its owner."""
        square = self.kings[colour]
        return 44 if square is None else 80 - square if colour else square

    def leans_left(self, view):
        """Whether there is more on the left of `view`: of the enemy's king, or else of own rooks, enemy rooks, bishops ..."""
        seen = {80 - square if view else square: (colour != view, kind) for square, (colour, kind) in self.pieces.items()}
        left = lambda square: (square // 9 > 4) - (square // 9 < 4)
        for theirs, kinds in [(1, ["K"])] + [(theirs, kinds) for kinds in LEANING for theirs in (0, 1)]:
            weight = sum(left(square) for square, piece in seen.items() if piece[0] == theirs and piece[1] in kinds)
            if weight:
                return weight > 0
        for square in range(81):
            images = [seen.get(9 * file + square % 9) for file in (8 - square // 9, square // 9)]
            far, near = [0 if piece is None else 1 + 2 * KINDS.index(piece[1]) + (not piece[0]) for piece in images]
            if far != near:
                return far > near
        return False

    def list(self, view):
        """[(number, square or None)] of all pieces but the kings; missing ones as 0."""
        out, total = [], 0
        for square, (colour, kind) in self.pieces.items():
            if kind != "K":
                seen = 80 - square if view else square
                out.append((90 + 81 * (2 * PLANE[kind] + (colour != view)) + seen, square))
        total = len(out)
        for colour in (0, 1):
            for kind, count in self.hands[colour].items():
                base, most = HAND[kind][colour != view], HAND[kind][2]
                out += [(base + i, None) for i in range(min(count, most))]
                total += count
        return out + [(0, None)] * max(0, 38 - total)

    def king_numbers(self, view):
        """Numbers of both kings; None where there is none."""
        out = []
        for colour, square in enumerate(self.kings):
            seen = None if square is None else 80 - square if view else square
            out.append(None if seen is None else KING + 81 * (colour != view) + seen)
        return out

    def attacks(self, target, colour):
        count = 0
        for square, (owner, kind) in self.pieces.items():
            if owner != colour:
                continue
            sign = -1 if colour else 1
            file, rank = divmod(square, 9)
            for df, dr in STEPS.get(kind, []):
                f, r = file + sign * df, rank + sign * dr
                count += 0 <= f < 9 and 0 <= r < 9 and 9 * f + r == target
            for df, dr in SLIDES.get(kind, []):
                f, r = file + sign * df, rank + sign * dr
                while 0 <= f < 9 and 0 <= r < 9:
                    if 9 * f + r == target:
                        count += 1
                    if 9 * f + r in self.pieces:
                        break
                    f, r = f + sign * df, r + sign * dr
        return count


def mirror(king, number, turned):
    if king < 45 and not turned:
        return king, number
    king = min(king, 9 * (8 - king // 9) + king % 9)
    if number >= 90:
        plane, square = divmod(number - 90, 81)
        number = 90 + 81 * plane + 9 * (8 - square // 9) + square % 9
    return king, number


def fold(number):
    return number - 81 if number >= ENEMY_KING else number


def active(feature, board, view):
    king = board.king(view)
    pieces = board.list(view)
    kings = [0 if n is None else n for n in board.king_numbers(view)]
    numbers = [n for n, _ in pieces]
    if feature == "kp":
        return numbers + kings
    if feature == "ka2":
        return [fold(n) for n in numbers + kings] + [n + 81 for n in kings]
    if feature == "halfkpe9":
        out = []
        for n, square in pieces:
            code = 0
            if square is not None:
                code = 3 * min(2, board.attacks(square, view)) + min(2, board.attacks(square, 1 - view))
            out.append(king * KING + n + 81 * KING * code)
        return out
    size = {"halfkp": KING, "halfkpvm": KING, "halfka1": ALL, "halfkahm1": ALL}.get(feature, ENEMY_KING)
    if "ka" in feature:
        numbers += kings
    out = []
    turned = leans(feature) and king // 9 == 4 and board.leans_left(view)
    for n in numbers:
        mirrors = feature in ("halfkpvm", "halfkahm1", "halfkahm2") or zones(feature)
        k, n = mirror(king, n, turned) if mirrors else (king, n)
        k = zones(feature)[k] if zones(feature) else k
        out.append(k * size + (fold(n) if size == ENEMY_KING else n))
    return out


# ---------------------------------------------------------------- buckets


def hand_bucket(kind, hand):
    has = lambda letters: int(any(hand.get(letter, 0) for letter in letters))
    if kind == "hand64z":
        points = {"P": 1, "L": 2, "N": 2, "S": 3, "G": 3, "B": 5, "R": 5}
        return min(7, (sum(points[k] * n for k, n in hand.items()) + 3) // 4)
    groups = {"": [], "hand4": ["B"], "hand16": ["P", "B"], "hand64": ["PLN", "GSR", "B"],
              "hand256": ["PLN", "SG", "B", "R"], "hand1024": ["P", "LN", "SG", "B", "R"]}[kind]
    return sum(has(group) << bit for bit, group in enumerate(groups))


def king_bucket(kind, square):
    file, rank = divmod(square, 9)
    if kind == "":
        return 0
    if kind == "k3k3":
        return rank // 3
    if kind == "k9k9":
        return rank
    if kind == "k13k13z":
        return rank if rank < 7 else 7 + (rank - 7) * 3 + file // 3
    if kind == "k29k29":
        return rank // 3 if rank < 6 else 2 + (rank - 6) * 9 + file
    if rank < 7:
        return min(rank // 3, 2)
    return 3 + ((rank - 7) * 3 + file // 3 if kind == "k9k9z" else (rank - 7) * 9 + file)


def stack_index(net, board):
    shape, us, them = net.shape, board.side, 1 - board.side
    n = HANDS[shape.hands]
    index = hand_bucket(shape.hands, board.hands[us]) * n + hand_bucket(shape.hands, board.hands[them])
    n = KINGS[shape.kings]
    index = index * n * n + king_bucket(shape.kings, board.king(us)) * n + king_bucket(shape.kings, board.king(them))
    if shape.progress > 1:
        total = net.progress_bias()
        for view in (0, 1):
            total += sum(net.progress_weight(board.king(view), number) for number, _ in board.list(view))
        step = sum(round(math.log(i / (256 - i)) * 65536) <= total for i in range(1, 256))
        index = index * shape.progress + step * shape.progress // 256
    return index


# ---------------------------------------------------------------- evaluation


def clip(x, most=127):
    return 0 if x < 0 else most if x > most else x


def affine(layer, values):
    bias, rows = layer
    return [b + sum(map(int.__mul__, row, values)) for b, row in zip(bias, rows)]


def evaluate(net, board):
    """Unscaled, for the side to move."""
    shape, inputs = net.shape, []
    for view in (board.side, 1 - board.side):
        rows = [net.row(-1)] + [net.row(feature) for feature in active(shape.feature, board, view)]
        sums = [(sum(column) + 32768) % 65536 - 32768 for column in zip(*rows)]
        if shape.sfnn:
            half = shape.width // 2
            inputs += [clip(a, 254) * clip(b, 254) >> 9 for a, b in zip(sums[:half], sums[half:])]
        else:
            inputs += [clip(x) for x in sums]
    stack = stack_index(net, board) if shape.sfnn else 0
    first = affine(net.layer(stack, 0), inputs)
    hidden = [clip(x >> 6) for x in first[:shape.h1]]
    if shape.sfnn:
        hidden = [min(127, x * x >> 19) for x in first[:shape.h1]] + hidden
    hidden = [clip(x >> 6) for x in affine(net.layer(stack, 1), hidden)]
    value = affine(net.layer(stack, 2), hidden)[0]
    return value + first[shape.h1] if shape.shortcut else value


def scaled(value, fv_scale):
    value = abs(value) // fv_scale * (1 if value >= 0 else -1)
    return max(-31753, min(31753, value))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", choices=["eval", "compare", "write", "vectors"])
    parser.add_argument("arguments", nargs="+")
    parser.add_argument("--fv-scale", type=int, default=16)
    args = parser.parse_args()
    first, rest = args.arguments[0], args.arguments[1:]
    if args.command == "write":
        write_net(RandomNet(Shape.parse(first), int(rest[0])), rest[1])
    elif args.command == "vectors":
        net = RandomNet(Shape.parse(first), int(rest[0]))
        print(json.dumps({"shape": net.shape.header(), "seed": net.seed}))
        for line in sys.stdin:
            print(json.dumps({"sfen": line.strip(), "value": evaluate(net, Board(line))}))
    elif args.command == "eval":
        net = FileNet(first)
        for line in sys.stdin:
            print(scaled(evaluate(net, Board(line)), args.fv_scale), flush=True)
    else:
        net, equal, different = FileNet(first), 0, 0
        for line in open(rest[0]):
            sfen, value = line.rstrip("\n").split("\t")
            mine = scaled(evaluate(net, Board(sfen)), args.fv_scale)
            if mine == int(value):
                equal += 1
            else:
                different += 1
                print(f"{sfen}\t{value}\t{mine}")
        print(f"{equal} equal, {different} different")
        sys.exit(different > 0)


if __name__ == "__main__":
    main()
