#include "worker/snapshots/self_contact_view.hpp"

#include <utility>

#include "cloth/sewing.hpp"
#include "geometry/intersections.hpp"
#include "simulation/simulation.hpp"
#include "worker/snapshots/component_tones.hpp"

namespace clothlab::app::worker {
namespace {

void fillKinds(const simulation::Simulation& simulation, SelfContactView& view) {
    contact::SelfContactPicture picture;
    if (!simulation.selfContact(picture)) return;
    view.kinds = std::move(picture.kinds);
    view.nears.reserve(picture.nears.size());
    for (const auto& [a, b] : picture.nears)
        view.nears.push_back({float(a.x()), float(a.y()), float(a.z()), float(b.x()), float(b.y()), float(b.z())});
}

/// Zones are part of the state, so they are known after a jump too; no step leads to the start.
void fillZones(const simulation::Simulation& simulation, ComponentView& view) {
    const integrators::SimulationState& state = simulation.state();
    if (state.step == 0) return;
    linalg::Components zones;
    zones.of.assign(std::size_t(state.x.size()), 0);
    zones.rows = state.zones.members;
    zones.start = {0};
    zones.start.insert(zones.start.end(), state.zones.ends.begin(), state.zones.ends.end());
    for (Index zone = 1; zone <= zones.count(); ++zone) {
        for (const Index i : zones.rowsIn(zone)) zones.of[i] = zone;
        view.size.push_back(zones.size(zone));
    }
    view.tone = assignTones(zones, simulation.model().springs);
    view.of = std::move(zones.of);
}

void fillIntersections(const simulation::Simulation& simulation, IntersectionView& view) {
    const integrators::SimulationState& state = simulation.state();
    std::vector<Vec3> points;
    points.reserve(std::size_t(state.x.size()));
    for (Index i = 0; i < state.x.size(); ++i) points.push_back(state.x[i]);
    const auto whole = cloth::wholeTriangles(simulation.model(), state.brokenSprings);
    for (const auto& [edge, triangle] :
         geometry::findIntersections(points, whole, cloth::findSeams(simulation.model())))
        view.pairs.push_back({edge, whole[triangle]});
    view.searched = true;
}

}  // namespace

void fillSelfContact(const simulation::Simulation& simulation, const OverlayRequest& request, Snapshot& snapshot) {
    snapshot.selfContact = {};
    snapshot.zones = {};
    snapshot.intersections = {};
    if (request.selfContact) fillKinds(simulation, snapshot.selfContact);
    if (request.zones) fillZones(simulation, snapshot.zones);
    if (request.intersections) fillIntersections(simulation, snapshot.intersections);
}

}  // namespace clothlab::app::worker
