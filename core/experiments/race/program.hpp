#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/errors.hpp"

/// A contestant that is a user's program. It gets a folder with the system and the tolerance, and answers with the
/// solution and its times in the same folder (docs/contestants/README.md).
///
/// Its command runs with the user's rights. It comes only from the command line or the user's configuration, never from
/// a scene, recording or bundle.
namespace clothlab::experiments {

struct Program {
    std::string name;     ///< of its row; empty = none
    std::string command;  ///< for /bin/sh, with {dir} for the name of the folder

    bool operator==(const Program&) const = default;
};

/// "NAME=COMMAND {dir}", or the NAME of a configured one. An Error says what is missing.
Expected<Program> readProgram(const std::string& text, std::span<const Program> configured = {});
/// The command with the name of the folder in it.
std::string commandFor(const Program& program, const std::string& folder);

/// The user's own list: $XDG_CONFIG_HOME/clothlab/contestants.json, or the same in ~/.config; empty if the
/// environment names neither folder.
std::string programsFile();
/// {"version": 1, "contestants": [{"name": "petsc icc", "command": "python3 icc.py {dir}"}]}. A missing file counts as
/// empty. An Error has line and column.
Expected<std::vector<Program>> readPrograms(const std::string& file);
Expected<std::vector<Program>> programsIn(std::string_view json, const std::string& file);

}  // namespace clothlab::experiments
