#include "integrators/descent/line_search.hpp"

#include <cmath>
#include <limits>

namespace clothlab::integrators {

double searchLine(StepObjective& objective, const DescentLine& line, double first, double& value,
                  linalg::BlockVector& trial, WorkerPool& pool) {
    constexpr double kArmijo = 1e-4, kShortest = 1e-6;
    // Below this a difference of two values of g is round-off.
    const double blur = 16 * std::numeric_limits<double>::epsilon() * std::abs(value);
    if (trial.size() != line.x.size()) trial.resize(line.x.size());
    for (double share = first; share >= kShortest * first; share /= 2) {
        trial.flat() = line.x.flat() + share * line.unit * line.direction.flat();
        const double reached = objective.value(trial, pool);
        if (!(reached <= value + kArmijo * share * line.slope + blur)) continue;
        value = reached;
        return share;
    }
    return 0;
}

}  // namespace clothlab::integrators
