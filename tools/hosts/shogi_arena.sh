#!/bin/sh
# Plays whole games under ShogiArena: against itself (two clocks) and against the random mover.
# usage: tools/hosts/shogi_arena.sh [SHOGIARENA [GAMES]]      SHOGIARENA is its program (pip install shogiarena)
set -eu
cd "$(dirname "$0")/../.."
arena=$(realpath "$(command -v "${1:-shogiarena}")")
games=${2:-4}
bin=$(realpath "${CARGO_TARGET_DIR:-target}")/release
cargo build --release --locked -p tsumugi -p random_mover

work=$(mktemp -d)
engine() { # FILE NAME PROGRAM OPTION...
    file=$work/$1.yaml
    printf 'name: "%s"\nengine_path: "%s"\nworking_directory: "%s"\noptions:\n' "$2" "$3" "$work" >"$file"
    shift 3
    printf '  %s\n' "$@" >>"$file"
}
quick='NetworkDelay: 20
  NetworkDelay2: 200
  MinimumThinkingTime: 1
  RoundUpToFullSecond: false'
engine ours Tsumugi "$bin/tsumugi" 'Threads: 1' 'USI_Hash: 16' "$quick"
engine twin "Tsumugi's twin" "$bin/tsumugi" 'Threads: 1' 'USI_Hash: 16' "$quick"
engine random 'Random Mover' "$bin/random_mover" 'Seed: 1'

play() { # TITLE OPPONENT TIME_CONTROL
    run=$(echo "$1" | tr -c 'a-z0-9\n' _)
    cat >"$work/$run.yaml" <<YAML
experiment_name: "$run"
engines:
  - engine_path: "ours.yaml"
  - engine_path: "$2.yaml"
tournament:
  scheduler: "round_robin"
  games_per_pair: $games
  num_parallel: 1
rules:
  time_control:
$3
dashboard:
  enabled: false
YAML
    echo "== $1 ($work/$run)"
    (cd "$work" && "$arena" run tournament "$run.yaml" --run-dir "$run" >"$run.log" 2>&1) ||
        echo "ShogiArena failed with status $?; see $work/$run.log"
    "$arena" results summary "$work/$run" 2>&1 | grep -E 'games:|yaml@|^  [A-Z_]+: ' || true
    grep -aiE 'warning|error|forfeit|illegal|timeout' "$work/$run.log" || echo 'no complaints'
}

play 'itself, 5 s + 100 ms' twin '    time_ms: 5000
    increment_ms: 100'
play 'itself, byoyomi 300 ms' twin '    time_ms: 0
    byoyomi_ms: 300'
play 'random mover' random '    time_ms: 5000
    increment_ms: 100'
