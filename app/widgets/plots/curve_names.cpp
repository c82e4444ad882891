#include "widgets/plots/curve_names.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "widgets/plots/plot_labels.hpp"
#include "widgets/plots/plot_twins.hpp"

namespace clothlab::app::widgets {

CurveNames::CurveNames(const PlotFrame& frame) : frame_(frame), curves_(frame.curves), theme_(frame.theme) {
    if (!(frame_.spec.readNearest || frame_.spec.nameCurves) || frame_.spec.marks || !frame_.any) return;
    lines_.assign(curves_.size(), {});
    for (std::size_t c = 0; c < curves_.size(); ++c)
        for (std::size_t i = 0; i < curves_[c].x.size(); ++i)
            if (frame_.visible(curves_[c].x[i]) && frame_.drawable(curves_[c], i))
                lines_[c].push_back(frame_.curvePoint(curves_[c], i));
    twin_ = firstTwins(lines_, theme_.px(1.2f));
    for (std::size_t c = 0; c < curves_.size(); ++c)
        if (curves_[c].plain || curves_[twin_[c]].plain) twin_[c] = c;
}

std::size_t CurveNames::above(std::size_t curve) const {
    if (twin_.empty() || twin_[curve] == curve) return 0;
    if (!curves_[curve].faint && std::ranges::any_of(curves_, &PlotCurve::faint)) return 0;  // it is pointed at
    constexpr std::size_t kMost = 2;
    std::vector<ImU32> above;
    for (std::size_t c = 0; c < curve; ++c)
        if (twin_[c] == twin_[curve] && std::ranges::count(above, curves_[c].style.color) == 0)
            above.push_back(curves_[c].style.color);
    // One of its own colour is seen already.
    return std::ranges::count(above, curves_[curve].style.color) > 0 ? 0 : std::min(above.size(), kMost);
}

/// "Block Jacobi = MPCG · Constrained block" where both have one curve, in two lines at most; how many more there are
/// where that has no room.
std::string CurveNames::legendName(std::size_t curve, float width) const {
    std::string name(curves_[curve].name), line = name;
    if (twin_.empty()) return name;
    std::size_t left = std::size_t(std::ranges::count(twin_, twin_[curve])) - 1;
    const auto fits = [&](const std::string& words) {
        const std::string rest = left > 1 ? fmt::format(" = {} more", left - 1) : "";
        return ImGui::CalcTextSize((words + rest).c_str()).x <= width;
    };
    bool broken = false;
    for (std::size_t other = 0; other < curves_.size() && left > 0; ++other) {
        if (other == curve || twin_[other] != twin_[curve]) continue;
        const std::string next(curves_[other].name);
        const bool beside = fits(line + " = " + next);
        if (!beside && (broken || !fits(next))) return fmt::format("{} = {} more", name, left);
        broken |= !beside;
        line = beside ? line + " = " + next : next;
        name += (beside ? " = " : " =\n") + next;
        --left;
    }
    return name;
}

/// Beside a point of each curve that has room, where they cover the fewest other curves. In the order of the curves.
void CurveNames::draw() const {
    if (lines_.empty()) return;
    constexpr float kAlong[] = {1, 0.93f, 0.86f, 0.79f, 0.72f, 0.65f, 0.58f, 0.5f, 0.42f, 0.34f, 0.26f, 0.18f, 0.1f};
    // Curves through a cell of half a line's height, on average: first those that stand alone, then what has some room.
    constexpr float kMostCovered[] = {0.02f, 0.07f};
    const int most = std::clamp(int((frame_.max.y - frame_.min.y) / (1.6f * frame_.lineHeight)), 2,
                                10);  // more of them hide the curves
    int named = 0;
    InkMap ink(frame_.min, frame_.max, 0.5f * frame_.lineHeight);
    std::vector<std::vector<ImVec2>> lines = lines_;
    std::vector<bool> has(curves_.size());
    for (std::size_t c = 0; c < curves_.size(); ++c) {
        std::erase_if(lines[c], [&](ImVec2 at) { return at.y >= frame_.max.y; });
        if (twin_[c] == c) ink.add(lines[c]);
    }
    LabelPlacer places(frame_.min, frame_.max);
    for (const float covered : kMostCovered)
        for (std::size_t c = 0; c < curves_.size(); ++c) {
            if (lines[c].empty() || curves_[c].faint || named == most || has[c]) continue;
            std::vector<ImVec2> beside;
            for (const float along : kAlong)
                beside.push_back(lines[c][std::size_t(along * float(lines[c].size() - 1))]);
            const std::string name = legendName(c, 0.8f * (frame_.max.x - frame_.min.x));
            const ImVec2 size = ImGui::CalcTextSize(name.c_str());
            const auto place = places.placeClear(beside, size, theme_.px(4), ink, covered);
            if (!place) continue;
            ++named;
            frame_.pen.box(*place, {place->x + size.x, place->y + size.y}, withAlpha(theme_.colors.plotGround, 215));
            frame_.pen.words(*place, frame_.shade(c), name);
            for (std::size_t other = 0; other < curves_.size(); ++other) {
                if (twin_[other] != twin_[c]) continue;
                has[other] = true;
                frame_.layout.mark(fmt::format("{}/name/{}", frame_.spec.id, curves_[other].name), *place,
                                   {place->x + size.x, place->y + size.y});
            }
            frame_.layout.words(fmt::format("{}/name/{}", frame_.spec.id, curves_[c].name), name);
        }
}

}  // namespace clothlab::app::widgets
