#pragma once

#include <string>
#include <vector>

#include "scene/scene.hpp"

/// Motions whose bits are on record: what a change to the code must leave as it is, or say that it does not.
///
/// A case is a scene of the program, some assignments as `--set` takes them, and a number of steps; its result is the
/// hash of the last state. The cases are made from the tables of methods, so a new integrator, solver, preconditioner
/// or scene has some.
namespace clothlab::golden {

struct Case {
    std::string name;  ///< "hang", "hang/integrator=bdf2"
    std::string scene;
    std::vector<std::string> sets;  ///< key=value
    int steps = 0;
};

std::vector<Case> allCases(const std::vector<std::string>& scenes);

/// "100 ok 160dd124599d8248": steps that were made, how it ended, hash of the last state; or "refused: " and why. The
/// same at any number of threads.
std::string resultOf(const Case& one, const std::string& assets, int threads);

}  // namespace clothlab::golden
