#!/bin/sh
# Plays whole games under cshogi.cli: against itself, against itself pondering, and against the random mover.
# usage: tools/hosts/cshogi_cli.sh [PYTHON [GAMES]]      PYTHON has cshogi (pip install cshogi)
set -eu
cd "$(dirname "$0")/../.."
python=${1:-python3}
games=${2:-4}
bin=$(realpath "${CARGO_TARGET_DIR:-target}")/release
cargo build --release --locked -p tsumugi -p random_mover

# For clocks that count milliseconds.
options=Threads:1,USI_Hash:16,NetworkDelay:20,NetworkDelay2:60,MinimumThinkingTime:1,RoundUpToFullSecond:false
logs=$(mktemp -d)

play() { # TITLE OPPONENT ITS_OPTIONS ARGUMENTS...
    title=$1 opponent=$2 its_options=$3
    shift 3
    log=$logs/$(echo "$title" | tr -c 'a-z0-9\n' _).log
    echo "== $title ($log)"
    "$python" -W ignore -m cshogi.cli "$bin/tsumugi" "$opponent" --options1 "$options" --options2 "$its_options" \
        --games "$games" --debug "$@" >"$log" 2>&1 || echo "cshogi.cli failed with status $?"
    # Its own words: how each game ended, the last total, and whatever went wrong. Lines of the engines begin with
    # their number.
    grep -av '^[12]:' "$log" | grep -aE '^まで|Traceback|Error' || true
    grep -a '^Tsumugi.* vs .*%)$' "$log" | tail -n 1
}

play 'itself, byoyomi 100 ms' "$bin/tsumugi" "$options" --byoyomi 100
play 'itself, 5 s + 50 ms' "$bin/tsumugi" "$options" --time 5000 --inc 50
play 'itself, pondering' "$bin/tsumugi" "$options" --byoyomi 100 --ponder
play 'random mover' "$bin/random_mover" Seed:1 --byoyomi 100
