#include "live_fixture.hpp"

// A tear happens in a step, not by an action of the user, and is undone like a cut.
namespace clothlab::app::panels {

using actions::runAction;

namespace {

class TearUndoTest : public LivePanelTest {
protected:
    void tearAt(double strain) {
        model.settings.material.tearStrain = strain;
        model.postSettings();
        settle();
    }
    Index broken() const { return Index(std::ranges::count(now().mesh->broken, 1)); }
    std::string undone() {
        const model::Change* last = model.editor.changes.last();
        const std::string words = last ? last->words() : "";
        EXPECT_EQ(runAction(model, "undo"), "");
        settle();
        return words;
    }
};

TEST_F(TearUndoTest, OneUndoBringsTheClothBackAndTheNextOneTheSetting) {
    steps(4);
    const std::uint64_t whole = hash();
    tearAt(0.001);  // the weight of the cloth is enough to tear it
    steps(3);
    ASSERT_GT(broken(), 0);
    const std::uint64_t torn = hash();
    EXPECT_EQ(undone(), "the tear at step 4, and the motion since") << "the tears of three steps are one change";
    EXPECT_EQ(hash(), whole);
    EXPECT_EQ(broken(), 0);
    EXPECT_EQ(model.settings.material.tearStrain, 0.001) << "undo of the tear leaves the setting, which comes next";
    EXPECT_EQ(runAction(model, "redo"), "");
    settle();
    EXPECT_EQ(hash(), torn);
    undone();
    EXPECT_TRUE(undone().starts_with("tears at")) << "the setting";
    EXPECT_EQ(model.settings.material.tearStrain, 0);
    steps(3);
    EXPECT_EQ(broken(), 0);
}

// If it played on, it would tear again before the user could undo the setting.
TEST_F(TearUndoTest, ATearThatComesBackStandsStill) {
    tearAt(0.001);
    model.playing = true;
    model.editor.post(worker::Play{});
    while (broken() == 0) settle();
    settle();
    undone();
    EXPECT_FALSE(now().playing);
    EXPECT_NE(model.said.text.find("paused"), std::string::npos) << model.said.text;
    EXPECT_EQ(broken(), 0);
    EXPECT_TRUE(undone().starts_with("tears at"));
}

TEST_F(TearUndoTest, ATearByTheHandIsThePullFromWhereItTookHold) {
    steps(20);
    tearAt(0.3);
    const std::uint64_t before = hash();
    const Index corner = 80;
    const float* at = &now().positions[3 * std::size_t(corner)];
    const worker::PointerTarget away{5, {at[0] + 2, at[1] - 2, at[2] + 2}};
    live->post(worker::GrabParticle{corner, now().mesh->revision, 5, {at[0], at[1], at[2]}});
    settle();
    live->setPointerTarget(away);
    steps(40);
    ASSERT_GT(broken(), 0);
    live->post(worker::ReleaseGrab{});
    settle();
    EXPECT_EQ(undone(), "the pull that tore the cloth at step 20, and the motion since");
    EXPECT_EQ(hash(), before);
    EXPECT_EQ(broken(), 0);
}

}  // namespace
}  // namespace clothlab::app::panels
