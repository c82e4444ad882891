#include "panel_fixture.hpp"

// The gallery of scenes opens by its button, its key and its action; a card loads its scene.
namespace clothlab::app::panels {

using actions::runAction;
using model::makeSceneChoice;
using model::Panel;
using model::SceneGroup;

namespace {

using widgets::Key;

class GalleryPanelTest : public PanelTest {
protected:
    void SetUp() override {
        PanelTest::SetUp();
        model.scenes.push_back({"broken", "A broken scene", "", "broken.toml:3: no such key", SceneGroup::OnSolids});
        model.scenes.push_back({"pieces", "Falls apart", "Each piece is solved.", "", SceneGroup::Inside});
        frames(2);
    }
};

TEST_F(GalleryPanelTest, TheButtonBesideTheListOpensItAndACardAsksForItsScene) {
    click(at("gallery/button"));
    frames(2);
    ASSERT_TRUE(model.isOpen(Panel::Gallery));
    EXPECT_LT(at("view", 0, 1).y - at("view", 0, 0).y, 2) << "in place of the cloth";
    click(at("gallery/scene/broken"));
    EXPECT_EQ(model.files.request, "") << "a scene that cannot be read is refused";
    click(at("gallery/scene/flag"));
    EXPECT_EQ(model.files.request, "flag");
    EXPECT_FALSE(model.panelOpen()) << "the cloth is visible again";
}

TEST_F(GalleryPanelTest, KeysAreEnough) {
    press(Key::O);
    frames(2);
    ASSERT_TRUE(model.isOpen(Panel::Gallery));
    press(Key::Right);
    press(Key::Enter);
    EXPECT_EQ(model.files.request, "flag") << "the first card is the scene that runs";
    press(Key::O);
    press(Key::Escape);
    EXPECT_FALSE(model.panelOpen());
}

TEST_F(GalleryPanelTest, PicturesAreAskedForByTheSceneWhenItOpensAndNotBefore) {
    std::vector<std::string> asked;
    model.pictures = [&](const std::string& name) {
        asked.push_back(name);
        return ImTextureID();
    };
    frames(2);
    EXPECT_TRUE(asked.empty());
    EXPECT_EQ(runAction(model, "gallery.open"), "");
    frame();
    EXPECT_EQ(asked, (std::vector<std::string>{"scenes/hang", "scenes/flag", "scenes/broken", "scenes/pieces"}));
}

TEST(SceneChoices, AreSortedByWhatTheSceneHas) {
    const auto groupOf = [](const std::string& name) {
        const auto scene = scene::findScene(name, CLOTHLAB_SOURCE_DIR "/assets");
        EXPECT_TRUE(scene) << name;
        return makeSceneChoice(*scene, name).group;
    };
    EXPECT_EQ(groupOf("flag"), SceneGroup::Hanging);
    EXPECT_EQ(groupOf("drape-sphere"), SceneGroup::OnSolids);
    EXPECT_EQ(groupOf("knot"), SceneGroup::InLayers);
    EXPECT_EQ(groupOf("liu-frog"), SceneGroup::Bodies);
    EXPECT_EQ(groupOf("decomposed-table"), SceneGroup::Inside);
}

}  // namespace
}  // namespace clothlab::app::panels
