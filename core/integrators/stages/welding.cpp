#include "integrators/stages/welding.hpp"

#include <Eigen/LU>
#include <algorithm>

#include "cloth/joined_particles.hpp"
#include "cloth/sewing.hpp"

namespace clothlab::integrators {

void WeldingStage::findPlaces(const SimulationState& state, const cloth::ClothModel& model) {
    members_.clear();
    cloth::JoinedParticles groups(model.particles());
    std::vector<Index> ends;
    for (const cloth::SewingThread& t : model.threads) {
        const bool closed = (state.x[t.j] - state.x[t.i]).norm() <= cloth::closedLength(t);
        if (!t.welds || state.time < t.time || !closed) continue;
        groups.join(t.i, t.j);
        ends.insert(ends.end(), {t.i, t.j});
    }
    for (const Index i : ends) members_.push_back({groups.findFirst(i), i});
    std::ranges::sort(members_);
    members_.erase(std::unique(members_.begin(), members_.end()), members_.end());
}

/// Whether pins or solids hold two of them apart.
bool WeldingStage::areParted(std::span<const std::array<Index, 2>> place, const SimulationState& candidate) const {
    constexpr double kHair = 1e-9;  // m
    const auto held = std::ranges::find_if(place, [&](const auto& m) { return held_.holds(m[1]); });
    if (held == place.end()) return false;
    const Mat3 taken = Mat3::Identity() - held_.freeDirections((*held)[1]);
    return std::any_of(held + 1, place.end(), [&](const auto& m) {
        if (!held_.holds(m[1])) return false;
        const Mat3 alsoTaken = Mat3::Identity() - held_.freeDirections(m[1]);
        return (alsoTaken * (taken * (candidate.x[m[1]] - candidate.x[(*held)[1]]))).norm() > kHair;
    });
}

void WeldingStage::join(const cloth::ClothModel& model, std::span<const std::array<Index, 2>> place,
                        SimulationState& candidate) const {
    constexpr double kHeld = 1e9;  // times as heavy as all of them
    double mass = 0;
    for (const auto& [first, i] : place) mass += model.mass[i];
    Mat3 sum = Mat3::Zero();
    Vec3 at = Vec3::Zero(), velocity = Vec3::Zero();
    for (const auto& [first, i] : place) {
        Mat3 weight = model.mass[i] * Mat3::Identity();
        if (held_.holds(i)) weight += kHeld * mass * (Mat3::Identity() - held_.freeDirections(i));
        sum += weight;
        at += weight * (candidate.x[i] - candidate.x[place[0][1]]);
        velocity += weight * candidate.v[i];
    }
    const Mat3 inverse = sum.inverse();
    at = candidate.x[place[0][1]] + inverse * at;
    velocity = inverse * velocity;
    for (const auto& [first, i] : place) {
        if (welds_ == Welds::Places) candidate.x[i] = at;
        candidate.v[i] = velocity;
    }
}

void WeldingStage::resolve(const SimulationState& state, StepContext& context, SimulationState& candidate,
                           StepOutcome&) {
    if (context.model.threads.empty()) return;
    findPlaces(state, context.model);
    if (members_.empty()) return;
    held_.take(state, context, candidate);
    for (auto begin = members_.begin(); begin != members_.end();) {
        const auto end = std::find_if(begin, members_.end(), [&](const auto& m) { return m[0] != (*begin)[0]; });
        if (!areParted({begin, end}, candidate)) join(context.model, {begin, end}, candidate);
        begin = end;
    }
}

}  // namespace clothlab::integrators
