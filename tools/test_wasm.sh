#!/usr/bin/env bash
# Builds the packages for WebAssembly and runs their tests in Node and headless Chromium: `make test-wasm`.
# With SHORT=1, for `make test`: only the rules, built quickly, in Node. Where the target or npm's packages cannot be had, it says so and
# leaves it at that; with REQUIRE=1 that is an error.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

skip() {
    echo "skipped: $1"
    [ "${REQUIRE:-0}" = 0 ] || exit 1
    exit 0
}

build() {
    node wasm/build.mjs "$@" || { status=$?; [ $status = 75 ] && exit 0; exit $status; }
}

command -v node >/dev/null || skip "WebAssembly: node is not installed (apt-get install nodejs npm)"
tools=${CARGO_TARGET_DIR:-$PWD/target}/wasm
if [ "${SHORT:-0}" = 1 ]; then
    build --quick
    WASM_DIST=$tools/quick exec node --test --test-timeout=240000 wasm/tests/rules.test.mjs
fi
build
if [ ! -d "$tools/node_modules/playwright-core" ] || [ ! -d "$tools/node_modules/typescript" ]; then
    npm install --silent --no-fund --no-audit --no-save --prefix "$tools" binaryen@132.0.0 playwright-core@1 typescript@7 || skip "WebAssembly: npm packages cannot be fetched"
fi
"$tools/node_modules/.bin/tsc" -p wasm
LONG=1 node --test --test-concurrency=1 --test-timeout=1800000 wasm/tests/rules.test.mjs wasm/tests/engine.test.mjs
chromium=${CHROMIUM:-/usr/bin/chromium}
if [ ! -x "$chromium" ]; then
    [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null || skip "WebAssembly in a browser: chromium is not installed (apt-get install chromium fonts-noto-cjk)"
    apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium fonts-noto-cjk >/dev/null \
        || skip "WebAssembly in a browser: chromium cannot be installed"
fi
CHROMIUM=$chromium WASM_TEST_MODULES=$tools exec node --test --test-timeout=240000 wasm/tests/page.test.mjs
