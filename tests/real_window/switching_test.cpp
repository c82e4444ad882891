#include <fmt/format.h>

#include <algorithm>

#include "integrators/kind.hpp"
#include "integrators/methods/catalogue.hpp"
#include "solvers/method.hpp"
#include "window_fixture.hpp"

/// Methods are changed while the cloth moves.
namespace clothlab::app::window {
namespace {

/// Opens a combo and clicks one of its choices.
std::string choose(const std::string& combo, const std::string& choice) {
    return "move @" + combo + "\ndown left\nup left\nafter 3\nmove @" + combo + "/" + choice +
           "\ndown left\nup left\nafter 3\nwait settled\n";
}

TEST_F(WindowTest, EveryComboTakesEffectWithoutResetAndTheGuardStopsForwardEuler) {
    std::string script = "wait step 10\n";
    std::vector<std::string> names;
    const auto record = [&](const std::string& what) {
        names.push_back(what);
        script += "wait steps 3\nstate DIR/" + what + ".json\n";
    };
    using preconditioners::PreconditionerKind;
    std::vector<EnumEntry> solvers(enumTable(solvers::SolverKind{}).begin(), enumTable(solvers::SolverKind{}).end());
    std::ranges::reverse(solvers);  // MPCG, which accepts all preconditioners, comes last
    for (const EnumEntry& kind : solvers) {
        script += choose("solver.kind", std::string(kind.key));
        record(std::string(kind.key));
    }
    std::vector<EnumEntry> kinds(enumTable(PreconditionerKind{}).begin(), enumTable(PreconditionerKind{}).end());
    const int usual = int(preconditioners::kUsualPreconditioner);
    std::stable_partition(kinds.begin(), kinds.end(), [usual](const EnumEntry& kind) { return kind.value != usual; });
    for (const EnumEntry& kind : kinds) {
        script += choose("preconditioner.kind", std::string(kind.key));
        record(std::string(kind.key));
    }
    for (const char* kind : {"symplectic-euler", "rk4", "linearized-backward-euler"}) {
        script += choose("integrator.kind", kind);
        record(kind);
    }
    script += choose("integrator.kind", "forward-euler") + "wait problem\nstate DIR/stopped.json\n";
    script += choose("integrator.kind", "linearized-backward-euler") +
              "key space\nwait playing 1\nwait steps 20\nstate DIR/again.json\nquit\n";
    ASSERT_EQ(run(script, kSmall), 0) << errors();

    std::int64_t step = 10;
    for (const std::string& name : names) {
        const auto s = state(name + ".json");
        EXPECT_TRUE(s["integrator"] == name || s["solver"] == name || s["preconditioner"] == name) << name;
        EXPECT_EQ(s["revision_in_force"], s["settings_revision"]) << name;
        EXPECT_EQ(s["problem"], "") << name;
        EXPECT_GT(s["step"].get<std::int64_t>(), step) << name << ": the motion did not continue";
        EXPECT_LT(s["report"]["max_strain"].get<double>(), 0.5) << name;
        step = s["step"].get<std::int64_t>();
    }
    const auto stopped = state("stopped.json"), again = state("again.json");
    EXPECT_FALSE(stopped["playing"].get<bool>());
    EXPECT_NE(stopped["problem"], "");
    EXPECT_LE(stopped["report"]["max_strain"].get<double>(), 10) << "the last good state";
    EXPECT_GE(again["step"].get<std::int64_t>(), stopped["step"].get<std::int64_t>() + 20);
    EXPECT_EQ(again["problem"], "");
}

TEST_F(WindowTest, AMethodOfAPlugInIsInTheListAndMovesTheCloth) {
    const std::string script = "wait step 3\n" + choose("solver.kind", "mpcg") +
                               choose("preconditioner.kind", "row-sums") +
                               "wait steps 5\nstate DIR/chosen.json\nquit\n";
    std::vector<std::string> arguments = kSmall;
    arguments.insert(arguments.end(), {"--plugin", CLOTHLAB_PLUGIN});
    ASSERT_EQ(run(script, arguments), 0) << errors();
    const auto chosen = state("chosen.json");
    EXPECT_EQ(chosen["preconditioner"], "row-sums");
    EXPECT_EQ(chosen["problem"], "");
    EXPECT_EQ(chosen["report"]["solve_status"], "converged");
    EXPECT_GT(chosen["report"]["iterations"].get<int>(), 0);
}

// With a pin and a drag: every implicit integrator and back, and changes that need a new factor.
TEST_F(WindowTest, IntegratorsChangeWhileAPinHoldsAndThePointerDrags) {
    std::string script =
        "wait step 10\nkey space\nwait playing 0\nwait settled\nmove particle 210\nafter 2\nctrl down\ndown left\nup "
        "left\n"
        "ctrl up\nafter 3\nwait settled\nmove particle 430\nafter 2\ndown left\nafter 2\nkey space\nwait playing 1\n"
        "move particle 430 25 -25\n";
    std::vector<std::string> names;
    const auto record = [&](const std::string& name, const std::string& settings) {
        names.push_back(name);
        script += settings + "wait settled\nwait steps 12\nstate DIR/" + name + ".json\n";
    };
    const auto switchTo = [&](std::string_view kind) {
        record(fmt::format("{}.{}", names.size(), kind), fmt::format("set integrator.kind={}\n", kind));
    };
    const char* linear[] = {"linearized-backward-euler", "bdf2", "adaptive-imex"};
    for (const integrators::IntegratorEntry& entry : integrators::catalogue()) {
        if (!entry.traits.minimizes && !entry.traits.matrixFree) continue;
        switchTo(linear[names.size() / 2 % std::size(linear)]);
        switchTo(entry.key);
    }
    record("columns", "set integrator.kind=fast-mass-spring\n");
    record("stiffer", "set material.stretch_stiffness=900\n");
    record("longer", "set integrator.dt=0.01\n");
    record("released", "up left\n");
    ASSERT_EQ(run(script + "quit\n", kSmall), 0) << errors();
    std::int64_t step = 10;
    for (const std::string& name : names) {
        const auto s = state(name + ".json");
        EXPECT_EQ(s["problem"], "") << name;
        EXPECT_GT(s["step"].get<std::int64_t>(), step) << name;
        EXPECT_EQ(s["pins"].get<std::vector<int>>(), (std::vector<int>{0, 20, 210})) << name;
        EXPECT_EQ(s["grab_active"].get<bool>(), name != "released") << name;
        EXPECT_LT(s["report"]["max_strain"].get<double>(), 0.5) << name;
        if (name != "released") {
            EXPECT_LT(s["grab_distance_px"].get<double>(), 3) << name;
        }
        step = s["step"].get<std::int64_t>();
    }
    EXPECT_GE(state("columns.json")["report"]["new_factor_ms"].get<double>(), 0);
}

// One stroke cuts the sheet in two; then the motion restarts whole.
TEST_F(WindowTest, TheSheetIsCutInTwoAndTheLowerHalfFalls) {
    const std::string script =
        "wait step 10\nkey space\nwait playing 0\nwait settled\nstate DIR/whole.json\nkey x down\n"
        "move particle 210 -40 0\nafter 2\ndown left\nmove particle 220\nafter 2\nmove particle 230 40 0\nafter 2\n"
        "up left\nkey x up\nafter 2\nwait settled\nkey space\nwait steps 25\nstate DIR/torn.json\n"
        "screenshot DIR/torn.png\nkey r\nafter 3\nwait settled\nwait steps 3\nstate DIR/again.json\nquit\n";
    std::vector<std::string> arguments = kSmall;
    // With slack springs in the matrix, its components are the pieces of the cloth.
    for (const char* argument : {"--set", "solver.decompose=true", "--set", "preconditioner.kind=incomplete-cholesky",
                                 "--set", "material.jac_slack=true"})
        arguments.emplace_back(argument);
    ASSERT_EQ(run(script, arguments), 0) << errors();
    const auto whole = state("whole.json")["report"], torn = state("torn.json")["report"],
               again = state("again.json")["report"];
    EXPECT_EQ(state("torn.json")["problem"], "");
    EXPECT_EQ(whole["broken_springs"], 0);
    EXPECT_EQ(whole["components"], 1);
    EXPECT_GT(torn["broken_springs"].get<int>(), 20);
    EXPECT_EQ(torn["components"], 2);
    EXPECT_GT(torn["contacts"].get<int>() + torn["kinetic_j"].get<double>(), 0);
    EXPECT_EQ(again["broken_springs"], 0);
    EXPECT_EQ(again["components"], 1);
}

// The simulation applies the stroke while it plays, which lowers the limit of explicit steps, and undoes it; the motion
// continues.
TEST_F(WindowTest, AStrokeOfTheBrushIsTakenWhileTheClothMovesAndTakenBack) {
    const std::string script =
        "wait step 5\nstate DIR/plain.json\nkey g down\nmove particle 210\nafter 2\ndown left\nmove particle 220\n"
        "after 2\nmove particle 230\nafter 2\nup left\nkey g up\nwait settled\nwait steps 3\nstate DIR/painted.json\n"
        "screenshot DIR/painted.png\nkey z\nafter 2\nwait settled\nwait steps 3\nstate DIR/undone.json\nquit\n";
    ASSERT_EQ(run(script, kSmall), 0) << errors();
    const auto plain = state("plain.json"), painted = state("painted.json"), undone = state("undone.json");
    EXPECT_EQ(plain["painted"], 0);
    EXPECT_GT(painted["painted"].get<int>(), 21) << "more than the row under the pointer";
    EXPECT_LT(painted["painted"].get<int>(), 300) << "but not the whole sheet of 441";
    EXPECT_EQ(painted["overlay"], "regions");
    EXPECT_EQ(painted["problem"], "");
    const auto limit = [](const tests::ParsedJson& of) { return of["report"]["explicit_limit_s"].get<double>(); };
    EXPECT_LT(limit(painted), 0.4 * limit(plain)) << "ten times as stiff";
    EXPECT_EQ(undone["painted"], 0);
    EXPECT_EQ(limit(undone), limit(plain));
    EXPECT_GT(undone["step"].get<int>(), painted["step"].get<int>());
}

TEST_F(WindowTest, AReplacedSceneAndAStrokeComeBackByTheKeysOfUndo) {
    const std::string script =
        "wait step 5\nkey space\nwait playing 0\nwait settled\nstate DIR/before.json\n"
        "set material.stretch_stiffness=600\nafter 2\nwait settled\nmove @scene\ndown left\nup left\nafter 3\n"
        "move @scene/flag\ndown left\nup left\nafter 3\nwait settled\nstate DIR/flag.json\nscreenshot DIR/flag.png\n"
        "ctrl down\nkey z\nctrl up\nafter 2\nwait settled\nstate DIR/scene.json\n"
        "action undo\nafter 2\nwait settled\nstate DIR/setting.json\naction redo\nafter 2\nstate DIR/redo.json\nquit\n";
    ASSERT_EQ(run(script, kSmall), 0) << errors();
    const auto before = state("before.json"), flag = state("flag.json"), scene = state("scene.json"),
               setting = state("setting.json"), redo = state("redo.json");
    EXPECT_EQ(flag["scene"], "flag");
    EXPECT_NE(flag["said"].get<std::string>().find("Ctrl + Z brings that back."), std::string::npos) << flag["said"];
    EXPECT_EQ(scene["scene"], before["scene"]);
    EXPECT_EQ(scene["step"], before["step"]);
    EXPECT_EQ(scene["report"]["state_hash"], before["report"]["state_hash"]);
    EXPECT_EQ(scene["history"], before["history"]);
    EXPECT_EQ(scene["undo"], "stretch stiffness 1,000 → 600 N/m");
    EXPECT_EQ(setting["undo"], "");
    EXPECT_EQ(setting["redo"], scene["undo"]);
    EXPECT_EQ(redo["undo"], scene["undo"]);
}

}  // namespace
}  // namespace clothlab::app::window
