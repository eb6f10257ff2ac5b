#!/usr/bin/env bash
# Installs nats-server (apt) where it is missing, for the tests of `tsumugi hub`, `work` and `--hub`: tools/get_nats_server.sh
set -euo pipefail

skip() { echo "skipped: $1"; exit 0; }

if ! command -v "${TSUMUGI_NATS_SERVER:-nats-server}" >/dev/null; then
	[ "$(id -u)" = 0 ] && command -v apt-get >/dev/null || skip "nats-server is not installed (apt-get install nats-server)"
	apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends nats-server >/dev/null || skip "nats-server cannot be installed"
fi
