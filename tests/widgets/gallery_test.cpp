#include "widgets/gallery.hpp"

#include <algorithm>
#include <array>

#include "widgets/imgui_fixture.hpp"
#include "widgets/imgui_keys.hpp"

// Cards are chosen by the pointer and by keys, nothing leaves the window, and the marked card is visible.
namespace clothlab::app::widgets {
namespace {

constexpr std::size_t kCards = 30;

class GalleryTest : public ImGuiTest {
protected:
    void SetUp() override {
        ImGuiTest::SetUp();
        prepareKeys(ImGui::GetIO());
        for (std::size_t k = 0; k < kCards; ++k)
            cards.push_back({.id = std::to_string(k),
                             .title = "A ball hits the sheet, and then another one does " + std::to_string(k),
                             .line =
                                 "The ball drives a wave through the sheet, and the solver's iterations jump when it "
                                 "hits; two lines are not enough for all of that.",
                             .group = k < 7 ? "Hanging" : "On solids"});
        cards[3].refusal = "This scene cannot be read.";
        frame();
        frame();
    }
    void frame() {
        layout.clear();
        ImGui::NewFrame();
        ImGui::SetNextWindowPos({0, 0});
        ImGui::SetNextWindowSize(ImGui::GetIO().DisplaySize);
        ImGui::Begin("##test", nullptr, ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoNav);
        if (const auto card = gallery->build("gallery", cards)) chosen = card;
        ImGui::End();
        ImGui::Render();
    }
    void press(Key key) {
        setKey(ImGui::GetIO(), int(key), true);
        frame();
        setKey(ImGui::GetIO(), int(key), false);
        frame();
    }
    void click(ImVec2 at) {
        ImGuiIO& io = ImGui::GetIO();
        io.MousePos = at;
        frame();
        io.MouseDown[0] = true;
        frame();
        io.MouseDown[0] = false;
        frame();
    }
    const LayoutMap::Rect& rect(std::size_t card) const { return *layout.find("gallery/" + std::to_string(card)); }
    bool inSight(std::size_t card) const {
        const LayoutMap::Rect& all = rect(card);
        const LayoutMap::Rect seen = all.visible();
        return seen.max.y - seen.min.y > 0.98f * (all.max.y - all.min.y);
    }

    LayoutMap layout;
    Widgets widgets{theme_, layout};
    std::unique_ptr<Gallery> gallery = std::make_unique<Gallery>(theme_, layout, widgets);
    std::vector<GalleryCard> cards;
    std::optional<std::size_t> chosen;
};

TEST_F(GalleryTest, AClickChoosesACardAndARefusedOneIsNotChosen) {
    click(rect(1).center());
    EXPECT_EQ(chosen, 1u);
    chosen.reset();
    click(rect(3).center());
    EXPECT_FALSE(chosen);
    for (std::size_t k = 0; k < 3; ++k) press(Key::Enter);
    EXPECT_FALSE(chosen) << "nor by its key";
}

TEST_F(GalleryTest, KeysMoveTheMarkThroughTheGridAndEnterTakesIt) {
    EXPECT_EQ(gallery->marked(), 0u);
    press(Key::Right);
    press(Key::Right);
    EXPECT_EQ(gallery->marked(), 2u);
    press(Key::Left);
    EXPECT_EQ(gallery->marked(), 1u);
    press(Key::Down);
    const std::size_t below = gallery->marked();
    EXPECT_FLOAT_EQ(rect(below).min.x, rect(1).min.x);
    EXPECT_GT(rect(below).min.y, rect(1).max.y);
    press(Key::Up);
    EXPECT_EQ(gallery->marked(), 1u);
    press(Key::End);
    EXPECT_EQ(gallery->marked(), kCards - 1);
    press(Key::Right);
    EXPECT_EQ(gallery->marked(), kCards - 1);
    frame();
    EXPECT_TRUE(inSight(kCards - 1)) << "the gallery scrolls to the mark";
    EXPECT_FALSE(inSight(0));
    press(Key::Enter);
    EXPECT_EQ(chosen, kCards - 1);
    press(Key::Home);
    frame();
    EXPECT_TRUE(inSight(0));
    press(Key::PageDown);
    EXPECT_GT(rect(gallery->marked()).min.x, -1);
    EXPECT_GT(gallery->marked(), 4u);
}

TEST_F(GalleryTest, TheWheelScrolls) {
    ImGuiIO& io = ImGui::GetIO();
    io.MousePos = {600, 300};
    frame();
    const float before = rect(0).min.y;
    io.MouseWheel = -3;
    frame();
    io.MouseWheel = 0;
    frame();
    EXPECT_LT(rect(0).min.y, before - 20);
    EXPECT_EQ(gallery->marked(), 0u) << "the mark does not pull it back";
}

TEST_F(GalleryTest, TheMarkStaysOnItsCardWhenOthersCome) {
    press(Key::Right);
    cards.insert(cards.begin(), {.id = "new", .title = "a file, found a frame later"});
    press(Key::Enter);
    EXPECT_EQ(chosen, 2u) << "the same card, one place further";
    gallery = std::make_unique<Gallery>(theme_, layout, widgets);
    frame();
    cards.insert(cards.begin(), {.id = "newest", .title = "where Enter begins", .first = true});
    press(Key::Enter);
    EXPECT_EQ(chosen, 0u);
}

TEST_F(GalleryTest, ItBeginsAtTheCurrentCard) {
    cards[20].current = true;
    frame();
    EXPECT_EQ(gallery->marked(), 0u) << "while the gallery is open, only the user moves the mark";
    ImGui::NewFrame();  // closed for a frame
    ImGui::Render();
    frame();
    frame();
    EXPECT_EQ(gallery->marked(), 20u);
    EXPECT_TRUE(inSight(20));
}

TEST_F(GalleryTest, CardsKeepClearOfEachOtherAndOfTheRimAtEverySizeAndScale) {
    for (const auto& [width, height, scale] : {std::array{1280.0f, 720.0f, 1.0f},
                                               {1920, 1080, 1},
                                               {2560, 1440, 2},
                                               {640, 400, 1},
                                               {640, 400, 2},
                                               {1280, 720, 3}}) {
        ImGuiIO& io = ImGui::GetIO();
        io.Fonts->Clear();
        theme_ = applyTheme(scale);
        unsigned char* pixels = nullptr;
        int w = 0, h = 0;
        io.Fonts->GetTexDataAsRGBA32(&pixels, &w, &h);
        io.DisplaySize = {width, height};
        frame();
        frame();
        for (std::size_t k = 0; k < kCards; ++k) {
            EXPECT_GE(rect(k).min.x, 0) << width << " " << scale;
            EXPECT_LE(rect(k).max.x, width) << width << " " << scale;
            EXPECT_GE(rect(k).max.x - rect(k).min.x, theme_.px(150)) << width << " " << scale;
            for (std::size_t j = 0; j < k; ++j)
                EXPECT_TRUE(rect(j).max.x < rect(k).min.x || rect(k).max.x < rect(j).min.x ||
                            rect(j).max.y < rect(k).min.y || rect(k).max.y < rect(j).min.y)
                    << j << " and " << k << " at " << width << " " << scale;
        }
        EXPECT_GT(rect(7).min.y - rect(6).max.y, theme_.strong->FontSize) << "room for the heading";
    }
}

TEST_F(GalleryTest, NoCardsAreNoFault) {
    cards.clear();
    frame();
    press(Key::Enter);
    EXPECT_FALSE(chosen);
}

}  // namespace
}  // namespace clothlab::app::widgets
