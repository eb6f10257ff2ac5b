#!/usr/bin/env bash
# Tries the program for ARM64 Linux under qemu-user: `make test-arm`. Signatures of the search, perft, evaluation by NEON as by plain
# code, USI; then the tests of the evaluation on every instruction set. Installs what it needs (Debian, as root), or says `skipped`.
#
#   QUICK=1        leaves the tests of crate `eval` out
#   PROGRAM=FILE   tries this program instead of building one, such as that of an archive
set -euo pipefail
cd "$(dirname "$0")/.."
target=aarch64-unknown-linux-gnu
data="$(pwd)/testdata"
native="$(pwd)/target/debug/tsumugi"
export LC_ALL=C.UTF-8

if ! command -v qemu-aarch64-static >/dev/null || ! command -v aarch64-linux-gnu-gcc >/dev/null; then
    packages="qemu-user-static gcc-aarch64-linux-gnu libc6-dev-arm64-cross"
    [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null ||
        { echo "skipped: qemu or the cross compiler is not installed (apt-get install $packages)"; exit 0; }
    # shellcheck disable=SC2086 # several words
    apt-get update -qq && apt-get install -y -qq --no-install-recommends $packages >/dev/null ||
        { echo "skipped: qemu and the cross compiler cannot be installed"; exit 0; }
fi
emulator="qemu-aarch64-static -L /usr/aarch64-linux-gnu"
export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUNNER="$emulator" CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER=aarch64-linux-gnu-gcc
if [ -z "${PROGRAM:-}" ] || [ -z "${QUICK:-}" ]; then
    rustup target list --installed | grep -q "$target" || rustup target add "$target"
fi
if [ -z "${PROGRAM:-}" ]; then
    cargo build --locked -p tsumugi --target "$target"
    PROGRAM="target/$target/debug/tsumugi"
fi
program="$(realpath "$PROGRAM")"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
cd "$work"

passed=0
run() { $emulator "$program" "$@" </dev/null; }
check() { # NAME EXPECTED-PATTERN ARGUMENT…: the output has a line that matches
    local name="$1" pattern="$2" output
    shift 2
    output="$(run "$@" 2>&1)" || { printf '%s\nFAILED: %s: exit status\n' "$output" "$name"; exit 1; }
    grep -qE -- "$pattern" <<<"$output" || { printf '%s\nFAILED: %s: no line matches %s\n' "$output" "$name" "$pattern"; exit 1; }
    echo "ok: $name"
    passed=$((passed + 1))
}

check "protocol" '^usiok' usi , quit
check "perft" '^Nodes searched: 719731' perft 4
check "perft of Freeze shogi" '^Nodes searched: ' perft --variant freeze 2
check "mate" 'mate in exactly 1 ply' mate '4k4/9/4P4/9/9/9/9/9/4K4 b 2G 1'
check "NEON is chosen" 'neon' isready , quit
for isa in neon plain; do
    check "search with the built-in net by $isa" '^bestmove ' setoption name EvalIsa value "$isa" , Threads 1 , isready , position startpos , go depth 6 , wait , quit
    run setoption name EvalIsa value "$isa" , Threads 1 , USI_Hash 16 , isready , bench 16 1 5 , quit | grep '^Nodes searched' >"$isa.txt"
done
diff neon.txt plain.txt || { echo "FAILED: NEON and plain evaluation search different trees"; exit 1; }
echo "ok: NEON and plain evaluation search the same tree: $(cat neon.txt)"
while read -r game evaluation depth nodes; do
    own="Threads 1"
    [ "$game $evaluation" = "shogi material" ] && own="EvalDir <material>"
    check "signature of $game with $evaluation at depth $depth" "^Nodes searched  : $nodes" \
        setoption name Threads value 1 , USI_Hash 16 , setoption name USI_Variant value "$game" , "$own" , bench 16 1 "$depth" , quit
done < <(grep -v '^#' "$data/search/bench_signatures.txt")
# The program starts no other one here: the checks are made by the program for this machine, if it is built.
if [ -x "$native" ]; then
    # shellcheck disable=SC2086 # several words
    "$native" compliance -- $emulator "$program" >compliance.txt || { cat compliance.txt; echo "FAILED: compliance"; exit 1; }
    echo "ok: compliance"
    passed=$((passed + 1))
fi
echo "arm: $((passed + 1)) passed, 0 failed"

if [ -z "${QUICK:-}" ]; then
    cd - >/dev/null
    cargo test --locked --target "$target" -p tsumugi-eval --test nnue_values --test nnue_incremental
fi
