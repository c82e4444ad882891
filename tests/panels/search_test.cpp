#include "columns/search_rows.hpp"
#include "layout_fixture.hpp"

// The left column is short: sections that the scene does not use are folded, and the search finds folded rows.
namespace clothlab::app::panels {

using model::Panel;
using widgets::Key;

namespace {

class SearchTest : public LayoutTest {
protected:
    void find(const std::string& text) {
        queue.push(window::InputEvent::key(int(Key::LeftControl), true));
        press(Key::F);
        queue.push(window::InputEvent::key(int(Key::LeftControl), false));
        drain();
        frames(3);
        for (const char c : text) queue.push(window::InputEvent::character(c));
        drain();
        frames(2);
    }
    bool shown(std::string_view id) { return ui->layout().find(id) != nullptr; }
};

TEST_F(SearchTest, ShowsTheRowsThatMatchInEverySectionAndEscapeClearsIt) {
    EXPECT_FALSE(shown("solver.max_iterations")) << "folded away";
    find("iterations");
    EXPECT_EQ(model.popups.search, "iterations");
    for (const char* id : {"solver.max_iterations", "newton.max_iterations", "pbd.iterations"})
        EXPECT_TRUE(shown(id)) << id;
    EXPECT_FALSE(shown("section:Scene"));
    EXPECT_FALSE(shown("wind.gust"));
    EXPECT_FALSE(shown("plot.none"));
    press(Key::Escape);
    frames(2);
    EXPECT_EQ(model.popups.search, "");
    EXPECT_TRUE(shown("section:Scene"));
    EXPECT_FALSE(ImGui::GetIO().WantTextInput);
}

// Ctrl + F, a search text, Enter and arrow keys change a setting without a mouse.
TEST_F(SearchTest, ASettingIsFoundAndChangedByKeysAlone) {
    const auto focus = [&] { return shown("focus") ? ui->layout().wordsAt("focus") : ""; };
    const auto with = [&](Key modifier, Key key) {
        queue.push(window::InputEvent::key(int(modifier), true));
        press(key);
        queue.push(window::InputEvent::key(int(modifier), false));
        drain();
    };
    double& stiffness = model.settings.material.stretchStiffness;
    stiffness = 1000;
    find("stretch st");
    EXPECT_EQ(focus(), "");
    press(Key::Enter);
    frames(2);
    ASSERT_EQ(focus(), "material.stretch_stiffness");
    EXPECT_FALSE(ImGui::GetIO().WantTextInput);
    press(Key::Right);
    EXPECT_EQ(stiffness, 1100);
    ASSERT_NE(posted<worker::SetSettings>(), nullptr);
    EXPECT_EQ(posted<worker::SetSettings>()->settings.material.stretchStiffness, 1100);
    with(Key::LeftShift, Key::Right);
    EXPECT_EQ(stiffness, 2000) << "coarse";
    with(Key::LeftAlt, Key::Left);
    EXPECT_EQ(stiffness, 1990) << "fine";
    press(Key::Left);
    EXPECT_EQ(stiffness, 1900);
    press(Key::Delete);
    EXPECT_EQ(stiffness, model.scene.settings.material.stretchStiffness) << "the default";
    press(Key::Enter);
    frames(3);
    EXPECT_TRUE(ImGui::GetIO().WantTextInput) << "a number is typed";
    for (const char c : std::string("2500")) queue.push(window::InputEvent::character(c));
    drain();
    press(Key::Enter);
    frames(2);
    EXPECT_EQ(stiffness, 2500);
    EXPECT_EQ(focus(), "material.stretch_stiffness") << "and stays there";
    press(Key::Escape);
    frames(3);
    EXPECT_EQ(focus(), "");
    EXPECT_TRUE(ImGui::GetIO().WantTextInput) << "back in the search";
    EXPECT_EQ(model.popups.search, "stretch st");
    press(Key::Escape);
    frames(2);
    EXPECT_EQ(model.popups.search, "");
}

TEST_F(SearchTest, UpAndDownGoFromRowToRowAndThroughChoicesSwitchesAndButtons) {
    const auto focus = [&] { return shown("focus") ? ui->layout().wordsAt("focus") : ""; };
    find("solver");
    press(Key::Down);
    frames(2);
    std::vector<std::string> seen;
    for (std::string before; focus() != before && seen.size() < 200; press(Key::Down), frames(3))
        seen.push_back(before = focus());
    EXPECT_GT(seen.size(), 5u);
    EXPECT_EQ(std::ranges::count(seen, ""), 0) << "a row that was scrolled to";
    ASSERT_EQ(std::ranges::count(seen, "solver.kind"), 1);
    while (focus() != "solver.kind") press(Key::Up);
    const auto kind = model.settings.solver.kind;
    press(Key::Right);
    EXPECT_NE(model.settings.solver.kind, kind);
    press(Key::Left);
    EXPECT_EQ(model.settings.solver.kind, kind);
    for (int k = 0; k < 40 && !focus().empty(); ++k) press(Key::Up);
    frames(3);
    EXPECT_TRUE(ImGui::GetIO().WantTextInput) << "up from the first row leads to the search";
    press(Key::Escape);
    find("tension_only");
    press(Key::Enter);
    frames(2);
    const bool slack = model.settings.material.tensionOnly;
    press(Key::Enter);
    EXPECT_NE(model.settings.material.tensionOnly, slack);
    press(Key::Escape);
    press(Key::Escape);
    find("fastest");
    press(Key::Enter);
    frames(2);
    ASSERT_EQ(focus(), "found/race");
    press(Key::Enter);
    frames(2);
    EXPECT_TRUE(model.isOpen(Panel::Race));
    EXPECT_EQ(focus(), "") << "the row is gone";
}

TEST_F(SearchTest, AKeyThatIsHeldIsOneChangeAndOtherKeysStayTheWindows) {
    find("stretch st");
    press(Key::Enter);
    frames(2);
    model.editor.changes.clear();
    const double before = model.settings.material.stretchStiffness;
    queue.push(window::InputEvent::key(int(Key::Right), true));
    ImGui::GetIO().DeltaTime = 0.1f;
    frames(20);
    queue.push(window::InputEvent::key(int(Key::Right), false));
    drain();
    EXPECT_GT(model.settings.material.stretchStiffness, 1.15 * before) << "it repeats";
    pressControl(Key::Z);
    EXPECT_EQ(model.settings.material.stretchStiffness, before) << "the repeats are one change for undo";
    const bool playing = model.playing;
    press(Key::Space);
    EXPECT_NE(model.playing, playing);
}

// At a low frame rate every press of a key lasts long.
TEST_F(SearchTest, AnEnterThatIsHeldOpensTheFieldAndDoesNotCloseIt) {
    find("stretch st");
    press(Key::Enter);
    frames(2);
    ImGui::GetIO().DeltaTime = 0.1f;
    queue.push(window::InputEvent::key(int(Key::Enter), true));
    frames(12);
    EXPECT_TRUE(ImGui::GetIO().WantTextInput) << "held for a second";
    queue.push(window::InputEvent::key(int(Key::Enter), false));
    for (const char c : std::string("2500")) queue.push(window::InputEvent::character(c));
    drain();
    press(Key::Enter);
    frames(2);
    EXPECT_EQ(model.settings.material.stretchStiffness, 2500);
    EXPECT_EQ(model.looks.overlay, scene::OverlayKind::None) << "digits go to the field";
}

TEST_F(SearchTest, WhatIsTypedAtOnceArrivesWhole) {
    queue.push(window::InputEvent::key(int(Key::LeftControl), true));
    queue.push(window::InputEvent::key(int(Key::F), true));
    queue.push(window::InputEvent::key(int(Key::F), false));
    queue.push(window::InputEvent::key(int(Key::LeftControl), false));
    for (const char c : std::string("gusty winds")) {
        const int key = c == ' ' ? int(Key::Space) : std::toupper(c);
        queue.push(window::InputEvent::key(key, true));
        queue.push(window::InputEvent::character(c));
        queue.push(window::InputEvent::key(key, false));
    }
    frames(6);
    EXPECT_TRUE(queue.empty()) << "six frames in all: little more than a second at five per second";
    EXPECT_EQ(model.popups.search, "gusty winds");
    EXPECT_FALSE(model.panelOpen()) << "no letter was a shortcut";
}

TEST_F(SearchTest, FindsPanelsByWhatTheyAreFor) {
    find("fastest");
    ASSERT_TRUE(shown("found/race"));
    click(at("found/race"));
    frames(2);
    EXPECT_TRUE(model.isOpen(Panel::Race));
    EXPECT_EQ(model.popups.search, "");
}

TEST_F(SearchTest, EscapeClearsItAlsoWithoutTheFocusAfterWhatLiesOnTop) {
    find("gust");
    const double before = model.settings.wind.gust;
    click(at("wind.gust", 0.7f, 0.7f));
    EXPECT_NE(model.settings.wind.gust, before) << "the row found changes the setting itself";
    EXPECT_EQ(model.popups.search, "gust") << "the search text stays";
    press(Key::F1);
    press(Key::Escape);
    EXPECT_FALSE(model.popups.keys);
    EXPECT_EQ(model.popups.search, "gust");
    press(Key::Escape);
    EXPECT_EQ(model.popups.search, "");
}

TEST_F(SearchTest, EveryRowOfTheColumnIsReachableByItsKeyAndByItsLabel) {
    resize({1280, 720}, 1);
    ImGui::GetIO().DisplaySize.y = 20000;  // nothing is scrolled away
    FieldList settings, tools;
    describe(model.settings, settings);
    describe(model.pinTool, tools);
    describe(model.brushTool.brush, tools);
    for (const FieldList* list : {&settings, &tools})
        for (const Field& field : list->fields())
            for (const std::string_view text : {std::string_view(field.key), field.meta.label}) {
                model.popups.search = text;
                frame();
                const bool vector = std::holds_alternative<Vec3*>(field.ref);
                EXPECT_TRUE(shown(vector ? field.key + ".x" : field.key)) << field.key << " by \"" << text << '"';
            }
    for (const char* key : {"rows", "columns", "side", "topology"}) {
        model.popups.search = key;
        frame();
        EXPECT_TRUE(shown(key)) << key;
        EXPECT_TRUE(shown("apply_restart")) << "with the button that applies it";
    }
}

TEST_F(SearchTest, WordsAreFoundInHelpAndChoicesInAnyOrderAndCase) {
    FieldList list;
    describe(model.settings, list);
    const Field &stiffness = *list.find("material.stretch_stiffness"), &method = *list.find("preconditioner.kind");
    EXPECT_TRUE(columns::fieldMatches(stiffness, "STIFFNESS  stretch"));
    EXPECT_FALSE(columns::fieldMatches(stiffness, "stretch gravity"));
    EXPECT_TRUE(columns::fieldMatches(method, "incomplete cholesky")) << "found by one of its choices";
    EXPECT_FALSE(columns::fieldMatches(method, "  ")) << "no word is no search";
    EXPECT_EQ(columns::fieldHeading("fast_mass_spring.iterations"), "Fast mass spring");
    EXPECT_EQ(columns::fieldHeading("xpbd.iterations"), "XPBD");
    EXPECT_EQ(columns::fieldHeading("gravity"), "Scene");
}

TEST_F(SearchTest, FindsNothingWithAWordAndIsCutNowhere) {
    find("zzz");
    expectInOrder("nothing found");
    press(Key::Escape);
    for (const char* text : {"a", "stiffness", "step", "order"})
        for (const float scale : {1.0f, 2.0f}) {
            model.popups.search = text;
            resize({1280, 720}, scale);
            expectInOrder(text);
            for (const std::string& id : ui->layout().cut()) ADD_FAILURE() << text << ": " << id << " is cut";
        }
}

TEST_F(SearchTest, IsAskedForFromThePresentersModeToo) {
    press(Key::Tab);
    EXPECT_TRUE(model.looks.presenter);
    find("dt");
    EXPECT_FALSE(model.looks.presenter) << "the column comes into sight";
    EXPECT_TRUE(shown("integrator.dt"));
}

TEST_F(SearchTest, AScenesUnusedSectionsAreFoldedAndOpenWithAMethodThatUsesThem) {
    EXPECT_TRUE(model.folds.sections.solver && model.folds.sections.preconditioner);
    EXPECT_FALSE(model.folds.sections.contact || model.folds.sections.wind);
    scene::Scene next = model.scene;
    next.settings.solver.kind = enumNamed<solvers::SolverKind>("cholesky");
    model.adopt(next);
    frames(2);
    EXPECT_TRUE(model.folds.sections.solver);
    EXPECT_FALSE(model.folds.sections.preconditioner || shown("preconditioner.kind"));
    next.settings.integrator.kind = integrators::IntegratorKind::SymplecticEuler;
    model.adopt(next);
    frames(2);
    EXPECT_FALSE(model.folds.sections.solver || model.folds.sections.preconditioner || shown("solver.kind"));
    click(at("section:Solver"));
    EXPECT_TRUE(model.folds.sections.solver) << "it can be opened nevertheless";
    click(at("section:Solver"));
    model.settings.integrator.dt *= 0.5;
    frames(2);
    EXPECT_FALSE(model.folds.sections.solver) << "it stays as the user set it";
    model.settings.integrator.kind = integrators::kUsualIntegrator;
    frames(2);
    EXPECT_TRUE(model.folds.sections.solver);
    EXPECT_FALSE(model.folds.sections.preconditioner) << "a direct solver uses none";
    model.settings.solver.kind = enumNamed<solvers::SolverKind>("reduced-pcg");
    frames(2);
    EXPECT_TRUE(model.folds.sections.preconditioner);
    model.settings.solver.kind = enumNamed<solvers::SolverKind>("cholesky");
    frames(2);
    EXPECT_TRUE(shown("preconditioner.kind")) << "it stays, and says why it is off";
}

}  // namespace
}  // namespace clothlab::app::panels
