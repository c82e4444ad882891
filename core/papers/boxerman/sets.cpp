#include <fmt/format.h>

#include <cmath>

#include "papers/boxerman/boxerman.hpp"
#include "papers/sets.hpp"

/// [B] §5.3.1: the grid of parameters, and the systems of 500 random sets of it.
namespace clothlab::simulation::boxerman {
namespace {

constexpr double kC = 0.01;

struct Plan {
    std::vector<int> sides;
    int sets;
    double seconds;  ///< simulated, a set
    int samples;     ///< systems of a set that are solved
};

Plan planOf(const ReproduceOptions& options) {
    Plan plan{.sides = {}, .sets = 500, .seconds = 1, .samples = 10};
    for (int side = 5; side <= 80; side += 5) plan.sides.push_back(side);
    if (options.quick) plan = {.sides = {10, 20, 30, 40}, .sets = 36, .seconds = 1, .samples = 5};
    if (options.side > 0) plan = {.sides = {options.side / 2, options.side}, .sets = 12, .seconds = 0.6, .samples = 4};
    return plan;
}

scene::Scene randomSet(scene::Scene scene, Scenario scenario, int side, std::mt19937 random) {
    const Cloth drawn = drawnOfSection531([&](std::initializer_list<double> values) { return pick(random, values); });
    wear(scene.settings, drawn);
    scene::ClothPatch& cloth = scene.cloths.front();
    cloth.rows = cloth.columns = side;
    cloth.topology = cloth::Topology::ChoiKo16;
    cloth.gather = 1;
    if (scenario == Scenario::SlidingSphere) {
        // Without friction and off the middle: ndof 2 wherever it touches.
        scene.settings.contact.muS = scene.settings.contact.muK = 0;
        scene.colliders.front().position += Vec3(0.03, 0, 0.05);
    }
    stepWith(scene, drawn.dt, mpcg(toleranceOf(kReadings[0], drawn.dt), kPreconditioners[kConstrained]));
    return scene;
}

/// (4.8), with the mass of a particle in the middle: density times the square of the spacing.
double numericalStiffness(const scene::Scene& scene) {
    const cloth::MaterialSettings& m = scene.settings.material;
    const double dt = scene.settings.integrator.dt,
                 spacing = scene.cloths.front().side / (scene.cloths.front().columns - 1);
    return dt / (m.density * spacing * spacing) * (dt * m.stretchStiffness + 2 * m.stretchDamping);
}

/// Three preconditioners by three readings; a solver each, so that only a first solve allocates.
class Field {
public:
    explicit Field(double dt) {
        for (std::size_t r = 0; r < kReadings.size(); ++r)
            for (std::size_t p = 0; p < kPreconditioners.size(); ++p) {
                const Method method = mpcg(toleranceOf(kReadings[r], dt), kPreconditioners[p]);
                solvers_[r][p] = solvers::makeSolver(method.solver, method.preconditioner);
            }
    }

    void solve(const linalg::LinearSystem& system, SetResult& sums, WorkerPool& pool, const std::stop_token& stop) {
        for (std::size_t r = 0; r < kReadings.size(); ++r)
            for (std::size_t p = 0; p < kPreconditioners.size(); ++p) {
                solvers_[r][p]->solve(system, deltaV_, summary_, {.stop = stop}, pool);
                sums.iterations[r][p] += summary_.iterations;
                if (r == 0) sums.milliseconds[p] += 1e3 * (summary_.totalSeconds - summary_.analyzeSeconds);
            }
        sums.constrained += double(system.constraints.constrained().size()) / system.A.rows();
        ++sums.systems;
    }

private:
    std::array<std::array<std::unique_ptr<solvers::Solver>, 3>, 3> solvers_;
    linalg::BlockVector deltaV_;
    solvers::SolveSummary summary_;
};

void sumsToMeans(SetResult& set) {
    const double n = std::max(set.systems, 1);
    set.constrained /= n;
    for (auto& reading : set.iterations)
        for (double& count : reading) count /= n;
    for (double& ms : set.milliseconds) ms /= n;
}

SetResult runSet(scene::Scene scene, const Plan& plan, const ReproduceOptions& options, const ReproduceControl& control,
                 WorkerPool& pool) {
    const double dt = scene.settings.integrator.dt;
    SetResult out{.side = scene.cloths.front().rows, .numericalStiffness = numericalStiffness(scene)};
    const int steps = static_cast<int>(std::lround(plan.seconds / dt)), every = std::max(1, steps / plan.samples);
    Field field(dt);
    const auto onSystem = [&](const StepReport& report, const linalg::FrozenSystem& system) {
        if (report.step % every == 0) field.solve(system.view(), out, pool, control.stop);
        return false;
    };
    out.diverged = !systemOfStep(std::move(scene), {.step = steps, .onSystem = onSystem}, options, control);
    sumsToMeans(out);
    return out;
}

constexpr std::array kReadingKeys{"ck2", "ck", "ck_of_tol2"};

records::Entries entriesOf(const SetResult& set) {
    records::Entries out{{"side", double(set.side)},
                         {"numerical_stiffness", set.numericalStiffness},
                         {"systems", double(set.systems)},
                         {"constrained", set.constrained},
                         {"diverged", double(set.diverged)}};
    for (std::size_t p = 0; p < kPreconditioners.size(); ++p) {
        const std::string name(enumKey(kPreconditioners[p]));
        for (std::size_t r = 0; r < kReadings.size(); ++r)
            out.emplace_back(fmt::format("{}_iterations_{}", name, kReadingKeys[r]), set.iterations[r][p]);
        out.emplace_back(name + "_ms", set.milliseconds[p]);
    }
    return out;
}

SetResult resultOf(const records::Entries& values) {
    SetResult out{.side = int(records::numberOf(values, "side")),
                  .numericalStiffness = records::numberOf(values, "numerical_stiffness"),
                  .systems = int(records::numberOf(values, "systems")),
                  .constrained = records::numberOf(values, "constrained"),
                  .diverged = records::numberOf(values, "diverged") != 0};
    for (std::size_t p = 0; p < kPreconditioners.size(); ++p) {
        const std::string name(enumKey(kPreconditioners[p]));
        for (std::size_t r = 0; r < kReadings.size(); ++r)
            out.iterations[r][p] = records::numberOf(values, fmt::format("{}_iterations_{}", name, kReadingKeys[r]));
        out.milliseconds[p] = records::numberOf(values, name + "_ms");
    }
    return out;
}

}  // namespace

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

records::Entries entriesOf(const Cloth& c) {
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

double toleranceOf(Reading reading, double dt) {
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

Expected<SetResults> runSets(Scenario scenario, const ReproduceOptions& options, const ReproduceControl& control) {
    const Plan plan = planOf(options);
    WorkerPool pool(options.threads);
    const auto sides = static_cast<int>(plan.sides.size());
    const auto sideOf = [&](int set) { return plan.sides[static_cast<std::size_t>(set % sides)]; };
    const auto run = [&](int set) -> Expected<records::Entries> {
        auto scene = paperScene(scenario == Scenario::TwoCorners ? "hang" : "drape-sphere", options, {});
        if (!scene) return tl::unexpected(scene.error());
        return entriesOf(runSet(randomSet(std::move(*scene), scenario, sideOf(set), randomOf(options, set / sides)),
                                plan, options, control, pool));
    };
    const auto label = [&](int set) { return fmt::format("{0} x {0}", sideOf(set)); };
    const char* where = scenario == Scenario::TwoCorners ? "two corners" : "sphere";
    const auto sets = simulation::runSets(
        {.experiment = fmt::format("boxerman-section-5.3.1, {}", where), .sets = plan.sets, .label = label, .run = run},
        options, control);
    if (!sets) return tl::unexpected(sets.error());
    SetResults out{.sets = {}, .planned = sets->planned, .stopped = sets->stopped};
    for (const FinishedSet& set : sets->sets)
        if (const SetResult result = resultOf(set.values); result.systems > 0) out.sets.push_back(result);
    return out;
}

}  // namespace clothlab::simulation::boxerman
