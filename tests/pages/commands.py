#!/usr/bin/env python3
"""Runs every command that the pages for readers have, in an empty folder, in their order: each has to end with 0.

commands.py PROGRAM REPOSITORY

Commands are lines of code blocks, and code within sentences, that begin with `clothlab` or `./scripts/run`. Those that open a window
run under a virtual display and end after three frames. An example of Python that reads their files is run, too.
"""

import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

PAGES = ["README.md", "docs/first-hour.md", "docs/lecture.md"]
WINDOWLESS = {"run", "render", "system", "race", "reproduce", "sweep", "plot", "trials", "scenes", "lesson", "check"}
# A word that stands for what the reader fills in.
FILLED = {"NAME": "core-flat", "DIR": "out/hang40"}
# A program of the reader's own.
SKIPPED = {"clothlab race hang --step 40 --with NAME='COMMAND {dir}'"}


def commands(page):
    """The commands of a page and its Python blocks, in their order."""
    block = None
    text = page.read_text().replace("\\\n", " ")
    for line in text.splitlines():
        fence = re.match(r"\s*```(\w*)", line)
        if fence:
            if block is not None and "import" in block:
                yield block
            block = None if block is not None else ""
        elif block is not None:
            block += line + "\n"
            found = re.match(r"\s*(?:\$ )?((?:clothlab|\./scripts/run)\b.*)", line)
            if found:
                yield found[1]
        else:
            yield from re.findall(r"`((?:clothlab|\./scripts/run)\b[^`]*)`", line)


def prepare(folder, repository):
    """The files of the reader's own that commands name."""
    for name in ("my", "mine"):
        shutil.copy(repository / "assets/scenes/hang.toml", folder / f"{name}.toml")
    shutil.copy(repository / "assets/lessons/core-flat.md", folder / "mine.md")


def run(command, program, folder):
    """Runs a command; returns why it failed, or nothing."""
    if "\n" in command:
        words = ["/usr/bin/python3", "-c", command]
    else:
        words = [FILLED.get(word, word) for word in shlex.split(command, comments=True)][1:]
        if not words or words[0].startswith("-") and words[0] != "--version" and words[0] != "--licences":
            words = ["view"] + words
        window = words[0] not in WINDOWLESS and not words[0].startswith("-")
        words = [program, *words]
        if window:
            words = ["xvfb-run", "-a", "-s", "-screen 0 1920x1080x24", *words, "--frames", "3"]
    try:
        done = subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=600)
    except subprocess.TimeoutExpired:
        return "it took more than ten minutes"
    return None if done.returncode == 0 else f"exit code {done.returncode}: {done.stderr.strip()[-500:]}"


def main():
    program, repository = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2])
    failures = ran = 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        prepare(folder, repository)
        for page in PAGES:
            for command in commands(repository / page):
                if command in SKIPPED:
                    continue
                ran += 1
                why = run(command, program, folder)
                failures += why is not None
                print(f"{'FAILED' if why else 'ok'}  {page}: {command.splitlines()[0]}" + (f"\n        {why}" if why else ""), flush=True)
    print(f"{ran} commands, {failures} failed")
    sys.exit(1 if failures or ran < 30 else 0)


main()
