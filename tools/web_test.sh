#!/usr/bin/env bash
# Type-checks the pages of `tsumugi web` and drives them in Chromium: tools/web_test.sh [TEST …]
# Takes the program from $TSUMUGI, else target/debug/tsumugi. Installs Chromium (apt) and npm packages where they are missing.
set -euo pipefail
cd "$(dirname "$0")/.."
modules=target/web-test
tsumugi=${TSUMUGI:-target/debug/tsumugi}

skip() { echo "skipped: $1"; exit 0; }

command -v node >/dev/null || skip "node is not installed (apt-get install nodejs npm)"
if [ ! -d "$modules/node_modules/axe-core" ]; then
	command -v npm >/dev/null || skip "npm is not installed (apt-get install npm)"
	mkdir -p "$modules"
	npm install --silent --no-fund --no-audit --prefix "$modules" playwright-core@1 typescript@7 axe-core@4 || skip "npm packages cannot be fetched"
fi
"$modules/node_modules/.bin/tsc" -p crates/web/ui
chromium=${CHROMIUM:-/usr/bin/chromium}
if [ ! -x "$chromium" ]; then
	[ "$(id -u)" = 0 ] && command -v apt-get >/dev/null || skip "chromium is not installed (apt-get install chromium fonts-noto-cjk)"
	apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium fonts-noto-cjk >/dev/null || skip "chromium cannot be installed"
fi
[ -x "$tsumugi" ] || { echo "$tsumugi: not there: cargo build -p tsumugi"; exit 1; }
tests=("$@")
[ ${#tests[@]} -gt 0 ] || tests=(crates/web/ui/tests/*.test.mjs)
TSUMUGI="$(realpath "$tsumugi")" CHROMIUM="$chromium" WEB_TEST_MODULES="$(realpath "$modules")" \
	exec node --test --test-concurrency=2 --test-timeout=900000 "${tests[@]}"
