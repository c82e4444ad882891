#pragma once

#include <string>

#include "base/errors.hpp"
#include "base/output.hpp"
#include "commands/exit_codes.hpp"
#include "scene/scene.hpp"

namespace clothlab::app::commands {

/// To standard output, at once. Returns kExitDone, or kExitDiverged with a message when it did not arrive.
int say(const std::string& text);
/// "clothlab: hang.toml:12:8: ..." on stderr; returns kExitUsage.
int complain(const Error& error);
/// What a user should know and that ends nothing, on stderr; empty = nothing.
void remark(const std::string& note);
/// A sentence about what was done: to standard output, or to stderr where an output of the command has taken that.
int report(const std::string& text, bool outputTaken);

/// "clothlab: stopped WHAT: signal 15" on stderr when a signal has come; returns the exit code of that, or `otherwise`.
int endOf(const std::string& what, int otherwise);

/// What a command that runs this scene reads: no output may be it.
InputFiles inputsOf(const scene::Scene& scene);

}  // namespace clothlab::app::commands
