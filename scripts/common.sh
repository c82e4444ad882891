# shellcheck shell=bash
# Sourced by the other scripts. Set-up and build print to stderr, so that stdout has only the program's output.

# nproc obeys OMP_THREAD_LIMIT, which the sanitizer runs set for other reasons.
cores=$(getconf _NPROCESSORS_ONLN)

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)

# configureAndBuild PRESET [TARGET...]; configureOptions has further options for cmake
configureAndBuild() {
    local preset=$1
    shift
    local launcher
    launcher=$(command -v ccache || true)  # optional
    (
        cd "$root" || exit
        # Configured anew each time (under a second): a changed preset must not be missed.
        cmake --preset "$preset" ${configureOptions[@]+"${configureOptions[@]}"} \
            -DCMAKE_C_COMPILER_LAUNCHER="${CMAKE_C_COMPILER_LAUNCHER-$launcher}" \
            -DCMAKE_CXX_COMPILER_LAUNCHER="${CMAKE_CXX_COMPILER_LAUNCHER-$launcher}" >/dev/null
        cmake --build --preset "$preset" --parallel "$cores" ${@:+--target "$@"} >&2
    )
}
