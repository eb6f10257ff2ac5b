# `make` lists the targets. All that is needed beforehand is Rust (with rustfmt and clippy), a C linker and make.

CARGO ?= cargo
ARGS ?=
# What the program is built for; empty builds for any processor of its family.
CPU ?=
FUZZ_SECONDS ?= 60
FUZZ_TARGETS := sfen freeze console game network float_net training_data kppt arena csa_server csa_client binarsi certificate \
	variants variant_positions \
	record_kif record_ki2 record_csa record_jkf record_usi record_usen record_bod record_any record_freeze \
	book_db book_ybb book_apery book_sbk book_convert envelope
GUNGRAUN := $(shell sed -n '/^name = "gungraun"$$/{n;s/^version = "\(.*\)"/\1/p;}' Cargo.lock)
# What benches are built for; empty measures the portable build.
BENCH_CPU ?= x86-64-v3
BENCH := RUSTFLAGS="$(if $(BENCH_CPU),-C target-cpu=$(BENCH_CPU))" $(CARGO) bench --locked -p tsumugi-shogi

.DEFAULT_GOAL := help
.PHONY: help build pgo dist run test web-test test-python test-windows test-arm wasm test-wasm bench bench-instructions fuzz doc

help: ## list these targets
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1|\2/p' $(MAKEFILE_LIST) | awk -F'|' '{ printf "%-26s %s\n", $$1, $$2 }'

build: ## build the program: target/release/tsumugi; CPU=x86-64-v3 or CPU=native builds for that processor only
	$(if $(CPU),RUSTFLAGS="-C target-cpu=$(CPU)") $(CARGO) build --release --locked -p tsumugi

pgo: ## build it with a profile of its own searches: target/pgo/tsumugi; EVAL=DIR profiles a net, too; CPU as for build
	CPU="$(CPU)" tools/build_pgo.sh

dist: ## build the archives of a release for Linux (x64, ARM64) and Windows: dist/; SYSTEMS="windows-x64" builds one; CPU as for build
	CPU="$(CPU)" tools/make_dist.py $(SYSTEMS)

run: ## build and start it; ARGS="perft 5" passes arguments
	$(CARGO) run --release --locked -p tsumugi -- $(ARGS)

test: ## everything that must pass: format, clippy, tests, the manuals' commands, documentation, fuzz targets
	$(CARGO) fmt --all --check
	$(CARGO) fmt --check --manifest-path fuzz/Cargo.toml
	$(CARGO) fmt --check --manifest-path python/Cargo.toml
	$(CARGO) fmt --check --manifest-path wasm/Cargo.toml --all
	$(CARGO) clippy --locked --workspace --all-targets -- -D warnings
	$(CARGO) clippy --locked --manifest-path wasm/Cargo.toml --target-dir target -p tsumugi-rules -- -D warnings
	@# Tests of runs over a hub start a server of their own.
	tools/get_nats_server.sh
	$(CARGO) test --locked --workspace
	@# The commands of the manuals, as they stand, with the program that the tests have built.
	tools/try_manuals.py target/debug/tsumugi
	@# The pages of `tsumugi web` in Chromium.
	tools/web_test.sh
	@# The other keys of the transposition table.
	$(CARGO) test --locked -p tsumugi-search --features wide-keys --test kernel
	@# The build whose numbers can be tuned.
	$(CARGO) test --locked -p tsumugi --features tuning --test tuning
	@# The README's command must start the program, and nothing else.
	printf 'sfen\nquit\n' | $(CARGO) run --locked --quiet | grep -q '^lnsgkgsnl/1r5b1/'
	RUSTDOCFLAGS=-Dwarnings $(CARGO) doc --locked --no-deps --workspace
	@# Checking links nothing, so libFuzzer itself (C++) need not be built: the path is never opened.
	CUSTOM_LIBFUZZER_PATH=/nowhere/libfuzzer.a $(CARGO) check --locked --manifest-path fuzz/Cargo.toml
	tools/test_python.sh
	@# Rules and records in WebAssembly.
	SHORT=1 tools/test_wasm.sh

test-python: ## the Python package alone: built in an environment of its own, its tests
	REQUIRE=1 tools/test_python.sh

wasm: ## build the packages for browsers and Node: dist/wasm; installs the target and npm's Binaryen
	REQUIRE=1 node wasm/build.mjs

test-wasm: ## build them, test them in Node (all perft counts) and in headless Chromium
	REQUIRE=1 tools/test_wasm.sh

test-windows: ## try the program for Windows under Wine; QUICK=1 leaves the crates' tests out, PROGRAM=FILE.exe tries that one
	tools/test_windows.sh

test-arm: ## try the program for ARM64 Linux under qemu; QUICK=1 and PROGRAM=FILE as for test-windows
	tools/test_arm.sh

web-test: ## type-check the pages of `tsumugi web` and drive them in Chromium; installs Chromium and npm packages where they are missing
	$(CARGO) build --locked -p tsumugi
	tools/web_test.sh

bench: ## time move generation and sliding attacks; BENCH_CPU= measures the portable build
	$(BENCH) --bench sliders --bench movegen

bench-instructions: ## count instructions with valgrind (skipped where there is none)
	@if ! command -v valgrind >/dev/null; then \
		echo "skipped: valgrind is not installed (apt-get install valgrind)"; \
	else \
		{ gungraun-runner --version 2>/dev/null | grep -qF ' $(GUNGRAUN)' \
			|| $(CARGO) install gungraun-runner --locked --version '=$(GUNGRAUN)'; } \
		&& $(BENCH) --bench instructions; \
	fi

fuzz: ## fuzz each target for FUZZ_SECONDS (default 60) with nightly Rust
	@rustup run nightly rustc --version >/dev/null 2>&1 || rustup toolchain install nightly --profile minimal
	@$(CARGO) fuzz --version >/dev/null 2>&1 || $(CARGO) install cargo-fuzz --locked
	@command -v c++ >/dev/null || { apt-get update && apt-get install -y g++; }
	@set -e; for target in $(FUZZ_TARGETS); do \
		echo "fuzzing $$target for $(FUZZ_SECONDS) s"; \
		mkdir -p fuzz/corpus/$$target; \
		$(CARGO) +nightly fuzz run --fuzz-dir fuzz $$target fuzz/corpus/$$target fuzz/seeds/$$target -- \
			-max_total_time=$(FUZZ_SECONDS) -dict=fuzz/seeds/words.dict -timeout=10 -print_final_stats=1; \
	done

doc: ## write the documentation of all crates to target/doc
	$(CARGO) doc --no-deps --workspace
