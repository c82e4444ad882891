#include "integrators/schedule.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "integrators/traits.hpp"

namespace clothlab::integrators {
namespace {

constexpr double kMostStrain = 0.1, kGrowth = 1.2;
constexpr int kGoodSteps = 10, kPeriod = 100;

}  // namespace

double stepLength(const IntegratorSettings& s, const SimulationState& state) {
    const double shortest = std::min(s.dtMin, s.dt);
    switch (s.dtSchedule) {
        case DtSchedule::Fixed:
            break;
        case DtSchedule::Alternate:
            return state.step % 2 == 0 ? shortest : s.dt;
        case DtSchedule::Sine: {
            const double turn = 2 * std::numbers::pi * double(state.step % kPeriod) / kPeriod;
            const double w = 0.5 * (1 - std::cos(turn));
            return std::pow(shortest, 1 - w) * std::pow(s.dt, w);
        }
        case DtSchedule::Adaptive:
            return state.adaptiveDt > 0 ? std::clamp(state.adaptiveDt, shortest, s.dt) : s.dt;
    }
    return s.dt;
}

bool takesAgain(const IntegratorSettings& s, double dt, bool failed, double maxStrain) {
    return s.dtSchedule == DtSchedule::Adaptive && dt > s.dtMin && (failed || maxStrain > kMostStrain);
}

double shorter(const IntegratorSettings& s, double dt) { return std::max(s.dtMin, dt / 2); }

void remember(const IntegratorSettings& s, double dt, int rejected, SimulationState& state) {
    if (!traitsFor(s.kind).ownMatrix) state.factorBase = {};
    if (s.dtSchedule != DtSchedule::Adaptive) {
        state.adaptiveDt = 0;
        state.goodSteps = 0;
        return;
    }
    state.goodSteps = rejected > 0 ? 0 : state.goodSteps + 1;
    state.adaptiveDt = dt;
    if (state.goodSteps < kGoodSteps) return;
    state.adaptiveDt = std::min(s.dt, kGrowth * dt);
    state.goodSteps = 0;
}

bool startsAnew(const StepCoefficients& coefficients, const SimulationState& state, double h) {
    return coefficients.past != 0 && !(state.previousValid && state.dtPrevious == h);
}

double windTime(const StepCoefficients& coefficients, const SimulationState& state, double h) {
    return startsAnew(coefficients, state, h) ? state.time : state.time + coefficients.windAt * h;
}

}  // namespace clothlab::integrators
