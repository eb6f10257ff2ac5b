#!/usr/bin/env bash
# Builds the Python package (a debug build), installs it into an environment of its own and runs its tests: `make test-python`.
# Where Python 3.11 or PyPI cannot be reached, it says so and leaves it at that; with REQUIRE=1 that is an error.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

skip() {
    echo "skipped: $1"
    [ "${REQUIRE:-0}" = 0 ] || exit 1
    exit 0
}

python=${PYTHON:-python3}
target=${CARGO_TARGET_DIR:-$PWD/target}
environment=$target/python-environment
command -v "$python" >/dev/null || skip "the Python package: $python is not installed (PYTHON=… names another)"
"$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || skip "the Python package needs Python 3.11: $("$python" --version)"
if [ ! -x "$environment/bin/pytest" ]; then
    rm -rf "$environment"
    "$python" -m venv "$environment" || skip "the Python package: no virtual environment (apt-get install python3-venv)"
    "$environment/bin/pip" install --quiet --disable-pip-version-check --only-binary :all: 'maturin>=1.9,<2' pytest numpy \
        || { rm -rf "$environment"; skip "the Python package: maturin, pytest and numpy cannot be installed from PyPI"; }
fi
export CARGO_TARGET_DIR=$target VIRTUAL_ENV=$environment PATH=$environment/bin:$PATH
unset CONDA_PREFIX
(cd python && maturin develop --quiet --locked && pytest -q -p no:cacheprovider)
python python/tests/fuzz.py --seconds 5
