#include "widgets/plots/figure.hpp"

#include <imgui_internal.h>

#include <algorithm>

#include "widgets/plots/plot_frame.hpp"
#include "widgets/plots/plot_text.hpp"
#include "widgets/scopes.hpp"
#include "widgets/widgets.hpp"

namespace clothlab::app::widgets {
namespace {

constexpr float kWidth = 640, kHeight = 400, kRim = 12;  // points, without the caption
constexpr int kMostLines = 8;

}  // namespace

std::vector<Style> paperStyles(std::vector<Style> styles, bool marks) {
    const auto alike = [&](const Style& a, const Style& b) {
        const auto drawn = [&](Mark mark) { return marks && mark == Mark::None ? Mark::Circle : mark; };
        return a.dash == b.dash && drawn(a.mark) == drawn(b.mark);
    };
    for (std::size_t c = 1; c < styles.size(); ++c) {
        const Style own = styles[c];
        const auto taken = [&](const Style& style) {
            return std::any_of(styles.begin(), styles.begin() + std::ptrdiff_t(c),
                               [&](const Style& before) { return alike(before, style); });
        };
        for (std::size_t n = 0; n < kMarkKinds * kDashKinds && taken(styles[c]); ++n) {
            styles[c].mark = variantMark(std::size_t(own.mark) + n);
            styles[c].dash = static_cast<Dash>((std::size_t(own.dash) + n / kMarkKinds) % kDashKinds);
        }
    }
    return styles;
}

Figure::Figure(const PlotSpec& spec, std::span<const PlotCurve> curves) : spec_(spec) {
    const auto word = [this](std::string_view text) -> std::string_view { return words_.emplace_back(text); };
    const auto lines = [this](std::span<const std::string> all) -> std::span<const std::string> {
        return lines_.emplace_back(all.begin(), all.end());
    };
    const auto numbers = [this](std::span<const double> all) -> std::span<const double> {
        return numbers_.emplace_back(all.begin(), all.end());
    };
    for (std::string_view* text : {&spec_.id, &spec_.title, &spec_.note, &spec_.noteHelp, &spec_.xLabel, &spec_.unit,
                                   &spec_.measure, &spec_.thresholdName, &spec_.emptyText, &spec_.xAxis})
        *text = word(*text);
    spec_.caption = lines(spec.caption);
    spec_.xWords = lines(spec.xWords);
    notes_.assign(spec.notes.begin(), spec.notes.end());
    spec_.notes = notes_;
    spec_.svg = nullptr;
    spec_.source = nullptr;
    spec_.legend = true;
    spec_.nameCurves = false;
    spec_.xTicks = true;  // a plot of a column may have its axis below others
    if (spec.source) caption_ = spec.source();
    std::vector<Style> styles;
    for (const PlotCurve& curve : curves) styles.push_back(curve.style);
    if (!spec.ownStyles) styles = paperStyles(std::move(styles), spec.marks);
    for (std::size_t c = 0; c < curves.size(); ++c) {
        PlotCurve& own = curves_.emplace_back(curves[c]);
        own.name = word(own.name);
        own.style = styles[c];
        own.x = numbers(own.x);
        own.y = numbers(own.y);
        own.lost = numbers(own.lost);
        own.labels = lines(own.labels);
        own.faint = false;
    }
}

UiTheme Figure::onPaper(const UiTheme& theme) {
    UiTheme paper = theme;
    paper.kind = ThemeKind::Light;
    paper.colors = themePalette(ThemeKind::Light);
    return paper;
}

std::vector<std::string> Figure::captionLines(const UiTheme& theme) const {
    const FontScope font(theme.small);
    std::vector<std::string> lines;
    for (const std::string& words : caption_)
        for (std::string& line : wrapped(words, theme.px(kWidth - 2 * kRim), kMostLines))
            lines.push_back(std::move(line));
    return lines;
}

ImVec2 Figure::size(const UiTheme& theme) const {
    const auto lines = float(captionLines(theme).size());
    const float below = lines > 0 ? theme.px(kRim / 2) + lines * theme.small->FontSize : 0;
    return {theme.px(kWidth), std::ceil(theme.px(kHeight) + below)};
}

void Figure::draw(ImDrawList& list, const UiTheme& theme, std::string* svg) const {
    const UiTheme paper = onPaper(theme);
    std::string unread;  // a pen that writes draws what is for paper alone
    const Pen pen(list, svg ? svg : &unread);
    LayoutMap unusedLayout;
    const float rim = paper.px(kRim);
    drawWhole(
        {spec_, curves_, paper, unusedLayout, pen, {rim, rim}, {paper.px(kWidth) - rim, paper.px(kHeight) - rim}});
    const FontScope font(paper.small);
    float y = paper.px(kHeight - kRim / 2);
    for (const std::string& line : captionLines(paper)) {
        pen.words({rim, y}, paper.colors.quiet, line);
        y += paper.small->FontSize;
    }
}

std::string Figure::svg(const UiTheme& theme) const {
    ImDrawList unseen(ImGui::GetDrawListSharedData());
    unseen._ResetForNewFrame();
    unseen.PushClipRectFullScreen();
    unseen.PushTextureID(ImGui::GetIO().Fonts->TexID);
    std::string elements;
    draw(unseen, theme, &elements);
    return svgDocument(elements, {0, 0}, size(theme), theme.scale, onPaper(theme).colors.plotGround);
}

std::string Figure::csv() const {
    std::string text;
    for (const std::string& line : caption_) text += "# " + line + "\n";
    return text + plotCsv(spec_, curves_);
}

std::string plotSvg(const PlotSpec& spec, std::span<const PlotCurve> curves, const UiTheme& theme) {
    return Figure(spec, curves).svg(theme);
}

}  // namespace clothlab::app::widgets
