#include "model/quadratic_state.hpp"

#include <algorithm>

namespace clothlab::app::model {

void QuadraticState::take(int which) {
    example = which;
    form = experiments::planeExamples()[which].form;
    start = experiments::planeExamples()[which].start;
    step = 0;
    playing = false;
    solve();
}

void QuadraticState::solve() {
    for (std::size_t m = 0; m < kMethods; ++m)
        iterates[m] = experiments::iterates(form, experiments::PlaneMethod(experiments::kPlaneMethods[m].value), start);
    step = std::min(step, steps());
}

std::size_t QuadraticState::steps() const {
    std::size_t most = 0;
    for (std::size_t m = 0; m < kMethods; ++m)
        if (shown[m]) most = std::max(most, iterates[m].size() - 1);
    return most;
}

void QuadraticState::forward() { step = std::min(step + 1, steps()); }

}  // namespace clothlab::app::model
