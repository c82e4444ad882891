#include "widgets/plots/figure.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "imgui_fixture.hpp"
#include "widgets/plots/plot_hatch.hpp"

namespace clothlab::app::widgets {
namespace {

std::size_t count(const std::string& text, std::string_view part) {
    std::size_t n = 0;
    for (std::size_t at = 0; (at = text.find(part, at)) != text.npos; ++at) ++n;
    return n;
}

TEST(PaperStyles, AreToldApartWithoutTheirColours) {
    std::vector<Style> looks(26, Style(hue::kInk));
    looks[4].dash = Dash::Dashed;
    looks[5].mark = Mark::Square;
    for (const bool marks : {false, true}) {
        const std::vector<Style> paper = paperStyles(looks, marks);
        std::set<std::pair<int, int>> seen;
        for (const Style& style : paper) {
            const Mark mark = marks && style.mark == Mark::None ? Mark::Circle : style.mark;
            EXPECT_TRUE(seen.emplace(int(style.dash), int(mark)).second) << int(style.dash) << " " << int(mark);
        }
        EXPECT_EQ(paper[0], looks[0]) << "the first stays as it is";
        EXPECT_EQ(paper[4], looks[4]) << "no other was dashed before it";
    }
}

class FigureTest : public ImGuiTest {
protected:
    const double x[3] = {0, 1, 2}, a[3] = {1, 2, 1}, b[3] = {2, 1, 2};
    PlotSpec spec() {
        PlotSpec made;
        made.id = "p";
        made.title = "height";
        made.xLabel = "step";
        made.xMax = 2;
        made.source = [] { return std::vector<std::string>{"Scene <hang>, step 3.", "Times: of a machine."}; };
        return made;
    }
};

TEST_F(FigureTest, SaysWhatItIsOfInEachForm) {
    const PlotCurve curves[] = {{"a", hue::kInk, x, a}, {"b", hue::kInk, x, b}};
    ImGui::NewFrame();
    const Figure figure(spec(), curves);
    const std::string svg = figure.svg(theme_);
    EXPECT_NE(svg.find(">Scene &lt;hang&gt;, step 3.</text>"), svg.npos);
    EXPECT_NE(svg.find(">Times: of a machine.</text>"), svg.npos);
    EXPECT_EQ(figure.csv(), "# Scene <hang>, step 3.\n# Times: of a machine.\nstep,a,b\n0,1,2\n1,2,1\n2,1,2\n");
    PlotSpec bare = spec();
    bare.source = nullptr;
    EXPECT_EQ(figure.size(theme_).x, 640);
    EXPECT_GT(figure.size(theme_).y, Figure(bare, curves).size(theme_).y + 20) << "two lines under the plot";
    ImGui::Render();
}

// The caller's numbers and words no longer exist when the figure is drawn.
TEST_F(FigureTest, OutlivesWhatItWasMadeOf) {
    std::unique_ptr<Figure> figure;
    ImGui::NewFrame();
    {
        std::vector<double> own(std::begin(a), std::end(a));
        std::string name = "a name that no small buffer holds, whatever the library is";
        const PlotCurve curve{name, hue::kInk, x, own};
        figure = std::make_unique<Figure>(spec(), std::span(&curve, 1));
        std::ranges::fill(own, 77.0);
        std::ranges::fill(name, '#');
    }
    EXPECT_NE(figure->csv().find("step,\"a name that no small buffer holds, whatever the library is\"\n0,1\n"),
              std::string::npos)
        << figure->csv();
    ImGui::Render();
}

TEST_F(FigureTest, AreasAreHatchedOnPaperAlone) {
    PlotSpec stacked = spec();
    stacked.stacked = true;
    const PlotCurve curves[] = {{"a", hue::kInk, x, a}, {"b", hue::kGhost, x, b}};
    ImGui::NewFrame();
    const std::string one = Figure(stacked, std::span(curves, 1)).svg(theme_),
                      two = Figure(stacked, curves).svg(theme_);
    EXPECT_GT(count(two, "<polyline"), count(one, "<polyline") + 20) << "lines over the second area";
    ImGui::Render();
}

TEST_F(FigureTest, ALineOfAHatchingGoesOnThroughNeighbours) {
    ImGui::NewFrame();
    const HatchBox boxes[] = {{0, 10, 0, 40}, {10, 20, 0, 40}, {20, 30, 30, 40}, {50, 60, 0, 40}};
    std::string svg;
    hatch({*ImGui::GetForegroundDrawList(), &svg}, boxes, 2, 0xff000000, 20, 1);  // level, at 0, 20 and 40
    EXPECT_NE(svg.find("points=\"0.00,20.00 20.00,20.00\""), svg.npos) << svg;
    EXPECT_NE(svg.find("points=\"50.00,20.00 60.00,20.00\""), svg.npos) << svg;
    ImGui::Render();
}

}  // namespace
}  // namespace clothlab::app::widgets
