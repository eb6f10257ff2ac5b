#!/usr/bin/env bash
# Tries the program for Windows under Wine: `make test-windows`. Protocol, compliance, records with Shift_JIS, matches, books in place,
# mates, games in a terminal, the board in the browser, a CSA server; then the tests of the crates that touch the system.
# Installs what it needs (Debian, as root), or says `skipped`.
#
#   QUICK=1           leaves the crates' tests out
#   PROGRAM=FILE.exe  tries this program instead of building one, such as that of an archive
set -euo pipefail
cd "$(dirname "$0")/.."
target=x86_64-pc-windows-gnu
folder="$(pwd)/target/wine"
data="$(pwd)/testdata"
export WINEPREFIX="$folder/prefix" WINEARCH=win64 WINEDEBUG=-all LC_ALL=C.UTF-8

if ! command -v wine >/dev/null || ! command -v x86_64-w64-mingw32-gcc >/dev/null; then
    [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null ||
        { echo "skipped: Wine or MinGW is not installed (apt-get install wine wine64 gcc-mingw-w64-x86-64)"; exit 0; }
    apt-get update -qq && apt-get install -y -qq --no-install-recommends wine wine64 gcc-mingw-w64-x86-64 >/dev/null ||
        { echo "skipped: Wine and MinGW cannot be installed"; exit 0; }
fi

if [ ! -e "$WINEPREFIX/ready" ]; then
    mkdir -p "$WINEPREFIX"
    # The first start makes the prefix, and would swallow standard input.
    wine cmd /c ver </dev/null >/dev/null
    # Wine 8 lacks the one function of this library that Rust's standard library calls.
    cat >"$folder/prng.c" <<'C'
#include <windows.h>
BOOLEAN NTAPI SystemFunction036(PVOID buffer, ULONG length);
__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE buffer, SIZE_T length) { return SystemFunction036(buffer, (ULONG)length); }
C
    x86_64-w64-mingw32-gcc -shared -o "$WINEPREFIX/drive_c/windows/system32/bcryptprimitives.dll" "$folder/prng.c" -ladvapi32
    touch "$WINEPREFIX/ready"
fi

export CARGO_TARGET_X86_64_PC_WINDOWS_GNU_RUNNER=wine CARGO_TARGET_X86_64_PC_WINDOWS_GNU_LINKER=x86_64-w64-mingw32-gcc
if [ -z "${PROGRAM:-}" ] || [ -z "${QUICK:-}" ]; then
    rustup target list --installed | grep -q "$target" || rustup target add "$target"
fi
if [ -z "${PROGRAM:-}" ]; then
    cargo build --locked -p tsumugi --target "$target"
    PROGRAM="target/$target/debug/tsumugi.exe"
fi
program="$(realpath "$PROGRAM")"

passed=0
running=()
finish() { for id in "${running[@]}"; do kill "$id" 2>/dev/null || true; done; }
trap finish EXIT

fail() { printf '%s\nFAILED: %s\n' "$2" "$1"; exit 1; }
pass() { echo "ok: $1"; passed=$((passed + 1)); }
check() { # NAME EXPECTED-PATTERN COMMAND…: the output has a line that matches
    local name="$1" pattern="$2" output
    shift 2
    output="$("$@" 2>&1 </dev/null)" || fail "$name: exit status" "$output"
    grep -qE -- "$pattern" <<<"$output" || fail "$name: no line matches $pattern" "$output"
    pass "$name"
}
refused() { # NAME EXPECTED-PATTERN COMMAND…: exit status 1 or 2, one line that matches
    local name="$1" pattern="$2" output status=0
    shift 2
    output="$("$@" 2>&1 </dev/null)" || status=$?
    [ "$status" = 1 ] || [ "$status" = 2 ] || fail "$name: exit status $status" "$output"
    grep -qE -- "$pattern" <<<"$output" || fail "$name: no line matches $pattern" "$output"
    pass "$name"
}
until_there() { # PATTERN FILE: waits for a line, at most a minute
    for _ in $(seq 600); do
        if grep -qE -- "$1" "$2" 2>/dev/null; then return 0; fi
        sleep 0.1
    done
    fail "no line matches $1 in $2" "$(cat "$2" 2>/dev/null)"
}

work="$folder/work"
rm -rf "$work"
mkdir -p "$work/棋譜"
cd "$work"

# The engine.
check "protocol" '^usiok' wine "$program" usi , quit
check "search with the built-in net" '^bestmove ' wine "$program" isready , position startpos , go depth 4 , wait , quit
check "large pages are told, used or not" 'Large Pages are (not )?used' wine "$program" isready , quit
check "perft" '^Nodes searched: 719731' wine "$program" perft 4
read -r _ _ depth nodes < <(grep '^shogi net ' "$data/search/bench_signatures.txt")
check "bench: the signature of the search with the built-in net" "^Nodes searched  : $nodes" \
    wine "$program" setoption name Threads value 1 , USI_Hash 16 , isready , bench 16 1 "$depth" , quit
check "mate" 'mate in exactly 1 ply' wine "$program" mate '4k4/9/4P4/9/9/9/9/9/4K4 b 2G 1'
check "help in Japanese" '持ち時間' wine "$program" --lang ja play --help
refused "a wrong flag in Japanese" 'エラー' wine "$program" --lang ja play --levl 3
refused "what the system cannot do is said" '--pin: only on Linux' wine "$program" match --pin 0 --engine name=a cmd=a --engine name=b cmd=b

# Records.
printf '手合割：平手\n手数----指手---------消費時間--\n   1 ７六歩(77)   ( 0:00/00:00:00)\n   2 ３四歩(33)   ( 0:00/00:00:00)\n   3 投了\n' |
    iconv -f utf-8 -t cp932 >'棋譜/対局.kif'
check "records in Shift_JIS, names in Japanese" '1 game read, 1 written' wine "$program" convert '棋譜' -o out/ --to csa
grep -q '^+7776FU' out/*.csa || fail "the converted record" "$(cat out/*.csa)"
check "analysis" '1 games, ' wine "$program" analyze '棋譜' --nodes 500 --mate-nodes 0 -o '解析'
[ -s '解析/report.html' ] || fail "the report" "$(ls '解析')"

# Books: each file is replaced by one that was made of it.
cat >book.db <<'B'
#YANEURAOU-DB2016 1.00
sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2
3c3d none 0 0 1
sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1
7g7f none 0 0 1
B
cp book.db other.db
check "a book sorted in place" '' wine "$program" book sort book.db book.db
check "a book merged into itself" '' wine "$program" book merge book.db other.db book.db
check "a book min-maxed in place" '' wine "$program" book minmax book.db book.db
check "a book as .ybb" '' wine "$program" book convert book.db book.ybb
check "min-maxed in place as .ybb" '' wine "$program" book minmax book.ybb book.ybb

# Matches: names of devices, an engine that is a batch file, a journal that can be read meanwhile.
printf '@echo off\r\n"%s" %%*\r\n' "$(winepath -w "$program")" >engine.bat
check "a match; a batch file plays, and one called aux" 'aux.*b|games' wine "$program" match --engine name=aux cmd="$program" \
    --engine name=b cmd=./engine.bat --each nodes=200 threads=1 hash=16 --games 2 --out run
[ -s run/games/000001-_aux-b.kifu ] || fail "names of files" "$(ls run/games)"
wine "$program" match --engine name=a cmd="$program" --engine name=b cmd="$program" --each nodes=2000 threads=1 hash=16 \
    --games 1000 --out long >long.txt 2>&1 </dev/null &
running+=($!)
until_there '"game"' long/games.jsonl
check "the journal is read while the run goes on" '"game"' wine cmd /c type 'long\games.jsonl'
refused "a run that goes on cannot be begun twice" 'long' wine "$program" match --resume long
finish
running=()

# People: a game in lines, the board in the browser.
printf '7g7f\nmoves\nsave game.kifu\nquit\n' |
    wine "$program" play --plain --level 15k --think 50 --lang en >play.txt 2>&1 || fail "play" "$(cat play.txt)"
[ -s game.kifu ] || fail "play: no record" "$(cat play.txt)"
pass "a game in lines"
check "the saved game" '７六歩' wine "$program" show game.kifu
port=$((20000 + $$ % 10000))
wine "$program" web --port "$port" --data data >web.txt 2>&1 </dev/null &
running+=($!)
until_there 'listening on' web.txt
check "the board in the browser answers" '<title>' curl -sS --max-time 20 "http://127.0.0.1:$port/"

# A CSA server and two clients.
echo word >word.txt
wine "$program" csa serve --listen "127.0.0.1:$((port + 1))" --time 0+1000 --unit msec --max-moves 12 --games 1 --out hall >hall.txt 2>&1 </dev/null &
running+=($!)
until_there 'listening on' hall.txt
wine "$program" csa play --server "127.0.0.1:$((port + 1))" --name alice --password-file word.txt --out alice >alice.txt 2>&1 </dev/null &
running+=($!)
check "a game on a CSA server" '1 games: ' wine "$program" csa play --server "127.0.0.1:$((port + 1))" --name bob \
    --password-file word.txt --out bob
ls bob/*.csa >/dev/null || fail "the record of the server's game" "$(ls bob)"

check "compliance" '(0 failed|no faults|passed)' wine "$program" compliance -- "$program"
echo "windows: $passed passed, 0 failed"

if [ -z "${QUICK:-}" ]; then
    cd - >/dev/null
    cargo test --locked --target "$target" -p tsumugi-platform -p tsumugi-record -p tsumugi-book -p tsumugi-arena
fi
