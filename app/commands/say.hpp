#pragma once

#include <string>

#include "base/errors.hpp"
#include "base/output.hpp"
#include "commands/exit_codes.hpp"
#include "scene/scene.hpp"

namespace clothlab::app::commands {

/// Writes to standard output, flushed. Returns kExitDone, or kExitDiverged with a message when writing fails.
int say(const std::string& text);
/// "clothlab: hang.toml:12:8: ..." on stderr; returns kExitUsage.
int complain(const Error& error);
/// A warning on stderr; empty = none.
void remark(const std::string& note);
/// A summary sentence: to standard output, or to stderr where standard output carries the command's data.
int report(const std::string& text, bool outputTaken);

/// "clothlab: stopped WHAT: signal 15" on stderr after a signal; returns the exit code of that, or `otherwise`.
int signalExitCode(const std::string& what, int otherwise);

/// The input files of a command that runs this scene: no output may overwrite them.
InputFiles listInputs(const scene::Scene& scene);

}  // namespace clothlab::app::commands
