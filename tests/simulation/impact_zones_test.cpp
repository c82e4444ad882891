#include <cmath>

#include "contact/robust/impact_zones.hpp"

#include "simulation/scenes.hpp"

/// Impact zones in the step after the one that made them, and the momentum that they keep.
namespace clothlab::simulation {
namespace {

using testing::simulate;

/// Moves these particles as one rigid body after every step, as contact does with the particles of an impact zone.
struct SameZone final : integrators::CandidateStage {
    std::vector<Index> members;
    explicit SameZone(std::vector<Index> zone) : members(std::move(zone)) {}
    void resolve(const integrators::SimulationState& state, integrators::StepContext& context,
                 integrators::SimulationState& candidate, integrators::StepOutcome&) override {
        linalg::BlockVector u = candidate.x;
        u.flat() -= state.x.flat();
        contact::Mobility mobility;
        mobility.reset(context.model.mass);
        const auto motion = contact::rigidMotion(members, context.model.mass, mobility, state.x, u, context.dt);
        for (std::size_t k = 0; k < members.size(); ++k) {
            candidate.x[members[k]] = state.x[members[k]] + motion.displacements[k];
            candidate.v[members[k]] = motion.velocities[k];
        }
        candidate.zones = {};
        candidate.collided = members;
        candidate.zones.add(members);
    }
};

/// A stiff sheet that hangs from two corners, at rest, with a zone of four in its middle.
std::unique_ptr<Simulation> hangingSheet(const std::string& kind, const std::string& stiffness, bool zone) {
    auto scene = *scene::findScene("ball-hit", CLOTHLAB_SOURCE_DIR "/assets");
    scene.colliders.clear();
    for (const std::string& set :
         {std::string("cloth.rows=9"), std::string("cloth.columns=9"), std::string("solver.kind=cholesky"),
          std::string("material.tension_only=false"), std::string("cloth.noise=0"), "integrator.kind=" + kind,
          "material.stretch_stiffness=" + stiffness})
        EXPECT_TRUE(scene::applyOverride(scene, set));
    auto simulation = std::move(*Simulation::create(scene, 1));
    if (zone) simulation->addStage(std::make_unique<SameZone>(std::vector<Index>{30, 31, 39, 40}));
    return simulation;
}

double fastest(const integrators::SimulationState& state) {
    double speed = 0;
    for (Index i = 0; i < state.v.size(); ++i) speed = std::max(speed, state.v[i].norm());
    return speed;
}

// Methods, oracle 58a: with the balance of a loose body instead of the system's own, such a sheet explodes within a few
// steps.
TEST(ImpactZoneMotion, AZoneOnAStiffHangingSheetStaysQuiet) {
    if (testing::kRacesAlone) GTEST_SKIP() << "one thread";
    for (const char* stiffness : {"60", "6000"})
        for (const char* kind : {"linearized-backward-euler", "bdf2", "newton-backward-euler", "fast-mass-spring"}) {
            const auto simulation = hangingSheet(kind, stiffness, true);
            // Springs of 6000 N/m snap as they buckle; the balance of a loose body exceeds 1e5 m/s.
            const double quiet = std::string(stiffness) == "60" ? 1 : 4;
            for (int n = 0; n < 300; ++n) {
                ASSERT_FALSE(integrators::hasFailed(simulation->step().status)) << kind;
                EXPECT_LT(fastest(simulation->state()), quiet) << kind << ", k = " << stiffness << ", step " << n;
                if (n > 0) {
                    EXPECT_EQ(simulation->lastReport().ndofCounts[0], 6) << "two pins and the zone";
                }
            }
            // Gravity still acts: the zone hangs about where its particles hang without one. Stiff springs are left
            // out, because they can buckle in more than one way.
            if (std::string(stiffness) == "6000") continue;
            const auto free = hangingSheet(kind, stiffness, false);
            for (int n = 0; n < 300; ++n) free->step();
            EXPECT_NEAR(simulation->state().x[40].y(), free->state().x[40].y(), 0.03) << kind << ", k = " << stiffness;
        }
}

// Methods, oracle 20a: sum m dv = h sum f_ext + sum lambda for any constraints, those of zones too.
TEST(ImpactZoneMotion, MomentumIsThatOfOutsideForcesAndConstraints) {
    if (testing::kRacesAlone) GTEST_SKIP() << "one thread";
    const auto simulation = hangingSheet("linearized-backward-euler", "600", true);
    simulation->step();
    for (int n = 0; n < 5; ++n) {
        const linalg::BlockVector before = simulation->state().v;
        simulation->step({.keepSystem = true});
        const linalg::FrozenSystem& system = *simulation->systemOfLastStep();
        linalg::BlockVector Adv(system.b.size());
        WorkerPool pool;
        linalg::multiply(system.A, system.deltaV, Adv, pool);
        Vec3 sum = Vec3::Zero();
        double largest = 0;
        const cloth::ClothModel& model = simulation->model();
        for (Index i = 0; i < Adv.size(); ++i) {
            const Vec3 momentum = model.mass[i] * system.deltaV[i];
            sum += momentum - system.dt * model.mass[i] * simulation->settings().gravity - (Adv[i] - system.b[i]);
            largest = std::max(largest, momentum.norm());
        }
        EXPECT_LE(sum.norm(), 1e-10 * largest);
        // The velocity of the zone changes as that of a rigid body.
        const integrators::SimulationState& state = simulation->state();
        for (const Index i : {30, 31, 39})
            EXPECT_NEAR((state.v[i] - before[i] - state.v[40] + before[40]).dot(state.x[i] - state.x[40]), 0, 1e-5);
    }
}

}  // namespace
}  // namespace clothlab::simulation
