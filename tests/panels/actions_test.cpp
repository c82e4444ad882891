#include <fstream>
#include <iterator>
#include <set>

#include "actions/actions_page.hpp"
#include "panel_fixture.hpp"

// The register of actions: names and keys are unique, keys and buttons run its actions, and the page lists all of them.
namespace clothlab::app::panels {

using actions::Action;
using actions::actions;
using actions::handleShortcut;
using actions::keyText;
using actions::runAction;
using model::Panel;
using model::PanelEntry;
using model::panelTable;
using scene::OverlayKind;
using widgets::Key;

namespace {

TEST(Actions, ANameAndAKeyHaveOneOwner) {
    std::set<std::string> names;
    std::map<std::string, std::string> owners;
    for (const Action& action : actions()) {
        EXPECT_TRUE(names.insert(action.name).second) << action.name << " appears twice";
        EXPECT_TRUE(action.run != nullptr && !action.label.empty() && !action.help.empty()) << action.name;
        if (action.key == Key::None) continue;
        const auto [owner, first] = owners.emplace(keyText(action.key, action.control), action.name);
        EXPECT_TRUE(first) << keyText(action.key, action.control) << " belongs to " << owner->second << " and to "
                           << action.name;
        EXPECT_FALSE(keyText(action.key).empty()) << action.name;
    }
    EXPECT_GT(owners.size(), 20u);
}

TEST(Actions, ThePageHasTheListOfKeysAndTheNames) {
    std::ifstream file(CLOTHLAB_SOURCE_DIR "/docs/keys.md");
    const std::string page{std::istreambuf_iterator<char>(file), {}};
    EXPECT_EQ(page, actions::actionsPage()) << "regenerate it: clothlab --help-actions > docs/keys.md";
    EXPECT_NE(page.find("| `race.toggle` | T |"), page.npos);
    EXPECT_NE(page.find("| Ctrl + click |"), page.npos);
}

TEST_F(PanelTest, EveryPanelHasItsButtonItsKeyAndItsActions) {
    frames(3);  // until the row of tools is laid out
    for (const PanelEntry& entry : panelTable()) {
        const std::string key(entry.key);
        ASSERT_NE(ui->layout().find(entry.button), nullptr) << key;
        click(at(entry.button));
        frames(2);
        EXPECT_TRUE(model.isOpen(entry.panel)) << key;
        EXPECT_NE(ui->layout().find(key), nullptr) << "its widgets begin with its key";
        click(at(key + "/close"));
        EXPECT_FALSE(model.panelOpen()) << key;
        press(entry.shortcut);
        EXPECT_TRUE(model.isOpen(entry.panel)) << key;
        EXPECT_EQ(runAction(model, key + ".open"), "");
        EXPECT_TRUE(model.isOpen(entry.panel)) << "open stays open";
        EXPECT_EQ(runAction(model, key + ".toggle"), "");
        EXPECT_FALSE(model.panelOpen()) << key;
        EXPECT_EQ(runAction(model, key + ".open"), "");
        EXPECT_TRUE(model.isOpen(entry.panel)) << "in place of any other";
    }
    EXPECT_EQ(runAction(model, "panel.close"), "");
    EXPECT_FALSE(model.panelOpen());
}

TEST_F(PanelTest, TenOverlaysHaveADigitAndARefusedOneSaysWhy) {
    std::string digits = "1234567890";
    for (const EnumEntry& entry : scene::kOverlayKinds) {
        const auto kind = static_cast<OverlayKind>(entry.value);
        const std::string refusal = render::overlayRefusal(kind, model.settings);
        const OverlayKind before = model.looks.overlay;
        if (digits.empty()) {
            EXPECT_EQ(runAction(model, "overlay." + std::string(entry.key)), refusal) << entry.key;
            EXPECT_EQ(model.looks.overlay, refusal.empty() ? kind : before) << entry.key << " has no key";
            continue;
        }
        press(static_cast<Key>(digits.front()));
        digits.erase(0, 1);
        EXPECT_EQ(model.looks.overlay, refusal.empty() ? kind : before) << entry.key;
        EXPECT_EQ(model.said.text, refusal) << entry.key;
        EXPECT_EQ(runAction(model, "overlay." + std::string(entry.key)), refusal) << entry.key;
    }
}

TEST_F(PanelTest, TheThemeIsTurnedByItsKeyAndPaintsEverythingFromTheNextFrame) {
    const auto paintedWith = [this](const widgets::Palette& colors) {
        return ui->theme().colors.text == colors.text && ImGui::GetColorU32(ImGuiCol_WindowBg) == colors.panel &&
               ImGui::GetColorU32(ImGuiCol_Text) == colors.text;
    };
    EXPECT_TRUE(paintedWith(widgets::kDark));
    press(Key::L);
    EXPECT_EQ(model.looks.theme, widgets::ThemeKind::Light);
    EXPECT_TRUE(paintedWith(widgets::kLight));
    ui->setTheme(theme_);  // as after a move to another monitor: the colours stay
    frame();
    EXPECT_TRUE(paintedWith(widgets::kLight));
    EXPECT_EQ(runAction(model, "theme.toggle"), "");
    frame();
    EXPECT_TRUE(paintedWith(widgets::kDark));
    EXPECT_FALSE(widgets::themeNamed("bright").has_value());
}

TEST_F(PanelTest, ViewsFromTheSidesKeepTheDistance) {
    model.view.camera = {.target = {0.1f, 0.2f, 0.3f}, .distance = 3, .azimuth = 30, .elevation = 15};
    for (const auto& [name, forward] :
         {std::pair{"view.front", glm::vec3(0, 0, -1)}, std::pair{"view.side", glm::vec3(-1, 0, 0)},
          std::pair{"view.top", glm::vec3(0, -1, 0)}}) {
        EXPECT_EQ(runAction(model, name), "");
        ASSERT_TRUE(model.view.wanted) << name;
        EXPECT_LT(glm::distance(model.view.wanted->forward(), forward), 0.02f) << name;
        EXPECT_EQ(model.view.wanted->distance, 3) << name;
        EXPECT_EQ(model.view.wanted->target, model.view.camera.target) << name;
        EXPECT_TRUE(model.view.wholeInView) << name;
        model.view.wanted.reset();
    }
    EXPECT_TRUE(handleShortcut(model, Key::Digit3, true));
    EXPECT_TRUE(model.view.wanted);
    EXPECT_EQ(model.looks.overlay, OverlayKind::None) << "with Ctrl it is another key";
}

TEST_F(PanelTest, AnActionThatHasNothingToDoSaysSo) {
    EXPECT_NE(runAction(model, "race.save"), "") << "no race was run";
    EXPECT_NE(runAction(model, "work.save"), "");
    EXPECT_NE(runAction(model, "quadratic.forward"), "") << "its panel is not open";
    EXPECT_EQ(runAction(model, "race.start"), "");
    EXPECT_TRUE(posted<worker::StartRace>());
}

TEST_F(PanelTest, MeasuringBeforeThePanelWasOpenHasIntegratorsToMeasure) {
    EXPECT_EQ(runAction(model, "work.start"), "");
    const auto* start = posted<worker::StartWork>();
    ASSERT_TRUE(start);
    EXPECT_FALSE(start->request.integrators.empty());
}

TEST_F(PanelTest, WhoeverHasChosenNoIntegratorIsNotGivenOne) {
    model.open(Panel::Work);
    model.work.request.integrators.clear();
    runAction(model, "work.start");
    ASSERT_TRUE(posted<worker::StartWork>());
    EXPECT_TRUE(posted<worker::StartWork>()->request.integrators.empty());
}

TEST_F(PanelTest, AKeyWithoutMeaningIsSomebodyElses) {
    for (const Key key : {Key::None, Key::Enter, Key::Z, Key::Left}) {
        model.editor.outbox.clear();
        EXPECT_FALSE(handleShortcut(model, key, false)) << int(key);
        EXPECT_TRUE(model.editor.outbox.empty());
    }
    EXPECT_FALSE(handleShortcut(model, Key::Space, true)) << "with Ctrl it is another key";
    EXPECT_TRUE(handleShortcut(model, Key::Z, true)) << "the window answers that there is nothing to undo";
    EXPECT_NE(model.said.text.find("nothing to take back"), std::string::npos);
    EXPECT_TRUE(handleShortcut(model, Key::Z, true, true));
    EXPECT_NE(model.said.text.find("nothing to do again"), std::string::npos);
    EXPECT_FALSE(runAction(model, "quadratic.back").empty()) << "the panel of two unknowns is not open";
}

}  // namespace
}  // namespace clothlab::app::panels
