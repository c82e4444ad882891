// Runs every integrator with each form of material, contact and damping. The table of docs/methods/combinations.md
// comes from here.
#include <fstream>
#include <sstream>

#include "integrators/kind.hpp"
#include "scenes.hpp"

namespace clothlab::simulation {
namespace {

struct Form {
    std::string_view set, beside;  ///< assignments; `beside` also applies to the run without the form
};
constexpr Form kForms[] = {
    {"material.compression=full", "material.tension_only=false"},
    {"material.membrane=triangles", ""},
    {"contact.solids=projection", ""},
    {"contact.sticking=speed", "contact.sticking_speed=3"},
    {"contact.self_collision=repulsion", ""},
    {"contact.self_collision=robust", ""},
    {"contact.solve=within", "contact.self_collision=robust"},
    {"after_solve.strain_limit=0.001", ""},
    {"after_solve.rigid_drag=20", ""},
    {"after_solve.energy_budget=1", ""},
    {"solver.decompose=true", ""},
};

/// Two small sheets a millimetre apart that fall on a ball.
std::string sceneText() {
    std::string text =
        "[integrator]\ndt = 0.002\n[material]\nstretch_stiffness = 100\n[solver]\nkind = \"mpcg\"\ntolerance = 1e-8\n[contact]\nmu_s = 0.5\nmu_k = 0.4\n"
        "repulsion_distance = 0.5\n[[collider]]\nname = \"ball\"\nshape = \"sphere\"\nradius = 0.1\n"
        "position = [0.1, -0.117, 0.1]\n";
    for (const char* height : {"0", "0.001"})
        text += fmt::format(
            "[[cloth]]\nrows = 7\ncolumns = 7\nside = 0.2\ncolumn_axis = [1, 0, 0]\nrow_axis = [0, 0, 1]\n"
            "origin = [0, {}, 0]\nvelocity = [0.5, -1.5, 0]\nnoise = 0.0004\n",
            height);
    return text;
}

struct Motion {
    std::vector<std::uint64_t> states;  ///< hashes; empty if the combination is refused
    bool stopped = false;               ///< by a solver

    bool operator==(const Motion&) const = default;
};

Motion motion(std::string_view method, std::initializer_list<std::string_view> sets) {
    auto scene = scene::readSceneText(sceneText(), "combinations.toml");
    EXPECT_TRUE(scene) << scene.error().text();
    EXPECT_TRUE(scene::applyOverride(*scene, fmt::format("integrator.kind={}", method)));
    for (const std::string_view set : sets)
        if (!set.empty()) {
            EXPECT_TRUE(scene::applyOverride(*scene, set)) << set;
        }
    if (!scene::findFault(scene->settings).message.empty()) return {};
    Motion out;
    auto simulation = Simulation::create(*scene, 1);
    EXPECT_TRUE(simulation) << simulation.error().text();
    for (int k = 0; k < 6 && !out.stopped; ++k) {
        const StepReport& report = (*simulation)->step();
        EXPECT_NE(report.status, integrators::StepStatus::Diverged) << method << " " << report.message;
        out.stopped = integrators::hasFailed(report.status);
        out.states.push_back(report.stateHash);
    }
    return out;
}

std::string tableOfToday() {
    std::string out = "| method |", rule = "|---|";
    for (const Form& form : kForms) {
        out += fmt::format(" `{}` |", form.set);
        rule += "---|";
    }
    out += "\n" + rule + "\n";
    for (const EnumEntry& method : enumTable(integrators::IntegratorKind{})) {
        out += fmt::format("| `{}` |", method.key);
        for (const Form& form : kForms) {
            const Motion with = motion(method.key, {form.beside, form.set}),
                         without = motion(method.key, {form.beside});
            EXPECT_FALSE(without.stopped) << method.key << " " << form.beside;
            out += fmt::format(" {} |", with.states.empty() ? "refused"
                                        : with.stopped      ? "stops"
                                        : with == without   ? "no effect"
                                                            : "yes");
        }
        out += "\n";
    }
    return out;
}

TEST(Combinations, ThePageSaysWhatGoesTogether) {
    std::ifstream in(CLOTHLAB_SOURCE_DIR "/docs/methods/combinations.md");
    ASSERT_TRUE(in);
    std::stringstream page;
    page << in.rdbuf();
    const std::string now = tableOfToday();
    EXPECT_NE(page.str().find(now), std::string::npos) << "the table is now\n" << now;
}

}  // namespace
}  // namespace clothlab::simulation
