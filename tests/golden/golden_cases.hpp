#pragma once

#include <string>
#include <vector>

#include "scene/scene.hpp"

/// Motions whose bits are recorded. A change to the code must keep them or renew the record.
///
/// A case is a built-in scene, some assignments as for `--set`, and a number of steps; its result is the hash of the
/// last state. The cases are made from the tables of methods, so a new integrator, solver, preconditioner or scene has
/// cases at once.
namespace clothlab::golden {

struct Case {
    std::string name;  ///< "hang", "hang/integrator=bdf2"
    std::string scene;
    std::vector<std::string> sets;  ///< key=value
    int steps = 0;
};

std::vector<Case> allCases(const std::vector<std::string>& scenes);

/// "100 ok 160dd124599d8248": steps, outcome and hash of the last state; or "refused: " and the reason. The same at any
/// number of threads.
std::string resultOf(const Case& one, const std::string& assets, int threads);

}  // namespace clothlab::golden
