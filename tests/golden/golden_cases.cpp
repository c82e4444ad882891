#include "golden/golden_cases.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "integrators/settings.hpp"
#include "preconditioners/settings.hpp"
#include "simulation/simulation.hpp"
#include "solvers/catalogue.hpp"
#include "solvers/kind.hpp"

namespace clothlab::golden {
namespace {

constexpr int kSteps = 100, kShortSteps = 12;

/// Settings that make large bodies and costly contacts small: a golden hash needs all of the code, not all particles.
std::vector<std::string> smaller(const std::string& scene) {
    if (scene == "liu-hippo") return {"cloth.spacing=0.07", "cloth.surface_spacing=0"};
    if (scene == "liu-frog") return {"cloth.spacing=0.05", "cloth.surface_spacing=0.05"};
    if (scene == "liu-dog") return {"cloth.spacing=0.045", "cloth.surface_spacing=0"};
    if (scene == "twist") return {"cloth.rows=31", "cloth.columns=31"};
    if (scene == "stack") return {"cloth.rows=11", "cloth.columns=11"};
    if (scene == "ye-clump") return {"cloth.rows=31", "cloth.columns=31"};
    for (const char* sideris : {"sideris-tangling", "sideris-curtain", "sideris-moving-collider"})
        if (scene == sideris) return {"cloth.rows=25", "cloth.columns=25"};
    for (const char* draped : {"drape-ring", "rotating-sphere", "tablecloth", "funnel"})
        if (scene == draped) return {"cloth.rows=21", "cloth.columns=21"};
    if (scene == "sewn-shirt") return {"cloth.sew_time=0.3"};
    if (scene == "ye-tshirt") return {"cloth.rows=11", "cloth.columns=11"};
    return {};
}

/// One case for each value of an enum.
template <class E>
void addKinds(const std::string& scene, std::string_view what, std::vector<Case>& cases) {
    for (const EnumEntry& entry : enumTable(E{}))
        cases.push_back({fmt::format("{}/{}={}", scene, what, entry.key),
                         scene,
                         {fmt::format("{}.kind={}", what, entry.key)},
                         kShortSteps});
}

}  // namespace

std::vector<Case> allCases(const std::vector<std::string>& scenes) {
    using preconditioners::PreconditionerKind;
    using solvers::SolverKind;
    std::vector<Case> cases;
    for (const std::string& scene : scenes) {
        cases.push_back({scene, scene, {}, kSteps});
        addKinds<integrators::IntegratorKind>(scene, "integrator", cases);
        addKinds<SolverKind>(scene, "solver", cases);
        std::erase_if(cases, [&](const Case& one) {  // cases without reproducible bits
            return std::ranges::any_of(solvers::catalogue(), [&](const solvers::SolverEntry& solver) {
                return !solver.traits.bitwiseReproducible && one.name == fmt::format("{}/solver={}", scene, solver.key);
            });
        });
        const std::size_t first = cases.size();
        addKinds<PreconditionerKind>(scene, "preconditioner", cases);
        for (std::size_t k = first; k < cases.size(); ++k) {
            const auto kind = static_cast<PreconditionerKind>(enumTable(PreconditionerKind{})[k - first].value);
            const bool reduced = solvers::refusal(SolverKind::ReducedPcg, {.kind = kind}).empty();
            cases[k].sets.push_back(
                fmt::format("solver.kind={}", enumKey(reduced ? SolverKind::ReducedPcg : SolverKind::Mpcg)));
        }
        for (const char* set : {"solver.decompose=true", "solver.matrix_precision=single"})
            cases.push_back({fmt::format("{}/{}", scene, set), scene, {set}, kShortSteps});
        for (const char* formed : {"hang", "ball-hit", "drape-table", "flag", "drop"}) {
            if (scene != formed) continue;
            for (const char* set :
                 {"after_solve.strain_limit=0.01", "after_solve.rigid_drag=5", "after_solve.energy_budget=1",
                  "contact.solids=projection", "contact.sticking=speed"})
                cases.push_back({fmt::format("{}/{}", scene, set), scene, {set}, kShortSteps});
            cases.push_back({scene + "/material.compression=full",
                             scene,
                             {"material.compression=full", "material.tension_only=false"},
                             kShortSteps});
            cases.push_back(
                {scene + "/core_factor=ldl",
                 scene,
                 {"material.compression=full", "material.tension_only=false", "preconditioner.kind=matrix-core",
                  "preconditioner.core_factor=ldl", "solver.indefinite=continue"},
                 kShortSteps});
        }
        cases.push_back({scene + "/domains",
                         scene,
                         {"preconditioner.kind=incomplete-cholesky", "preconditioner.domains=2"},
                         kShortSteps});
    }
    for (Case& one : cases) {
        const std::vector<std::string> sets = smaller(one.scene);
        one.sets.insert(one.sets.begin(), sets.begin(), sets.end());
    }
    return cases;
}

std::string resultOf(const Case& one, const std::string& assets, int threads) {
    auto scene = scene::findScene(one.scene, assets);
    if (!scene) return "refused: " + scene.error().message;
    for (const std::string& set : one.sets)
        if (auto done = scene::applyOverride(*scene, set); !done) return "refused: " + done.error().message;
    auto simulation = simulation::Simulation::create(std::move(*scene), threads);
    if (!simulation) return "refused: " + simulation.error().message;
    if (const std::string why = (*simulation)->refusal(); !why.empty()) return "refused: " + why;
    integrators::StepStatus status = integrators::StepStatus::Ok;
    for (int k = 0; k < one.steps && !integrators::hasFailed(status); ++k)
        status = (*simulation)->step({.hash = false}).status;
    const integrators::SimulationState& state = (*simulation)->state();
    return fmt::format("{} {} {:016x}", state.step, enumKey(status), integrators::stateHash(state));
}

}  // namespace clothlab::golden
