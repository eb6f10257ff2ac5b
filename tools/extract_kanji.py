#!/usr/bin/env python3
"""Writes crates/web/ui/pieces/outlines.js: the signs on pieces and the coordinates of the board as outlines,
so that the board in the browser needs no font.

The outlines are those of Noto Serif CJK JP Bold (Debian: fonts-noto-cjk; SIL Open Font License 1.1), on an em of 500 units
with y pointing down. Needs fonttools from PyPI.

    tools/extract_kanji.py [/usr/share/fonts/opentype/noto/NotoSerifCJK-Bold.ttc]
"""

import sys
from pathlib import Path

from fontTools.pens.basePen import BasePen
from fontTools.ttLib import TTCollection

EM = 500
PIECES = "歩兵香車桂馬銀将金角行飛王玉と杏圭全龍成凍" "燕鷹鶴鶉雉鵬鴈鵰" "醉太妃ひにぞきラ"
COORDINATES = "一二三四五六七八九十" "0123456789" "abcdefghijkl"
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ+"
BRAND = "紬"
OUT = Path(__file__).resolve().parent.parent / "crates/web/ui/pieces/outlines.js"


class RelativePath(BasePen):
    """Draws a glyph as an SVG path of relative, whole numbers."""

    def __init__(self, glyphs, scale):
        super().__init__(glyphs)
        self.scale, self.text, self.at = scale, [], (0, 0)

    def _place(self, point):
        return round(point[0] * self.scale), round(-point[1] * self.scale)

    def _write(self, letter, points):
        numbers = []
        for x, y in points:
            numbers += [x - self.at[0], y - self.at[1]]
        self.at = points[-1]
        joined = letter
        for index, number in enumerate(numbers):
            joined += ("" if index == 0 or number < 0 else " ") + str(number)
        self.text.append(joined)

    def _moveTo(self, point):
        self.start = self._place(point)
        self._write("m", [self.start])

    def _lineTo(self, point):
        place = self._place(point)
        dx, dy = place[0] - self.at[0], place[1] - self.at[1]
        if dx == 0 and dy == 0:
            return
        if dx == 0 or dy == 0:
            self.text.append(f"v{dy}" if dx == 0 else f"h{dx}")
            self.at = place
        else:
            self._write("l", [place])

    def _curveToOne(self, first, second, end):
        self._write("c", [self._place(first), self._place(second), self._place(end)])

    def _closePath(self):
        self.text.append("z")
        self.at = self.start


def main():
    path = sys.argv[1] if len(sys.argv) > 1 else "/usr/share/fonts/opentype/noto/NotoSerifCJK-Bold.ttc"
    font = next(face for face in TTCollection(path).fonts if face["name"].getDebugName(4) == "Noto Serif CJK JP Bold")
    names, glyphs = font.getBestCmap(), font.getGlyphSet()
    scale = EM / font["head"].unitsPerEm
    lines = []
    for sign in dict.fromkeys(PIECES + COORDINATES + LETTERS + BRAND):
        glyph = glyphs[names[ord(sign)]]
        pen = RelativePath(glyphs, scale)
        glyph.draw(pen)
        lines.append(f"  '{sign}': [{round(glyph.width * scale)}, '{''.join(pen.text)}'],")
    OUT.write_text(
        "// Written by tools/extract_kanji.py from Noto Serif CJK JP Bold (SIL Open Font License 1.1). Do not edit.\n"
        "/** Sign → width and outline on an em of 500 units, baseline at 0, y down. @type {Record<string, [number, string]>} */\n"
        "export const OUTLINES = {\n" + "\n".join(lines) + "\n};\n",
        encoding="utf-8",
    )


if __name__ == "__main__":
    main()
