#include "own_methods/own_methods.hpp"

#include "experiments/race/race.hpp"
#include "simulation/scenes.hpp"

namespace clothlab::testing {
namespace {

using integrators::StepStatus;
using solvers::SolveStatus;

std::unique_ptr<simulation::Simulation> hanging(const std::string& first, const std::string& second = {}) {
    std::vector<const char*> sets{"cloth.rows=9", "cloth.columns=9", "integrator.kind=linearized-backward-euler"};
    for (const std::string* set : {&first, &second})
        if (!set->empty()) sets.push_back(set->c_str());
    return simulate("hang", sets);
}

TEST(OwnMethods, MoveTheClothAsTheirTwinsDo) {
    ownJacobi("own-jacobi");
    ownSolver();
    const struct {
        const char *own, *twin, *with;
    } pairs[] = {{"solver.kind=own-solver", "solver.kind=cholesky", ""},
                 {"solver.kind=own-solver", "solver.kind=cholesky", "solver.decompose=true"},
                 {"preconditioner.kind=own-jacobi", "preconditioner.kind=jacobi", ""},
                 {"preconditioner.kind=own-jacobi", "preconditioner.kind=jacobi", "solver.kind=mpcg"}};
    for (const auto& [own, twin, with] : pairs) {
        const auto mine = hanging(own, with), usual = hanging(twin, with);
        EXPECT_EQ(mine->refusal(), "");
        for (int k = 0; k < 5; ++k) {
            ASSERT_EQ(mine->step().status, StepStatus::Ok) << own << " " << mine->lastReport().message;
            usual->step();
        }
        EXPECT_EQ(integrators::stateHash(mine->state()), integrators::stateHash(usual->state())) << own << " " << with;
        EXPECT_GT(mine->lastReport().dt, 0);
    }
}

TEST(OwnMethods, StandInFilesAndMessagesByTheirKeys) {
    ownJacobi("own-jacobi");
    ownSolver();
    scene::Scene scene = sceneWith("hang", {"preconditioner.kind=own-jacobi", "solver.kind=own-solver"});
    const std::string text = scene::writeScene(scene);
    EXPECT_NE(text.find("kind = \"own-jacobi\""), std::string::npos) << text;
    EXPECT_NE(text.find("kind = \"own-solver\""), std::string::npos) << text;
    const auto again = scene::readSceneText(text, "own.toml");
    ASSERT_TRUE(again) << again.error().text();
    EXPECT_EQ(again->settings.preconditioner, scene.settings.preconditioner);
    EXPECT_EQ(again->settings.solver, scene.settings.solver);
    for (const auto& [set, key] :
         {std::pair{"preconditioner.kind=owl", "own-jacobi"}, {"solver.kind=owl", "own-solver"}}) {
        const auto unknown = scene::applyOverride(scene, set);
        ASSERT_FALSE(unknown);
        EXPECT_NE(unknown.error().text().find(key), std::string::npos) << unknown.error().text();
    }
    EXPECT_NE(scene::settingsHelp().find("own-jacobi"), std::string::npos);
}

TEST(OwnMethods, AnEntryIsCheckedBeforeItIsAdded) {
    const auto make = [](const auto&) { return std::make_unique<OwnJacobi>(Behaves::Well); };
    const auto before = preconditioners::catalogue().size();
    const auto refused = [](preconditioners::PreconditionerEntry entry) {
        const auto added = preconditioners::addPreconditioner(std::move(entry));
        return added ? "" : added.error().text();
    };
    EXPECT_EQ(refused({.key = "jacobi", .make = make}), "the key 'jacobi' is taken by Jacobi");
    for (const char* bad : {"", "Mine", "my own", "my--own", "my-", "1st", "mine=", "m\xc3\xbcsli"})
        EXPECT_NE(refused({.key = bad, .make = make}).find("is no key"), std::string::npos) << bad;
    EXPECT_NE(refused({.key = std::string(65, 'a'), .make = make}), "");
    EXPECT_EQ(refused({.key = "makes-nothing"}), "'makes-nothing' has no `make`");
    const auto parameters = [](const auto&) { return std::vector<std::string_view>{"degree", "colour"}; };
    const std::string odd = refused({.key = "odd", .parameters = parameters, .make = make});
    EXPECT_NE(odd.find("'colour' is no setting"), std::string::npos) << odd;
    EXPECT_NE(odd.find("degree"), std::string::npos) << odd;
    EXPECT_EQ(preconditioners::catalogue().size(), before);

    EXPECT_FALSE(solvers::addSolver({.key = "cholesky", .make = [](const auto&) { return nullptr; }}));
    EXPECT_FALSE(solvers::addSolver({.key = "makes-nothing"}));
    EXPECT_FALSE(solvers::addSolver(
        {.key = "odd", .parameters = {"colour"}, .make = [](const auto&) { return std::make_unique<OwnSolver>(); }}));
}

TEST(OwnMethods, EntriesAndNamesStayWhereTheyAreWhileMoreAreAdded) {
    const auto kind = ownJacobi("stays");
    EXPECT_FALSE(preconditioners::isBuiltIn(kind));
    EXPECT_TRUE(preconditioners::isBuiltIn(preconditioners::PreconditionerKind::Chebyshev));
    const auto entries = preconditioners::catalogue();
    const auto names = enumTable(kind);
    const std::string_view label = enumLabel(kind);
    const auto* entry = &preconditioners::entryFor(kind);
    std::atomic<bool> wrong = false, done = false;
    std::thread reader([&] {
        while (!done)
            for (const EnumEntry& name : enumTable(kind))
                wrong =
                    wrong || preconditioners::entryFor(preconditioners::PreconditionerKind(name.value)).key != name.key;
    });
    for (int k = 0; k < 40; ++k) ownJacobi(fmt::format("many-{}", k));
    done = true;
    reader.join();
    EXPECT_FALSE(wrong);
    EXPECT_EQ(preconditioners::catalogue().size(), entries.size() + 40);
    EXPECT_EQ(entries.size(), names.size());
    EXPECT_EQ(entries.data(), preconditioners::catalogue().data());
    EXPECT_EQ(entry, &preconditioners::entryFor(kind));
    EXPECT_EQ(entry->label, "My stays");
    EXPECT_EQ(label.data(), enumLabel(kind).data());
    EXPECT_EQ(label, "My stays");
}

TEST(OwnMethods, HaveALookThatNoOtherHas) {
    for (int k = 0; k < 20; ++k) ownJacobi(fmt::format("many-{}", k));
    ownSolver();
    std::vector<Look> looks;
    for (const auto& entry : preconditioners::catalogue().first(30)) looks.push_back(entry.look);
    for (const auto& entry : solvers::catalogue())
        if (!entry.traits.needsPreconditioner) looks.push_back(entry.look);
    for (std::size_t i = 0; i < looks.size(); ++i) EXPECT_EQ(std::ranges::count(looks, looks[i]), 1) << i;
}

/// The result of a race of these methods on the system of one step.
experiments::RaceResult raced(const std::vector<std::string>& names) {
    const auto simulation = hanging("");
    for (int k = 0; k < 10; ++k) simulation->step({.keepSystem = k == 9});
    WorkerPool pool(1);
    auto field = experiments::contestantsNamed(simulation->settings(), names);
    EXPECT_TRUE(field) << (field ? "" : field.error().text());
    return experiments::race(*simulation->systemOfLastStep(), nullptr, *field, {.tolerances = {1e-6}, .runs = 1}, {},
                             pool);
}

TEST(OwnMethods, RaceByTheirNames) {
    ownJacobi("own-jacobi");
    ownSolver();
    const auto race = raced({"jacobi", "own-jacobi", "mpcg own-jacobi", "own-solver", "own-solver form=reduced"});
    ASSERT_EQ(race.rows.size(), 5u);
    for (const experiments::RaceRow& row : race.rows)
        EXPECT_TRUE(row.converged()) << race.field[row.contestant].label() << ": " << row.message;
    EXPECT_EQ(race.rows[1].residuals, race.rows[0].residuals);
    EXPECT_EQ(race.field[1].label(), "My own-jacobi");
    EXPECT_EQ(race.field[2].label(), "MPCG · My own-jacobi");
    EXPECT_EQ(race.field[4].label(), "My solver, reduced");
}

TEST(OwnMethods, AFailureEndsTheSolveWithItsMessageAndTheStateStays) {
    ownJacobi("fails", Behaves::FailsOnce);
    ownJacobi("without-transpose", Behaves::WithoutTranspose);
    const struct {
        const char *key, *says;
    } cases[] = {{"fails", "ValueError: shapes differ"}, {"without-transpose", "not symmetric: "}};
    for (const auto& [key, says] : cases) {
        for (const char* solver : {"solver.kind=reduced-pcg", "solver.kind=mpcg"}) {
            const auto simulation = hanging(solver);
            for (int k = 0; k < 5; ++k) simulation->step();
            scene::Settings settings = simulation->settings();
            settings.preconditioner.kind = ownJacobi(key);
            simulation->apply(settings);
            const auto before = integrators::stateHash(simulation->state());
            const simulation::StepReport& report = simulation->step();
            EXPECT_EQ(report.status, StepStatus::SolveFailed) << key << " " << solver;
            EXPECT_EQ(report.solveStatus, SolveStatus::Breakdown) << key << " " << solver;
            EXPECT_NE(report.message.find(says), std::string::npos) << report.message;
            EXPECT_EQ(integrators::stateHash(simulation->state()), before);
            settings.preconditioner.kind = ownJacobi("own-jacobi");
            simulation->apply(settings);
            EXPECT_EQ(simulation->step().status, StepStatus::Ok) << "the next method must work";
        }
        const auto race = raced({key, std::string("mpcg ") + key});
        for (const experiments::RaceRow& row : race.rows) {
            EXPECT_EQ(row.status, SolveStatus::Breakdown);
            EXPECT_NE(row.message.find(says), std::string::npos) << row.message;
        }
    }
}

}  // namespace
}  // namespace clothlab::testing
