#pragma once

#include <array>
#include <vector>

#include "experiments/systems/quadratic_form.hpp"

namespace clothlab::app::model {

/// State of the panel of two unknowns: the form, the start, the methods shown and their step.
struct QuadraticState {
    static constexpr std::size_t kMethods = experiments::kPlaneMethods.size();

    bool playing = false;
    int example = 0;
    experiments::QuadraticForm form;
    experiments::Plane start;
    std::array<bool, kMethods> shown{true, false, true, false};
    std::size_t step = 0;
    std::array<std::vector<experiments::PlaneIterate>, kMethods> iterates;  ///< of `form` from `start`, shown or not

    QuadraticState() { take(0); }
    /// Form and start of an example; back to the start.
    void take(int which);
    /// Solves again after a change of form or start. The step shown is kept as far as there are steps.
    void solve();
    /// Step count of the longest method shown.
    std::size_t steps() const;
    void forward();
    void back() { playing = false, step -= step > 0; }
    /// The iterate shown of a method: its last one if it has converged before.
    const experiments::PlaneIterate& now(std::size_t method) const {
        return iterates[method][std::min(step, iterates[method].size() - 1)];
    }
};

}  // namespace clothlab::app::model
