#pragma once

#include <array>
#include <vector>

#include "experiments/systems/quadratic_form.hpp"

namespace clothlab::app::model {

/// Two unknowns as the panel has them: the form, where to start, which methods are shown and how many of their steps.
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
    /// Form or start are others now: solves anew. What is shown of it stays as far as there are steps.
    void solve();
    /// Of the longest method shown.
    std::size_t steps() const;
    void forward();
    void back() { playing = false, step -= step > 0; }
    /// The iterate shown of a method: its last one when it has arrived before.
    const experiments::PlaneIterate& now(std::size_t method) const {
        return iterates[method][std::min(step, iterates[method].size() - 1)];
    }
};

}  // namespace clothlab::app::model
