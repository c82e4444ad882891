#include <algorithm>

#include "model/method_styles.hpp"
#include "panel_fixture.hpp"
#include "panels/quadratic/quadratic_plot.hpp"

namespace clothlab::app::panels {

using model::methodStyle;
using model::Panel;
using model::QuadraticState;
using widgets::Key;
using widgets::LayoutMap;
using widgets::Mark;
using widgets::Style;

namespace {

constexpr std::size_t kDescent = 0, kDirections = 1, kGradients = 2, kJacobi = 3;

class QuadraticPanelTest : public PanelTest {
protected:
    void SetUp() override {
        PanelTest::SetUp();
        press(Key::U);
        frames(2);
    }
    void take(const char* example) {
        click(at("quadratic/example"));
        frames(2);
        click(at(std::string("quadratic/example/") + example));
        frames(2);
    }
    QuadraticState& state() { return model.quadratic; }
};

TEST_F(QuadraticPanelTest, OpensWithTheExampleOfThePaperAndStepsThroughIt) {
    EXPECT_TRUE(model.isOpen(Panel::TwoUnknowns));
    EXPECT_EQ(state().iterates[kDirections].size(), 3u) << "the example that opens needs both directions";
    take("chen");
    EXPECT_EQ(state().start, experiments::Plane(-2, -2));
    EXPECT_EQ(state().step, 0u);
    press(Key::Right);
    EXPECT_NEAR(state().now(kGradients).x[0], 0.08, 1e-6);
    EXPECT_NEAR(state().now(kDescent).x[1], -0.613333, 1e-6);
    click(at("quadratic/forward"));
    EXPECT_NEAR((state().now(kGradients).x - experiments::Plane(2, -2)).norm(), 0, 1e-9);
    click(at("quadratic/forward"));  // conjugate gradients have ended, descent continues
    EXPECT_NEAR(state().now(kDescent).x[0], 1.522133, 1e-6);
    EXPECT_NEAR(state().now(kGradients).x[0], 2, 1e-9);
    press(Key::Left);
    EXPECT_EQ(state().step, 2u);
    click(at("quadratic/show/steepest-descent", 0.95f));
    EXPECT_EQ(state().steps(), 2u);
    click(at("quadratic/step", 0.01f));
    EXPECT_EQ(state().step, 0u);
    click(at("quadratic/play"));
    frames(60 * 2);  // two steps of 0.7 s
    EXPECT_EQ(state().step, 2u);
    EXPECT_FALSE(state().playing);
    press(Key::U);
    EXPECT_FALSE(model.isOpen(Panel::TwoUnknowns));
    press(Key::Right);
    EXPECT_EQ(state().step, 2u) << "the arrow keys belong to the open panel";
}

TEST_F(QuadraticPanelTest, TheMouseSetsTheStartWhereItPoints) {
    const ImVec2 before = at("quadratic/start");
    const experiments::Plane was = state().start;
    click({before.x + 60, before.y - 40});
    const ImVec2 after = at("quadratic/start");
    EXPECT_NEAR(after.x, before.x + 60, 1.5);
    EXPECT_NEAR(after.y, before.y - 40, 1.5);
    const experiments::Plane moved = state().start - was;
    EXPECT_GT(moved[1], 0) << "x2 is up";
    EXPECT_NEAR(moved[0] / moved[1], 1.5, 0.05) << "the same scale along both axes";
    EXPECT_EQ(state().iterates[kGradients].front().x, state().start);
    EXPECT_NEAR((state().iterates[kGradients].back().x - experiments::Plane(2, -2)).norm(), 0, 1e-8);
    moveTo(at("quadratic/plane", 0.5f, 0.5f));  // the button was released
    EXPECT_NEAR(at("quadratic/start").x, after.x, 0.01);
}

TEST_F(QuadraticPanelTest, AMatrixThatIsNotPositiveDefiniteIsRefusedInWordsAndComesBack) {
    const ImVec2 entry = at("quadratic/a12");
    EXPECT_EQ(ui->layout().find("quadratic/refusal"), nullptr);
    click(at("quadratic/a12", 0.95f));
    EXPECT_GT(state().form.A(0, 1), 5);
    EXPECT_EQ(state().form.A(0, 1), state().form.A(1, 0));
    frame();
    EXPECT_NE(ui->layout().find("quadratic/refusal"), nullptr);
    EXPECT_EQ(state().steps(), 0u);
    click(entry);
    click(entry);  // twice: the example's value
    frame();
    EXPECT_EQ(state().form.A(0, 1), 2);
    EXPECT_EQ(ui->layout().find("quadratic/refusal"), nullptr);
    take("saddle");
    EXPECT_NE(ui->layout().find("quadratic/refusal"), nullptr);
}

TEST_F(QuadraticPanelTest, ExamplesTeachWhatTheySay) {
    take("round");
    EXPECT_EQ(state().iterates[kDescent].size(), 2u);
    take("diagonal");
    EXPECT_EQ(state().iterates[kJacobi].size(), 2u);
    EXPECT_EQ(state().iterates[kDirections].size(), 3u);
    take("badly-scaled");
    EXPECT_LT(state().iterates[kJacobi][1].energyError, 0.1 * state().iterates[kGradients][1].energyError);
    take("ill-conditioned");
    EXPECT_GT(state().iterates[kDescent].size(), 100u);
    EXPECT_NEAR(state().form.jacobiSpectrum().condition(), 19, 1e-9);
}

TEST_F(QuadraticPanelTest, EachMethodHasItsCurveToTheEnd) {
    ImGui::GetIO().DisplaySize = {1920, 1080};
    take("chen");  // conjugate gradients end there with an error of exactly zero
    frames(2);
    const LayoutMap::Rect* plot = ui->layout().find("quadratic.errors");
    ASSERT_NE(plot, nullptr);
    const LayoutMap::Rect frame = *plot;
    ASSERT_EQ(state().iterates[kGradients].size(), 3u);
    EXPECT_LT(state().iterates[kGradients].back().energyError, 1e-12);
    for (const int k : {0, 1, 2}) {
        const LayoutMap::Rect* mark = ui->layout().find("quadratic.errors/Conjugate gradients/" + std::to_string(k));
        ASSERT_NE(mark, nullptr) << k;
        EXPECT_GE(mark->center().y, frame.min.y - 1) << k;
        EXPECT_LE(mark->center().y, frame.max.y + 1) << k;
    }
    EXPECT_NE(ui->layout().find("quadratic.errors/Steepest descent/20"), nullptr);
}

TEST_F(QuadraticPanelTest, NothingOfTheClothIsSeenAroundIt) {
    const LayoutMap::Rect view = *ui->layout().find("view");
    EXPECT_LE(view.max.y - view.min.y, 1);
    press(Key::U);
    frame();
    EXPECT_GT(ui->layout().find("view")->max.y, 400);
}

// Colours of the palette, which colour-blind users can distinguish as well, and one mark per method.
TEST_F(QuadraticPanelTest, MethodsDifferByColourAndMark) {
    for (std::size_t a = 0; a < QuadraticState::kMethods; ++a) {
        const Style style = planeStyle(a);
        EXPECT_NE(style.mark, Mark::None) << a;
        EXPECT_TRUE(std::ranges::any_of(enumTable(preconditioners::PreconditionerKind{}), [&](const EnumEntry& kind) {
            return methodStyle(preconditioners::PreconditionerKind(kind.value)).color == style.color;
        })) << a;
        for (std::size_t b = 0; b < a; ++b) {
            EXPECT_NE(style.color, planeStyle(b).color) << a << b;
            EXPECT_NE(style.mark, planeStyle(b).mark) << a << b;
        }
    }
}

TEST_F(QuadraticPanelTest, OnePanelIsOpenAtATime) {
    press(Key::M);
    EXPECT_FALSE(model.isOpen(Panel::TwoUnknowns));
    press(Key::U);
    EXPECT_TRUE(model.isOpen(Panel::TwoUnknowns));
    EXPECT_FALSE(model.isOpen(Panel::Matrix));
    click(at("quadratic/close"));
    EXPECT_FALSE(model.isOpen(Panel::TwoUnknowns));
    click(at("quadratic/open"));
    EXPECT_TRUE(model.isOpen(Panel::TwoUnknowns));
}

}  // namespace
}  // namespace clothlab::app::panels
