#!/bin/sh
# Builds target/pgo/tsumugi with a profile of its own searches: some percent faster than the ordinary build.
# EVAL=DIR (and FV_SCALE=24 where the net wants it) profiles searches with that net, too; without one the
# evaluation by nets is compiled as always. CPU=x86-64-v3 (or another that rustc knows) builds for that processor only.
set -eu
cd "$(dirname "$0")/.."
target=$PWD/target/pgo
host=$(rustc -vV | sed -n 's/^host: //p')
profdata=$(rustc --print sysroot)/lib/rustlib/$host/bin/llvm-profdata
[ -x "$profdata" ] || rustup component add llvm-tools
rm -rf "$target/profiles"

build() {
    RUSTFLAGS="$1${CPU:+ -Ctarget-cpu=$CPU}" cargo build --release --locked -p tsumugi --target "$host" --target-dir "$target"
}

build "-Cprofile-generate=$target/profiles"
program=$target/$host/release/tsumugi
"$program" bench 64 1 12 , quit >/dev/null
if [ -n "${EVAL:-}" ]; then
    "$program" setoption name EvalDir value "$EVAL" , setoption name FV_SCALE value "${FV_SCALE:-16}" , isready , \
        bench 64 1 12 , quit >/dev/null
fi
"$profdata" merge -o "$target/merged.profdata" "$target/profiles"
build "-Cprofile-use=$target/merged.profdata"
cp "$program" "$target/tsumugi"
echo "built target/pgo/tsumugi"
