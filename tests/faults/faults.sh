#!/usr/bin/env bash
# Runs the real program against a full disk, closed and full outputs, signals, a second process and outputs that are inputs.
# After each case no temporary file is left, no file of the user has changed, and the exit code is the documented one.
#   faults.sh PROGRAM
set -u
program=$(realpath "$1")
top=$(mktemp -d)
mounts=()
cleanUp() {
    [ -z "${screen:-}" ] || kill "$screen" 2>/dev/null
    for place in ${mounts[@]+"${mounts[@]}"}; do umount "$place" 2>/dev/null; done
    rm -rf "$top"
}
trap cleanUp EXIT
failures=0
checks=0

# check WHAT CONDITION...: one expectation.
check() {
    local what=$1
    shift
    checks=$((checks + 1))
    "$@" && return
    failures=$((failures + 1))
    echo "FAILED: $what ($*)"
    [ ! -s "$top/err" ] || sed 's/^/    stderr: /' "$top/err"
}
code() { [ "$got" -eq "$1" ]; }
says() { grep -q -e "$1" "$top/err"; }
noTemporary() { ! find "$1" -name '*.part*' | grep -q .; }
same() { cmp -s "$1" "$2"; }
absent() { [ ! -e "$1" ]; }
cacheWhole() {  # a point cache with at least one sample, and its mesh
    python3 - "$1" <<'PY'
import struct, sys
data = open(sys.argv[1], 'rb').read()
magic, version, points, start, sampling, samples = struct.unpack('<12siiffi', data[:32])
mesh = open(sys.argv[1].replace('.pc2', '.obj')).read()
ok = magic == b'POINTCACHE2\0' and samples > 0 and len(data) == 32 + 12 * points * samples and mesh.count('v ') == points
sys.exit(0 if ok and mesh.endswith('\n') else 1)
PY
}
whole() { [ -s "$1" ] && [ -z "$(tail -c 1 "$1" | tr -d '\n')" ]; }  # ends with a complete line
atLeast() { [ "$(wc -l <"$2")" -ge "$1" ]; }

# fresh: makes a folder with only a small scene in it, and enters it.
fresh() {
    rm -rf "$top/place"
    mkdir "$top/place"
    cd "$top/place" || exit 1
    printf '# mine\nsteps = 5\npins = [{ row = 0, columns = "all" }]\n[cloth]\nrows = 7\ncolumns = 7\n' >g.toml
    cp g.toml "$top/g.kept"
    : >"$top/err"
}
# run ARGUMENTS...: runs the program; $got is its exit code.
run() {
    "$program" "$@" >"$top/out" 2>"$top/err"
    got=$?
}

haveFilms() { command -v ffmpeg >/dev/null; }

# --- outputs that are inputs, folders, devices
fresh
run run g.toml --report g.toml
check "a report over its scene is refused" code 2
check "it says why" says "reads the same file"
ln -s g.toml link.toml
run run link.toml --report g.toml
check "also through a link" code 2
run run g.toml --report link.toml
check "also to a link" code 2
mv g.toml scene.toml && cp scene.toml g.toml
for command in "run scene.toml --out ." "race scene.toml --step 2 --out ."; do
    run $command
    check "'$command' is refused" code 2
    check "'$command' leaves the scene" same scene.toml "$top/g.kept"
    check "'$command' writes nothing else" test "$(ls | wc -l)" -eq 3
done
cp g.toml settings.toml
run system settings.toml --step 2 --out .
check "a system over its scene is refused" code 2
check "the scene stays" same settings.toml "$top/g.kept"
run system g.toml --step 2 --out made
check "a system is written" code 0
run race --system made --runs 1 --tolerance 1e-3 --out made
check "a race over the system that it reads is refused" code 2
run run g.toml --report made/report.ndjson
run plot made/report.ndjson --out report.csv
check "a table is drawn from a report" code 0
cp report.csv "$top/report.kept"
mkdir d d.png d.csv
for command in "run g.toml --report d" "render g.toml --steps 1 --out d.png" "plot made/report.ndjson --out d.csv" "sweep g.toml --vary threads=1 --out d"; do
    run $command
    check "'$command': a folder is refused" code 2
    check "'$command': and says so" says "it is a folder"
done
check "refused outputs leave no temporary file" noTemporary .
run run g.toml --report /dev/full
check "a device is refused" code 2
ln -s loop loop
for command in "run g.toml --out loop" "run g.toml --report loop" "sweep g.toml --vary threads=1 --out loop" "system g.toml --step 1 --out loop"; do
    run $command
    check "'$command': a loop of links is refused" code 2
done
run run g.toml --out "$(printf 'x%.0s' {1..300})"
check "a name that is too long is refused" code 2
run run g.toml --set solver.kind=eigen-ldlt --set preconditioner.kind=jacobi --set solver.kind=nonsense --out never
check "a refused run" code 2
check "a refused run makes no folder" absent never
cp g.toml bad.toml && echo 'nonsense = 1' >>bad.toml
run system bad.toml --step 1 --out never
check "a bad scene makes no folder" absent never

# --- written through
fresh
run run g.toml --report /dev/null
check "/dev/null is written through" code 0
check "and stays a device" test -c /dev/null
mkfifo pipe
cat pipe >read &
run run g.toml --report pipe
wait
check "a pipe is written through" code 0
check "its reader gets every step" test "$(wc -l <read)" -eq 5
check "it stays a pipe" test -p pipe
run run g.toml --report -
check "- is standard output" code 0
check "and has only the report" test "$(grep -c '^{"step"' "$top/out")" -eq "$(wc -l <"$top/out")"
check "the summary goes to stderr then" says "5 steps"
if [ "$(id -u)" -eq 0 ] && mknod null c 1 3 2>/dev/null; then
    run run g.toml --report null
    check "a node of /dev/null is written through" code 0
    check "and stays a device" test -c null
fi
ln -s target.ndjson link.ndjson
run run g.toml --report link.ndjson
check "a link stays a link" test -L link.ndjson
check "and its target gets the report" test "$(wc -l <target.ndjson)" -eq 5
check "nothing is left" noTemporary .

# --- standard output
fresh
for command in "run g.toml" "run g.toml --json" "scenes" "scenes --json" "check g.toml" "--help-settings" "--version" "--help" "race g.toml --step 1 --runs 1 --tolerance 1e-3 --json" \
    "reproduce --list" "reproduce chen-figure-2 --json" "system g.toml --step 1 --out s" "sweep g.toml --vary threads=1 --out sweep.ndjson"; do
    "$program" $command >/dev/full 2>"$top/err"
    got=$?
    check "'$command' on a full output ends with 1" code 1
    check "'$command' says so" says "standard output cannot be written"
    "$program" $command >&- 2>"$top/err"
    got=$?
    check "'$command' with a closed output ends with 1" code 1
done
"$program" run g.toml --report r.ndjson >&- 2>"$top/err"
check "a closed output does not get into a file" test "$(wc -l <r.ndjson)" -eq 5
check "nothing is left" noTemporary .

# --- a full disk
fullDisk() {  # in a small file system, or under a limit on the size of files
    local name=$1
    printf 'old\n' >old.ndjson
    run run g.toml --steps 2000 --report r.ndjson
    check "$name: a report on a full disk ends with 2" code 2
    check "$name: and at once" says "stopped after step"
    check "$name: it keeps whole lines" whole r.ndjson
    check "$name: it has some lines" atLeast 3 r.ndjson
    rm -f r.ndjson
    run run g.toml --steps 2000 --positions p.npy
    check "$name: positions end with 2" code 2
    check "$name: their header counts whole frames" python3 - p.npy <<'PY'
import re, sys
data = open(sys.argv[1], 'rb').read()
frames, n = map(int, re.search(rb"\((\d+), 2, (\d+), 3\)", data[:192]).groups())
steps = open('p.steps.npy', 'rb').read()
ok = frames > 0 and len(data) == 192 + frames * 2 * n * 3 * 8 and len(steps) >= 192 + 8 * frames
sys.exit(0 if ok else 1)
PY
    rm -f p.npy p.steps.npy
    run run g.toml --steps 2000 --positions p.pc2
    check "$name: a point cache ends with 2" code 2
    check "$name: its header counts whole samples" cacheWhole p.pc2
    rm -f p.pc2 p.obj
    printf 'old\n' >m.0000.obj
    run run big.toml --steps 1 --positions m.obj
    check "$name: a mesh ends with 2" code 2
    check "$name: and leaves the old one" grep -qx old m.0000.obj
    rm m.0000.obj
    run sweep g.toml --vary "integrator.dt=$(seq -s, 0.001 0.0001 0.02)" --steps 1 --out s.ndjson
    check "$name: a sweep ends with 2" code 2
    check "$name: and keeps whole lines" whole s.ndjson
    rm -f s.ndjson
    run system big.toml --step 1 --out made
    check "$name: a system ends with 2" code 2
    check "$name: and leaves no folder" absent made
    printf 'old\n' >a.png
    run render g.toml --steps 1 --size 1280x720 --out a.png
    check "$name: a picture ends with 2" code 2
    check "$name: and leaves the old one" grep -qx old a.png
    if haveFilms; then
        printf 'old\n' >a.mp4
        run render g.toml --steps 60 --size 1280x720 --out a.mp4
        check "$name: a film ends with 2" code 2
        check "$name: and leaves the old one" grep -qx old a.mp4
    fi
    check "$name: other files stay" grep -qx old old.ndjson
    check "$name: nothing is left" noTemporary .
}
fresh
sed 's/= 7/= 41/' g.toml >big.toml
mkdir small
if mount -t tmpfs -o size=48k tmpfs small 2>/dev/null; then
    mounts+=("$top/place/small")
    cp g.toml big.toml small
    cd small || exit 1
    fullDisk "full disk"
    cd ..
    umount small
else
    echo "no file system can be mounted here: a limit on the size of files replaces the full disk"
fi
fresh
sed 's/= 7/= 41/' g.toml >big.toml
(
    ulimit -f 24  # KiB
    failures=0
    fullDisk "limit"
    exit $failures
)
failures=$((failures + $?))

# --- signals to every command that writes
# signalled SIGNAL CODE COMMAND...: sends the signal to the running program; with made=PATTERN only once such a file has
# content. Checks of the files that a command leaves need this, since the first result may take any time.
signalled() {
    local signal=$1 expected=$2
    shift 2
    # A separate session, in which SIGINT is not ignored as in a shell's background jobs.
    made=${made:-} python3 - "$signal" "$program" "$@" 2>"$top/err" >"$top/out" <<'PY'
import glob, os, signal, subprocess, sys, time
number = getattr(signal, 'SIG' + sys.argv[1])
def own():
    for s in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP): signal.signal(s, signal.SIG_DFL)
p = subprocess.Popen(sys.argv[2:], preexec_fn=own, stderr=open('err', 'w'), stdout=open('out', 'w'), start_new_session=True)
# Running: it has the handler (a bit of SigCgt), has used some processor time, and has made the expected file.
bit = 1 << (number - 1)
made = os.environ['made']
end = time.time() + 60
while p.poll() is None and time.time() < end:
    status = open(f'/proc/{p.pid}/status').read()
    caught = int(next(l for l in status.splitlines() if l.startswith('SigCgt')).split()[1], 16)
    ticks = sum(map(int, open(f'/proc/{p.pid}/stat').read().rsplit(')', 1)[1].split()[11:13]))
    there = not made or any(os.path.getsize(f) for f in glob.glob(made))
    if caught & bit and ticks > 20 and there: break
    time.sleep(0.02)
p.send_signal(number)
try: code = p.wait(60)
except subprocess.TimeoutExpired: p.kill(); code = 'no end'
print(code)
PY
    got=$(tail -n 1 "$top/out")
    cp err "$top/err" && rm -f err out
    check "$signal of '$1 ...' ends with $expected" test "$got" = "$expected"
    check "$signal of '$1 ...' says so" says "signal"
    check "$signal of '$1 ...' leaves no temporary file" noTemporary .
}
# Also while the program looks for ffmpeg, which here answers slowly.
if haveFilms; then
    fresh
    mkdir bin
    printf '#!/bin/sh\n[ "$1" != -version ] || { : >asked; sleep 2; }\n: >started\nexec "%s" "$@"\n' "$(command -v ffmpeg)" >bin/ffmpeg
    chmod +x bin/ffmpeg
    python3 - "$program" >"$top/out" 2>"$top/err" <<'PY'
import os, signal, subprocess, sys, time
os.environ['PATH'] = os.getcwd() + '/bin:' + os.environ['PATH']
p = subprocess.Popen([sys.argv[1], 'render', 'g.toml', '--steps', '100000000', '--size', '64x64', '--out', 'a.mp4'], start_new_session=True,
                     preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL), stderr=subprocess.DEVNULL)
while p.poll() is None and not os.path.exists('asked') and not os.path.exists('started'): time.sleep(0.02)
p.send_signal(signal.SIGINT)
try: code = p.wait(20)
except subprocess.TimeoutExpired: p.kill(); code = 'no end'
print(code)
PY
    check "INT while ffmpeg is looked for ends with 130" test "$(cat "$top/out")" = 130
    check "INT while ffmpeg is looked for leaves no film" noTemporary .
fi
# A window needs a display, and the input of `plot` must be long enough to be interrupted.
screen=
if [ -z "${DISPLAY:-}" ] && command -v Xvfb >/dev/null; then
    Xvfb -displayfd 9 -screen 0 1280x720x24 9>"$top/display" >/dev/null 2>&1 &
    screen=$!
    for _ in $(seq 200); do [ -s "$top/display" ] && break; sleep 0.05; done
    DISPLAY=:$(cat "$top/display") && export DISPLAY
fi
python3 -c "
for k in range(400000): print('{\"step\":%d,\"time_s\":%g,\"iterations\":%d,\"total_ms\":%g}' % (k + 1, k * 0.01, k % 37, k % 11))
" >"$top/long.ndjson"
for signal in INT:130 TERM:143 HUP:129; do
    name=${signal%:*} expected=${signal#*:}
    fresh
    made='p.ndjson.clothlab-*.part' \
        signalled "$name" "$expected" run g.toml --steps 100000000 --out o --positions p.ndjson --every 1000
    check "$name: the report is whole" whole o/report.ndjson
    check "$name: the summary says what ended it" grep -q '"ended_by":"signal' o/summary.json
    check "$name: the last state is there" test -s o/last_state.npy
    check "$name: positions are whole" whole p.ndjson
    made='p.pc2.clothlab-*.part' \
        signalled "$name" "$expected" run g.toml --steps 100000000 --positions p.pc2 --every 1000
    check "$name: a point cache is whole" cacheWhole p.pc2
    made=m.0000.obj \
        signalled "$name" "$expected" run g.toml --steps 100000000 --positions m.obj --every 1000
    check "$name: the last mesh is whole" whole "$(ls m.*.obj | tail -n 1)"
    made=s.ndjson \
        signalled "$name" "$expected" sweep g.toml --vary "integrator.dt=$(seq -s, 0.0001 0.00001 0.01)" --steps 400 --out s.ndjson
    check "$name: the sweep is whole" whole s.ndjson
    printf 'old\n' >a.png
    signalled "$name" "$expected" render g.toml --steps 100000000 --out a.png
    check "$name: the old picture stays" grep -qx old a.png
    made=frames/frame_00000.png \
        signalled "$name" "$expected" render g.toml --steps 100000000 --size 64x64 --out frames
    check "$name: frames stay" test -s frames/frame_00000.png
    if haveFilms; then
        signalled "$name" "$expected" render g.toml --steps 100000000 --size 64x64 --out a.mp4
        check "$name: no part of a film is left" absent a.mp4
    fi
    signalled "$name" "$expected" system g.toml --step 100000000 --out made
    check "$name: no part of a system is left" absent made
    signalled "$name" "$expected" race g.toml --step 100000000 --out made
    check "$name: a race leaves no folder" absent made
    signalled "$name" "$expected" race hang --step 3 --runs 1000 --out made
    check "$name: an interrupted race leaves no folder" absent made
    signalled "$name" "$expected" reproduce boxerman-figure-5.8 --out sets.ndjson
    printf 'old\n' >a.png
    signalled "$name" "$expected" plot "$top/long.ndjson" --y iterations --out a.png
    check "$name: plot leaves the old picture" grep -qx old a.png
    if [ -n "${DISPLAY:-}" ]; then
        made=state.json signalled "$name" "$expected" view g.toml --state state.json
        check "$name: the window's state is whole" python3 -c 'import json; json.load(open("state.json"))'
        export XDG_CONFIG_HOME=$PWD/config
        made=config/clothlab signalled "$name" "$expected" view g.toml
        check "$name: the window remembers the scene's file" grep -q '/g.toml"' config/clothlab/window.json
        printf '{ mine' >config/clothlab/window.json
        signalled "$name" "$expected" view g.toml
        check "$name: a broken file of the window stays" grep -qx '{ mine' config/clothlab/window.json
        unset XDG_CONFIG_HOME
    fi
    check "$name: a scene stays as it was" same g.toml "$top/g.kept"
done
fresh
trap '' HUP  # as nohup does
"$program" run g.toml --steps 2000 --report r.ndjson >"$top/out" 2>"$top/err" &
victim=$!
trap - HUP
until [ -s "r.ndjson.clothlab-$victim.part" ] || ! kill -0 $victim 2>/dev/null; do sleep 0.02; done
kill -HUP $victim
wait $victim
got=$?
check "nohup: SIGHUP stays ignored" code 0

# --- a process that was killed, and two at once
fresh
"$program" run g.toml --steps 100000000 --report r.ndjson >/dev/null 2>&1 &
victim=$!
until [ -s "r.ndjson.clothlab-$victim.part" ] || ! kill -0 $victim 2>/dev/null; do sleep 0.02; done
kill -9 $victim
wait $victim 2>/dev/null
check "killed: no file has the final name" absent r.ndjson
check "killed: its part is there" test -s "r.ndjson.clothlab-$victim.part"
run run g.toml --report r.ndjson
check "the next run" code 0
check "removes that part" noTemporary .
"$program" run g.toml --steps 3000 --report r.ndjson >/dev/null 2>"$top/err1" &
first=$!
"$program" run g.toml --steps 3000 --report r.ndjson --set integrator.dt=0.005 >/dev/null 2>"$top/err2" &
second=$!
wait $first && wait $second
got=$?
check "two reports of one name: both succeed" code 0
check "two reports: one of them is there, complete" python3 - <<'PY'
import json, sys
lines = [json.loads(l) for l in open('r.ndjson')]
steps = [l['step'] for l in lines]
dt = lines[0]['time_s']
sys.exit(0 if steps == list(range(1, 3001)) and all(abs(l['time_s'] - dt * l['step']) < 1e-6 * l['step'] for l in lines) else 1)
PY
check "two reports: nothing is left" noTemporary .
"$program" sweep g.toml --vary "integrator.dt=$(seq -s, 0.001 0.00002 0.01)" --steps 200 --out s.ndjson >/dev/null 2>"$top/err1" &
first=$!
until [ -s s.ndjson ] || ! kill -0 $first 2>/dev/null; do sleep 0.02; done
run sweep g.toml --vary "integrator.dt=$(seq -s, 0.001 0.00002 0.01)" --steps 200 --out s.ndjson
check "a second sweep into the same file is refused" code 2
check "it says why" says "another program is writing"
kill -INT $first 2>/dev/null || kill -TERM $first
kill -TERM $first 2>/dev/null
wait $first
check "the first one is whole" whole s.ndjson

echo "$checks checks, $failures failures"
[ "$failures" -eq 0 ]
