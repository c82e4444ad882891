#include "actions/take_away.hpp"
#include "base/text.hpp"

#include "panel_fixture.hpp"
#include "solvers/kind.hpp"

namespace clothlab::app::panels {

using actions::plainCommand;
using actions::sceneText;
using model::freeName;

namespace {

using widgets::Key;

TEST(ShellWord, IsTakenAsItIs) {
    EXPECT_EQ(shellWord("solver.kind=mpcg"), "solver.kind=mpcg");
    EXPECT_EQ(shellWord("0,-9.81,0"), "0,-9.81,0");
    EXPECT_EQ(shellWord("a b"), "'a b'");
    EXPECT_EQ(shellWord("it's"), "'it'\\''s'");
    EXPECT_EQ(shellWord(""), "''");
}

class TakeAwayTest : public PanelTest {
protected:
    void SetUp() override {
        PanelTest::SetUp();
        model.lessons.assets = CLOTHLAB_SOURCE_DIR "/assets";
        auto read = scene::findScene("hang", model.lessons.assets);
        ASSERT_TRUE(read) << read.error().text();
        model.adopt(*read);
        snapshot.settings = read->settings;
        snapshot.taken = 42;
        frames(1);
    }
};

TEST_F(TakeAwayTest, WhatWasNotChangedIsALineOfSettings) {
    EXPECT_EQ(plainCommand(model), "clothlab run hang --steps 42");
    snapshot.settings.material.stretchStiffness = 1234.5;
    snapshot.settings.solver.kind = solvers::SolverKind::Mpcg;
    snapshot.settings.gravity = {0, -1.5, 0.25};
    snapshot.settings.threads = 3;
    EXPECT_EQ(plainCommand(model),
              "clothlab run hang --set gravity=0,-1.5,0.25 --set solver.kind=mpcg --set "
              "material.stretch_stiffness=1234.5 --steps 42");
    model.scene.cloths[0].rows = 21;
    EXPECT_TRUE(plainCommand(model)->starts_with("clothlab run hang --set cloth.rows=21 --set "))
        << *plainCommand(model);
    model.scene.pins.clear();
    EXPECT_EQ(plainCommand(model), std::nullopt) << "no --set can remove a pin";
}

TEST_F(TakeAwayTest, WhatWasChangedOnTheWayIsRecorded) {
    press(Key::C);  // C without Ctrl is a key of the view
    EXPECT_EQ(model.files.toCopy, "");
    pressControl(Key::C);
    EXPECT_STREQ(ImGui::GetClipboardText(), "clothlab run hang --steps 42");
    snapshot.plain = false;
    model.files.recordings = "/home/somebody/a folder";
    pressControl(Key::C);
    const auto* asked = posted<worker::SaveRecording>();
    ASSERT_NE(asked, nullptr);
    EXPECT_TRUE(asked->path.starts_with("/home/somebody/a folder/hang-")) << asked->path;
    snapshot.saved = {asked->serial, asked->path, ""};
    model.receive(snapshot, true);
    frames(2);
    EXPECT_EQ(std::string(ImGui::GetClipboardText()), "clothlab run --replay '" + asked->path + "' --steps 42");
    snapshot.saved = {asked->serial + 1, "", "no room"};
    model.receive(snapshot, true);
    EXPECT_EQ(model.said.text, "no room");
    EXPECT_TRUE(model.said.isError);
}

// Recordings and saved states may contain any text as the name of a scene.
TEST(FreeName, LeadsOutOfNoFolder) {
    EXPECT_EQ(freeName("clothlab-x/../../pwned-3", ".svg"), "clothlab-x_.._.._pwned-3.svg");
    EXPECT_EQ(freeName("../up", ".clothrec", "/some/folder"), "/some/folder/_._up.clothrec");
    EXPECT_EQ(freeName("a\nb", ""), "a_b");
    EXPECT_EQ(freeName("hang-3", ".clothrec", "/some/folder"), "/some/folder/hang-3.clothrec");
}

TEST_F(TakeAwayTest, TheSceneIsCopiedWithItsSettings) {
    model.settings.material.stretchStiffness = 777;
    const auto read = scene::readSceneText(sceneText(model), "copied.toml");
    ASSERT_TRUE(read) << read.error().text();
    EXPECT_EQ(read->settings.material.stretchStiffness, 777);
    EXPECT_EQ(read->cloths, model.scene.cloths);
}

}  // namespace
}  // namespace clothlab::app::panels
