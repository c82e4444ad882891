#include "papers/stepped_system.hpp"

#include <algorithm>

#include "geometry/fillings/t_shirt.hpp"
#include "scene/toml/mesh_reader.hpp"

namespace clothlab::papers {

double restMs(const simulation::StepReport& report) {
    return std::max(0.0, report.stepMs - report.analyzeMs - report.factorMs - report.solveMs);
}

Expected<scene::Scene> paperScene(std::string_view name, const Job& job, const std::vector<std::string>& sets) {
    auto scene = scene::findScene(std::string(name), job.options.assetsFolder);
    if (!scene) return scene;
    scene::removeRoomFloor(*scene);
    for (const std::vector<std::string>& assignments : {job.options.overrides, sets})
        for (const std::string& assignment : assignments)
            if (auto done = scene::applyOverride(*scene, assignment); !done) return fail(done.error());
    return scene;
}

std::vector<std::string> square(int side) {
    return {fmt::format("cloth.rows={}", side), fmt::format("cloth.columns={}", side)};
}

Expected<scene::Scene> shirtScene(int side, Worn worn, const Job& job, const std::vector<std::string>& sets) {
    auto scene = paperScene("ye-tshirt", job, sets);
    if (!scene) return scene;
    scene::ClothPatch &shirt = scene->cloths.front(), &sheet = scene->cloths.back();
    const double coarser = double(sheet.rows - 1) / (side - 1);
    sheet.rows = sheet.columns = side;
    if (coarser != 1)
        shirt.mesh = scene::tShirtSource(std::min(geometry::kCoarsestTShirt, coarser * shirt.mesh.garmentSpacing));
    if (worn == Worn::ShirtAlone) scene->cloths.pop_back();
    return scene;
}

std::vector<std::string> fastStepping() {
    return {"solver.kind=reduced-pcg", "preconditioner.kind=matrix-core", "solver.stopping=residual",
            "solver.tolerance=1e-6"};
}

namespace {

/// For a scene that a table builds in code: takes those settings of the options that the table leaves at their
/// defaults.
Expected<void> applyOverrides(scene::Scene& made, const Job& job) {
    const auto overrideValue = [](scene::Scene of, const std::string& key) {
        const auto field = scene::overrideField(of, key);
        return field ? valueText(field->ref) : std::string();
    };
    scene::Scene usual;
    usual.cloths.emplace_back();
    for (const std::string& assignment : job.options.overrides) {
        const std::string key = assignment.substr(0, assignment.find('='));
        if (overrideValue(made, key) != overrideValue(usual, key)) continue;
        if (auto done = scene::applyOverride(made, assignment); !done) return done;
    }
    return {};
}

/// The first of the options' settings that the table has set to something else since.
std::string replacedSetting(const scene::Scene& scene, const Job& job) {
    if (job.options.overrides.empty()) return {};
    const std::string before = scene::writeScene(scene);
    for (const std::string& assignment : job.options.overrides) {
        scene::Scene again = scene;
        if (!scene::applyOverride(again, assignment) || scene::writeScene(again) != before) return assignment;
    }
    return {};
}

}  // namespace

Expected<std::unique_ptr<simulation::Simulation>> startSimulation(Expected<scene::Scene> scene, Job& job) {
    if (!scene) return fail(scene.error());
    ++job.scenes;
    if (scene->file.empty())
        if (auto done = applyOverrides(*scene, job); !done) return fail(done.error());
    if (const std::string replaced = replacedSetting(*scene, job); !replaced.empty())
        return fail(Error{.message = "this table sets that itself", .file = "--set " + replaced});
    return simulation::Simulation::create(std::move(*scene), job.options.threads);
}

Expected<void> walk(std::span<Walker> walkers, Walk how, Job& job) {
    using enum experiments::Walked::End;
    how.stop = job.control.stop;
    const experiments::Walked walked = experiments::walk(walkers, how);
    if (walked.end == Stopped || job.stopped()) return fail("stopped");
    if (walked.end == Ended) return fail(walked.error);
    if (walked.end == Failed && how.failure == Walk::Failure::Ends)
        return fail(fmt::format("step {}: {}", walked.step, walked.error.message));
    return {};
}

Expected<void> walk(Simulation& simulation, Walk how, Job& job) {
    Walker walker{.simulation = &simulation};
    return walk({&walker, 1}, std::move(how), job);
}

Expected<void> walk(Expected<scene::Scene> scene, Walk how, Job& job) {
    auto made = startSimulation(std::move(scene), job);
    if (!made) return fail(made.error());
    return walk(**made, std::move(how), job);
}

Expected<SteppedSystem> systemOfStep(Expected<scene::Scene> scene, int K, Job& job,
                                     const std::function<void(scene::Settings&)>& lastTwo) {
    auto made = startSimulation(std::move(scene), job);
    if (!made) return fail(made.error());
    simulation::Simulation& simulation = **made;
    const auto before = [&](int step) {
        if (lastTwo && step == K - 1) {
            scene::Settings settings = simulation.settings();
            lastTwo(settings);
            simulation.apply(settings);
        }
        return !job.stopped();
    };
    auto frozen = experiments::freezeStep(simulation, K, {.stop = job.control.stop, .before = before});
    if (job.stopped()) return fail("stopped");
    if (!frozen) return fail(fmt::format("step {}: {}", simulation.lastReport().step, frozen.error().message));
    return SteppedSystem{std::move(*frozen), std::move(*made)};
}

linalg::LinearSystem Assembled::view(const linalg::FrozenSystem& frozen) const {
    return {.A = A,
            .b = b,
            .constraints = frozen.constraints,
            .core = &core,
            .previous = frozen.previous.empty() ? nullptr : &frozen.previous};
}

Assembled assembleAgain(const SteppedSystem& stepped, const cloth::ImplicitSplit& split, int runs, Job& job) {
    const scene::Settings& settings = stepped.simulation->settings();
    cloth::ForceModel forces;
    forces.configure(stepped.simulation->model(), stepped.simulation->materials(), split);
    const cloth::Environment environment{
        .gravity = settings.gravity, .wind = settings.wind, .time = stepped.origin.time};
    const linalg::BlockVector &x = stepped.origin.x, &v = stepped.origin.v;
    const double h = settings.integrator.dt;
    Assembled out;
    out.assembleMs = medianMs(runs, [&] {
        forces.assemble(environment, {x, v, v},
                        {.damping = h, .stiffness = h * h, .force = h, .stiffnessVector = h * h}, {out.A, out.b},
                        job.pool);
    });
    out.core = forces.coreMask();
    return out;
}

void solveInTurn(std::span<KeptSolver> solvers, const linalg::LinearSystem& system, int times, Job& job) {
    std::vector<std::vector<double>> ms(solvers.size());
    for (int time = 0; time < times && !job.stopped(); ++time)
        for (std::size_t turn = 0; turn < solvers.size(); ++turn) {
            const std::size_t k = time % 2 == 0 ? turn : solvers.size() - 1 - turn;
            KeptSolver& kept = solvers[k];
            kept.solver->solve(system, kept.deltaV, kept.summary, {.stop = job.control.stop}, *kept.pool);
            ms[k].push_back(experiments::solveMs(kept.summary));
        }
    for (std::size_t k = 0; k < solvers.size(); ++k) solvers[k].ms = median(std::move(ms[k]));
}

Timing timeSolve(const Method& method, const linalg::LinearSystem& system, int runs, Job& job,
                 const linalg::LinearSystem* earlier) {
    return timeSolve(*solvers::makeSolver(method.solver, method.preconditioner), system, runs, job.pool,
                     job.control.stop, earlier);
}

records::Entries iterationEntries(const Timing& timing) {
    records::Entries out;
    if (!solvers::converged(timing.status)) out.emplace_back("status", std::string(enumKey(timing.status)));
    out.emplace_back("iterations", double(timing.iterations));
    return out;
}

}  // namespace clothlab::papers
