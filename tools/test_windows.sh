#!/usr/bin/env bash
# Builds the program for Windows and tries it under Wine: protocol, compliance, records with Shift_JIS, a match, books in place,
# then the tests of the crates that touch the system. Installs what it needs (Debian, as root). `QUICK=1` leaves the crates out.
set -euo pipefail
cd "$(dirname "$0")/.."
target=x86_64-pc-windows-gnu
folder="$(pwd)/target/wine"
export WINEPREFIX="$folder/prefix" WINEARCH=win64 WINEDEBUG=-all

command -v wine >/dev/null && command -v x86_64-w64-mingw32-gcc >/dev/null ||
    { apt-get update && apt-get install -y --no-install-recommends wine wine64 gcc-mingw-w64-x86-64; }
rustup target list --installed | grep -q "$target" || rustup target add "$target"

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
cargo build --locked -p tsumugi --target "$target"
program="$(pwd)/target/$target/debug/tsumugi.exe"
[ -z "${PROGRAM:-}" ] || program="$PROGRAM"

passed=0
check() { # NAME EXPECTED-PATTERN COMMAND…: the output has a line that matches
    local name="$1" pattern="$2" output
    shift 2
    output="$("$@" 2>&1 </dev/null)" || { printf '%s\nFAILED: %s: exit status\n' "$output" "$name"; exit 1; }
    grep -qE "$pattern" <<<"$output" || { printf '%s\nFAILED: %s: no line matches %s\n' "$output" "$name" "$pattern"; exit 1; }
    echo "ok: $name"
    passed=$((passed + 1))
}

work="$folder/work"
rm -rf "$work"
mkdir -p "$work/棋譜"
cd "$work"
check "protocol" '^usiok' wine "$program" usi , quit
check "search with the built-in net" '^bestmove ' wine "$program" isready , position startpos , go depth 4 , wait , quit
check "perft" '^Nodes searched: 719731' wine "$program" perft 4
check "mate" '^|mate' wine "$program" mate '4k4/9/4P4/9/9/9/9/9/4K4 b 2G 1'
printf '手合割：平手\n手数----指手---------消費時間--\n   1 ７六歩(77)   ( 0:00/00:00:00)\n   2 ３四歩(33)   ( 0:00/00:00:00)\n   3 投了\n' |
    iconv -f utf-8 -t cp932 >'棋譜/対局.kif'
check "records in Shift_JIS, names in Japanese" '1 ' wine "$program" convert '棋譜' -o out/ --to csa
grep -q '^+7776FU' out/*.csa || { echo "FAILED: the converted record"; exit 1; }
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
check "a book as .ybb" "" wine "$program" book convert book.db book.ybb
check "min-maxed in place as .ybb" "" wine "$program" book minmax book.ybb book.ybb
check "a match" 'a .*b|games' wine "$program" match --engine name=a cmd="$program" --engine name=b cmd="$program" \
    --each nodes=200 threads=1 hash=16 --games 4 --concurrency 2 --out run
check "compliance" '(0 failed|no faults|passed)' wine "$program" compliance -- "$program"
echo "windows: $passed passed, 0 failed"

if [ -z "${QUICK:-}" ]; then
    cd - >/dev/null
    cargo test --locked --target "$target" -p tsumugi-platform -p tsumugi-arena -p tsumugi-book -p tsumugi-record
fi
