"""numpy's types for packed positions and the records that carry them. Only this module needs numpy."""

import numpy as np

dtypeHcp = np.dtype((np.uint8, 32))
dtypeEval = np.dtype(np.int16)
dtypeMove16 = np.dtype(np.int16)
dtypeGameResult = np.dtype(np.int8)
dtypeKey = np.dtype(np.uint64)

HuffmanCodedPos = np.dtype([("hcp", dtypeHcp)])

HuffmanCodedPosAndEval = np.dtype([
    ("hcp", dtypeHcp),
    ("eval", dtypeEval),
    ("bestMove16", dtypeMove16),
    ("gameResult", dtypeGameResult),
    ("dummy", np.uint8),
])

PackedSfen = np.dtype([("sfen", np.uint8, 32)])

PackedSfenValue = np.dtype([
    ("sfen", np.uint8, 32),
    ("score", np.int16),
    ("move", np.uint16),
    ("gamePly", np.uint16),
    ("game_result", np.int8),
    ("padding", np.uint8),
])

BookEntry = np.dtype([("key", dtypeKey), ("fromToPro", dtypeMove16), ("count", np.uint16), ("score", np.int32)])
