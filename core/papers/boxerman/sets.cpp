#include <cmath>

#include "papers/boxerman/boxerman.hpp"
#include "solvers/kind.hpp"

/// [B] §5.3.1: the grid of parameters, and the systems of 500 random sets of it.
namespace clothlab::papers::boxerman {
namespace {

constexpr double kC = 0.01;

scene::Scene randomSheet(scene::Scene scene, const Cloth& drawn, Scenario scenario) {
    applyCloth(scene.settings, drawn);
    scene::ClothPatch& cloth = scene.cloths.front();
    cloth.rows = cloth.columns = drawn.side;
    cloth.topology = cloth::Topology::ChoiKo16;
    cloth.gather = 1;
    if (scenario == Scenario::SlidingSphere) {
        // Without friction and off the middle: ndof 2 wherever it touches.
        scene.settings.contact.muS = scene.settings.contact.muK = 0;
        scene.colliders.front().position += Vec3(0.03, 0, 0.05);
    }
    stepWith(scene, drawn.dt, mpcg(computeTolerance(kReadings[0], drawn.dt), kPreconditioners[kConstrained]));
    return scene;
}

/// Three readings by three preconditioners, and what their solves come to.
class Field {
public:
    Field(double dt, Job& job) : job_(job) {
        for (const Reading reading : kReadings)
            for (const auto kind : kPreconditioners)
                solvers_.emplace_back(mpcg(computeTolerance(reading, dt), kind), job.pool);
    }

    void solve(const linalg::LinearSystem& system) {
        solveInTurn(solvers_, system, 1, job_);
        for (std::size_t k = 0; k < solvers_.size(); ++k) {
            iterations_[k] += solvers_[k].summary.iterations;
            milliseconds_[k] += solvers_[k].ms;
        }
        constrained_ += double(system.constraints.constrained().size()) / system.A.rows();
        ++systems_;
    }

    records::Entries means(bool diverged) const {
        const double n = std::max(systems_, 1);
        records::Entries out{
            {"systems", double(systems_)}, {"constrained", constrained_ / n}, {"diverged", double(diverged)}};
        for (std::size_t p = 0; p < kPreconditioners.size(); ++p) {
            for (std::size_t r = 0; r < kReadings.size(); ++r)
                out.emplace_back(iterationsKey(r, p), iterations_[kPreconditioners.size() * r + p] / n);
            out.emplace_back(millisecondsKey(p), milliseconds_[p] / n);
        }
        return out;
    }

private:
    Job& job_;
    std::vector<KeptSolver> solvers_;  // by reading, then preconditioner
    std::array<double, kReadings.size() * kPreconditioners.size()> iterations_{}, milliseconds_{};
    double constrained_ = 0;  // share of the particles that are
    int systems_ = 0;
};

Expected<records::Entries> solvedByAll(const Extent& extent, int set, Scenario scenario, Job& job) {
    auto scene = paperScene(scenario == Scenario::TwoCorners ? "hang" : "drape-sphere", job);
    if (!scene) return fail(scene.error());
    std::mt19937 random = randomStream(job.options, extent.roundAt(set));
    Cloth c = drawnOfSection531([&](std::initializer_list<double> values) { return pick(random, values); });
    c.side = extent.sideAt(set);
    c.spacing = scene->cloths.front().side / (c.side - 1);
    Field field(c.dt, job);
    const int every = extent.sampledEvery(c.dt);
    const auto after = [&](const Simulation& simulation) {
        if (simulation.lastReport().step % every == 0) field.solve(simulation.systemOfLastStep()->view());
    };
    const auto stepped = walk(randomSheet(std::move(*scene), c, scenario),
                              {.steps = extent.steps(c.dt), .systemsFrom = 1, .after = after}, job);
    return joined(
        {{"side", double(c.side)}, {"numerical_stiffness", numericalStiffness(c, c.stretch, c.stretchDamping, c.dt)}},
        field.means(!stepped));
}

}  // namespace

std::string iterationsKey(std::size_t reading, std::size_t preconditioner) {
    return fmt::format("{}_iterations_{}", enumKey(kPreconditioners[preconditioner]), kReadingKeys[reading]);
}

std::string millisecondsKey(std::size_t preconditioner) {
    return fmt::format("{}_ms", enumKey(kPreconditioners[preconditioner]));
}

Extent growingSheets(const Job& job, const Amounts& sets, const Amounts& samples, double testSeconds) {
    std::vector<int> all;
    for (int side = 5; side <= 80; side += 5) all.push_back(side);
    const int asked = job.options.side;
    return {.sides = asked > 0 ? std::vector{asked / 2, asked} : job.choose(all, {10, 20, 30, 40}, {10, 20}),
            .sets = job.choose(sets[0], sets[1], sets[2]),
            .seconds = job.choose(1.0, 1.0, testSeconds),
            .samples = job.choose(samples[0], samples[1], samples[2])};
}

Cloth drawnOfSection531(const std::function<double(std::initializer_list<double>)>& pick) {
    Cloth c;
    c.density = pick({0.05, 0.1, 0.2, 0.5});
    c.stretch = pick({300, 600, 1000, 2000, 3000});
    c.shear = pick({300, 600, 1000, 2000, 3000});
    c.bend = pick({0.001, 0.01, 0.1});
    c.stretchDamping = pick({0, 0.01, 0.1, 1, 10});
    c.shearDamping = pick({0, 0.01, 0.1, 1, 10});
    c.drag = pick({0, 0.001, 0.003});
    c.dt = pick({0.005, 0.01, 0.015, 0.02});
    return c;
}

records::Entries toEntries(const Cloth& c) {
    return {{"side", double(c.side)},
            {"spacing", c.spacing},
            {"density", c.density},
            {"stretch_stiffness", c.stretch},
            {"shear_stiffness", c.shear},
            {"bend_stiffness", c.bend},
            {"stretch_damping", c.stretchDamping},
            {"shear_damping", c.shearDamping},
            {"drag", c.drag},
            {"dt", c.dt}};
}

double computeTolerance(Reading reading, double dt) {
    switch (reading) {
        case Reading::TolIsCkSquared:
            return kC * dt * dt;
        case Reading::TolIsCk:
            return kC * dt;
        case Reading::TolSquaredIsCk:
            return std::sqrt(kC * dt);
    }
    return 0;
}

Method mpcg(double tolerance, preconditioners::PreconditionerKind preconditioner, solvers::MpcgVariant variant,
            bool warm) {
    return {{.kind = solvers::SolverKind::Mpcg,
             .tolerance = tolerance,
             .stopping = solvers::Stopping::PNorm,
             .maxIterations = 20000,
             .warmStart = warm,
             .mpcgVariant = variant},
            {.kind = preconditioner}};
}

void stepWith(scene::Scene& scene, double dt, const Method& method) {
    scene.settings.integrator.dt = dt;
    scene.settings.solver = method.solver;
    scene.settings.preconditioner = method.preconditioner;
}

SetExperiment setsOfSection531(Scenario scenario, Job& job) {
    const Extent extent = growingSheets(job, {500, 36, 12}, {10, 5, 4}, 0.6);
    const char* where = scenario == Scenario::TwoCorners ? "two corners" : "sphere";
    return {.name = fmt::format("boxerman-section-5.3.1, {}", where), .extent = extent, .run = [=, &job](int set) {
                return solvedByAll(extent, set, scenario, job);
            }};
}

}  // namespace clothlab::papers::boxerman
