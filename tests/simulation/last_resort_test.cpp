#include <fmt/format.h>

#include <cmath>

#include "geometry/intersections.hpp"
#include "scenes.hpp"

/// Scenes in which impulses between layers do not converge in many steps, so that zones or bounds take over.
namespace clothlab::simulation {
namespace {

using contact::LastResort;

scene::Scene readWith(const std::string& text, LastResort last) {
    auto scene = scene::readSceneText(text, "last-resort.toml");
    EXPECT_TRUE(scene) << (scene ? "" : scene.error().text());
    scene->settings.contact.lastResort = last;
    return std::move(*scene);
}

/// Three sheets between two plates whose gap becomes smaller than the layers are thick; then the plates move sideways
/// together.
scene::Scene press(LastResort last) {
    std::string text =
        "steps = 300\n[integrator]\ndt = 0.005\n[solver]\nkind = \"cholesky\"\n"
        "[material]\nstretch_stiffness = 20\nshear_stiffness = 1\nbend_stiffness = 0.01\nstretch_damping = 0.01\n"
        "shear_damping = 0.001\ndensity = 0.2\n"
        "[contact]\nmu_s = 0.48\nmu_k = 0.4\nself_collision = \"robust\"\nthickness = 0.05\ncloth_friction = 0.3\n";
    for (int sheet = 0; sheet < 3; ++sheet) {
        const double angle = 0.3 * sheet, c = std::cos(angle), s = std::sin(angle);
        text += fmt::format(
            "[[cloth]]\nrows = 8\ncolumns = 8\nside = 0.2\nnoise = 0.0001\nnoise_seed = {}\norigin = [{}, {}, {}]\n"
            "column_axis = [{}, 0, {}]\nrow_axis = [{}, 0, {}]\n",
            sheet + 1, -0.1 * (c + s), 0.001 + 0.0017 * sheet, -0.1 * (c - s), c, -s, s, c);
    }
    text +=
        "[[collider]]\nshape = \"box\"\nhalf_size = [0.18, 0.05, 0.18]\nposition = [0, -0.05, 0]\n"
        "keyframes = [[0.134, 0, 0, 0], [1.134, 0.2, 0, 0]]\n"
        "[[collider]]\nshape = \"box\"\nhalf_size = [0.18, 0.05, 0.18]\nposition = [0, 0.0651, 0]\n"
        "keyframes = [[0, 0, 0, 0], [0.134, 0, -0.0136, 0], [1.134, 0.2, -0.0136, 0]]\n";
    return readWith(text, last);
}

/// A strip that is twisted at its ends into a rope until it locks, and is held there.
scene::Scene rope(LastResort last) {
    return readWith(
        "steps = 300\n[integrator]\ndt = 0.00333333333333333\n[solver]\nkind = \"cholesky\"\n"
        "[material]\nstretch_stiffness = 600\nshear_stiffness = 20\nbend_stiffness = 0.005\nstretch_damping = 0.01\n"
        "shear_damping = 0.001\ndensity = 0.2\n"
        "[contact]\nself_collision = \"robust\"\nthickness = 0.02\ncloth_friction = 0.1\n"
        "[cloth]\nrows = 12\ncolumns = 40\nside = 0.5\norigin = [-0.25, 0.07, 0]\nnoise = 0.0001\n"
        "[[pins]]\nrows = \"all\"\ncolumn = 0\nvelocity = [0.1, 0, 0]\nangular_velocity = [60, 0, 0]\nstop_time = 0.8\n"
        "[[pins]]\nrows = \"all\"\ncolumn = -1\nvelocity = [-0.1, 0, 0]\nangular_velocity = [-60, 0, 0]\n"
        "stop_time = 0.8\n",
        last);
}

struct Used {
    int zones = 0, bounds = 0, freeZones = 0, turned = 0, unresolved = 0, pinched = 0;
};

/// Checks the zones of the last step.
void checkZones(const Simulation& simulation, const linalg::BlockVector& before, Used& used) {
    const StepReport& report = simulation.lastReport();
    const integrators::SimulationState& state = simulation.state();
    Index members = 0, largest = 0;
    for (const contact::ImpactZone& zone : simulation.impactZones()) {
        members += Index(zone.members.size());
        largest = std::max(largest, Index(zone.members.size()));
        if (!zone.free) continue;
        // A free zone moves rigidly and keeps its momenta. Of pushes by walls the sum is known, but not where they act.
        contact::Momentum after;
        double mass = 0, scale = 0;
        for (std::size_t k = 0; k < zone.members.size(); ++k) {
            const Index i = zone.members[k];
            const Vec3 momentum = simulation.model().mass[i] * zone.velocities[k];
            EXPECT_LE((state.v[i] - zone.velocities[k]).norm(), 1e-12 * (1 + zone.velocities[k].norm()));
            after.linear += momentum;
            after.angular += Vec3(state.x[i]).cross(momentum);
            mass += simulation.model().mass[i];
            scale += momentum.norm() + simulation.model().mass[i] * (before[i] - state.x[i]).norm();
            const Index first = zone.members.front();
            EXPECT_NEAR((state.x[i] - state.x[first]).norm(), (before[i] - before[first]).norm(), 1e-12);
        }
        EXPECT_LE((after.linear - zone.before.linear - zone.pushed).norm(), 1e-11 * scale) << report.step;
        if (zone.pushed.isZero(0.0)) {
            ++used.freeZones;
            used.turned += (after.angular - zone.before.angular).norm() > 1e-9 * scale;
        }
    }
    EXPECT_EQ(report.selfContact.inZones, members);
    EXPECT_EQ(report.selfContact.zones, Index(simulation.impactZones().size()));
    EXPECT_EQ(report.selfContact.largestZone, largest);
    EXPECT_EQ(Index(state.zones.members.size()), members);
}

/// Takes steps and checks that nothing goes through anything and that the report says what was done.
Used carried(scene::Scene scene, int steps, LastResort last) {
    const auto simulation = testing::simulate(std::move(scene));
    Used used;
    for (int n = 0; n < steps; ++n) {
        const integrators::SimulationState before = simulation->state();
        const StepReport& report = simulation->step({.keepSystem = true});
        const contact::SelfContactCounts& counts = report.selfContact;
        EXPECT_FALSE(integrators::hasFailed(report.status)) << n << ": " << report.message;
        if (integrators::hasFailed(report.status)) break;
        std::vector<Vec3> points;
        for (Index i = 0; i < before.x.size(); ++i) points.push_back(simulation->state().x[i]);
        if (counts.unresolved == 0) {
            EXPECT_TRUE(geometry::findIntersections(points, simulation->model().triangles).empty()) << n;
        }
        checkZones(*simulation, before.x, used);
        used.zones += counts.zones > 0;
        used.bounds += counts.bounded > 0;
        used.unresolved += counts.unresolved > 0;
        used.pinched += counts.pinched > 0;
        EXPECT_FALSE(counts.zones > 0 && (counts.bounded > 0 || last == LastResort::Bounds))
            << "zones and bounds in one step";
        EXPECT_EQ(report.message.empty(), report.status == integrators::StepStatus::Ok) << n;
        if (counts.unresolved + counts.pinched > 0) {
            EXPECT_EQ(report.status, integrators::StepStatus::Unconverged);
            EXPECT_NE(report.message.find(counts.unresolved > 0 ? "pairs" : "pinched"), std::string::npos);
        }
        // Particles in a zone of the step before have no freedom in this one, unless a contact with a solid holds them.
        const linalg::DofConstraints& constraints = simulation->systemOfLastStep()->constraints;
        const auto& contacts = simulation->state().contacts.contacts;
        for (const Index i : before.zones.members)
            if (std::ranges::find(contacts, i, &contact::ParticleContact::particle) == contacts.end()) {
                EXPECT_EQ(constraints.ndof(i), 0) << n;
            }
    }
    return used;
}

class LastResorts : public ::testing::TestWithParam<LastResort> {};

TEST_P(LastResorts, CarryLayersBetweenPlatesThatClose) {
    if (testing::kRacesAlone) GTEST_SKIP() << "one thread";
    const Used used = carried(press(GetParam()), testing::kSanitized ? 40 : 200, GetParam());
    EXPECT_EQ(used.unresolved, 0);
    if (testing::kSanitized) return;
    EXPECT_GE(GetParam() == LastResort::Zones ? used.zones : used.bounds, 40);
}

TEST_P(LastResorts, CarryARopeThatIsTwistedUntilItLocks) {
    if (testing::kSanitized) GTEST_SKIP() << "the few steps that there is time for have no impact";
    const Used used = carried(rope(GetParam()), 300, GetParam());
    EXPECT_EQ(used.unresolved + used.pinched, 0);
    EXPECT_GE(GetParam() == LastResort::Zones ? used.zones : used.bounds, 10);
    if (GetParam() == LastResort::Zones) {
        EXPECT_GE(used.freeZones, 5);
        EXPECT_LE(used.turned, used.freeZones / 10) << "only zones that would turn too far in a step";
    }
}

INSTANTIATE_TEST_SUITE_P(All, LastResorts, ::testing::Values(LastResort::Zones, LastResort::Bounds));

}  // namespace
}  // namespace clothlab::simulation
