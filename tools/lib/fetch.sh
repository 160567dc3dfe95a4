# Sourced by tools/setup and tools/get-models: messages, and pinned downloads through the registries' own
# clients. A download is checked against its SHA-256 before anything is taken out of it.

say() { printf '%s: %s\n' "${0##*/}" "$*"; }
die() { printf '%s: error: %s\n' "${0##*/}" "$*" >&2; exit 1; }
have() { command -v "$1" >/dev/null 2>&1; }

sha256() { # FILE
    if have sha256sum; then sha256sum "$1" | cut -d ' ' -f 1; else shasum -a 256 "$1" | cut -d ' ' -f 1; fi
}

# One run at a time for what FILE guards, where flock exists; the lock ends with the process.
lock() { # FILE
    if have flock; then
        exec 9>"$1"
        flock -n 9 || { say "waiting for another run"; flock 9; }
    fi
}

# Runs CMD as root: directly, or through sudo that asks for nothing. 1 when neither is possible.
as_root() {
    if [ "$(id -u)" = 0 ]; then "$@"
    elif have sudo && sudo -n true 2>/dev/null; then sudo "$@"
    else return 1; fi
}

# Prints a python3 that has pip, or fails.
python_with_pip() {
    local python
    for python in python3 /usr/bin/python3; do
        if "$python" -m pip --version >/dev/null 2>&1; then echo "$python"; return 0; fi
    done
    return 1
}

# Downloads the wheel of REQUIREMENT (name==version, or a bare name: the newest) with tag TAG into the empty
# DIR and prints its path. HASH may be empty only for a bare name. No code of the package is run.
fetch_wheel() { # REQUIREMENT TAG HASH DIR
    local python options=() wheel
    python=$(python_with_pip) || die "python3 with pip is needed to fetch $1 (Debian: apt-get install python3-pip)"
    mkdir -p "$4"
    if [ -n "$3" ]; then
        printf '%s --hash=sha256:%s\n' "$1" "$3" >"$4/requirements.txt"
        options+=(--require-hashes)
    else
        printf '%s\n' "$1" >"$4/requirements.txt"
    fi
    if [ "$2" != any ]; then options+=(--platform "$2"); fi
    "$python" -m pip download --quiet --disable-pip-version-check --no-deps --only-binary=:all: \
        --python-version 3.11 --implementation cp "${options[@]}" -r "$4/requirements.txt" -d "$4" >&2 ||
        die "fetching $1 failed (the messages above are pip's); already fetched files stay usable offline"
    wheel=$(find "$4" -name '*.whl')
    [ -f "$wheel" ] || die "pip brought no wheel for $1"
    if [ -n "$3" ] && [ "$(sha256 "$wheel")" != "$3" ]; then die "$1: SHA-256 differs from the pinned one"; fi
    echo "$wheel"
}

# The same for an npm package, NAME@VERSION or a bare name; prints the path of the .tgz.
fetch_npm() { # REQUIREMENT HASH DIR
    local tarball
    have npm || die "npm is needed to fetch $1"
    mkdir -p "$3"
    (cd "$3" && npm pack --silent "$1" >/dev/null) || die "fetching $1 failed"
    tarball=$(find "$3" -name '*.tgz')
    [ -f "$tarball" ] || die "npm brought nothing for $1"
    if [ -n "$2" ] && [ "$(sha256 "$tarball")" != "$2" ]; then die "$1: SHA-256 differs from the pinned one"; fi
    echo "$tarball"
}
