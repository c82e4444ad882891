#include "panels/sparsity_panel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "actions/actions.hpp"
#include "actions/showing.hpp"
#include "base/text.hpp"
#include "widgets/numbers.hpp"
#include "widgets/scopes.hpp"

namespace clothlab::app::panels {

using actions::actionKey;
using model::StepNote;

namespace hue = widgets::hue;
using widgets::formatNumber;
using worker::SparsityResult;

namespace {

using experiments::BlockKind;

struct KindLook {
    const char* name;
    ImU32 color;
};
/// In the order of BlockKind.
constexpr KindLook kLooks[] = {{"slack", hue::kSlackBlock},      {"bend, other", hue::kBendBlock},
                               {"fill", hue::kFillBlock},        {"shear", hue::kShearBlock},
                               {"stretch", hue::kStretchBlock},  {"contact", hue::kContactBlock},
                               {"diagonal", hue::kDiagonalBlock}};
constexpr float kAskAgain = 0.5f;       // s, while the cloth moves
constexpr float kLeastExplained = 180;  // points of the picture that leave room for words

}  // namespace

float SparsityPanel::build(const Region& centre, float bottom) {
    const float margin = theme_.px(14), top = centre.y + theme_.px(14);
    const float height = bottom - top, width = std::clamp(centre.width * 0.5f, theme_.px(300), height);
    widgets::FloatingPanel panel("sparsity", {centre.x + centre.width - margin - width, top}, {width, height}, theme_,
                                 layout_);
    if (panel.heading("Matrix", widgets_, fmt::format("Closes the picture (key {}).", actionKey("sparsity.toggle"))))
        model_.closePanel();
    model_.sparsity.linked = {-1, -1};
    follow();
    heading();
    if (note_.stale() || note_.kind == StepNote::Kind::Before) {
        const widgets::FontScope font(theme_.small);
        widgets_.warning("sparsity/of", note_.words, note_.help, false);
    }
    const SparsityResult* result = model_.results.of<SparsityResult>();
    if (result && !result->problem.empty()) {
        widgets_.note(result->problem, true);
    } else if (result) {
        const ImVec2 room = ImGui::GetContentRegionAvail();
        const float gap = ImGui::GetStyle().ItemSpacing.y;
        const bool explained =
            room.y - legends_ - notes_ - gap >= theme_.px(kLeastExplained);  // the matrix comes first
        picture(std::clamp(room.y - legends_ - (explained ? notes_ : 0) - gap, theme_.px(40), room.x));
        const float under = ImGui::GetCursorPosY();
        legend();
        legends_ = ImGui::GetCursorPosY() - under;  // its lines wrap; for the next frame
        if (!explained) return width + margin;
        const auto& table = experiments::kSparsitiesOf;
        const auto what = std::find_if(table.begin(), table.end(),
                                       [&](const EnumEntry& e) { return e.value == int(result->blocks.of); });
        ImGui::Dummy({0, theme_.px(4)});
        widgets_.note(what->help);
        widgets_.note(
            "Point at a block to see its particles on the cloth, and at a particle to see its row and column.");
        layout_.markLast("sparsity/notes");
        notes_ = ImGui::GetCursorPosY() - under - legends_;
    }
    return width + margin;
}

/// The matrix of the present step, twice a second while the cloth moves.
void SparsityPanel::follow() {
    sinceAsked_ += ImGui::GetIO().DeltaTime;
    const SparsityResult* result = model_.results.of<SparsityResult>();
    note_ = result ? stepNote(result->origin, model_) : StepNote();
    const Asked wanted{model_.snapshot->identity, model_.snapshot->settingsRevision};
    if (sinceAsked_ < kAskAgain || !note_.wantsAnother(false) || wanted == asked_) return;
    asked_ = wanted;
    askSparsity(model_);
    sinceAsked_ = 0;
}

void SparsityPanel::heading() {
    ImGui::PushFont(theme_.small);
    const float half = (ImGui::GetContentRegionAvail().x - theme_.px(8)) / 2;
    int of = int(model_.sparsity.of), ordering = int(model_.sparsity.ordering);
    bool changed = widgets_.choice("sparsity/of", experiments::kSparsitiesOf, of, half);
    ImGui::SameLine(0, theme_.px(8));
    changed |= widgets_.choice("sparsity/ordering", enumTable(factors::Ordering{}).subspan(1), ordering,
                               half);  // "best" needs a comparison
    if (!actions::controlsFolded(model_) &&
        widgets_.toggle("sparsity/components", "by components", model_.sparsity.byComponents,
                        "Rows and columns component after component, the largest first, in the order chosen within "
                        "each; fixed particles last.")) {
        model_.sparsity.byComponents = !model_.sparsity.byComponents;
        changed = true;
    }
    ImGui::PopFont();
    if (!changed) return;
    model_.sparsity.of = static_cast<experiments::SparsityOf>(of);
    model_.sparsity.ordering = static_cast<factors::Ordering>(ordering);
    askSparsity(model_);
    sinceAsked_ = 0;
}

/// Runs of one kind in a line of the raster are one rectangle each: thousands instead of a quarter of a million.
void SparsityPanel::picture(float side) {
    const SparsityResult& result = *model_.results.of<SparsityResult>();
    const ImVec2 min = ImGui::GetCursorScreenPos();
    ImGui::InvisibleButton("##blocks", {side, side});
    layout_.markLast("sparsity/blocks");
    ImDrawList* draw = ImGui::GetWindowDrawList();
    draw->AddRectFilled(min, {min.x + side, min.y + side}, theme_.colors.plotGround);
    const int n = result.cells;
    const float cell = side / float(std::max(1, n)), grow = std::max(0.0f, theme_.px(1) - cell);
    for (int r = 0; r < n; ++r) {
        const std::uint8_t* line = &result.raster[std::size_t(r) * std::size_t(n)];
        for (int c = 0; c < n;) {
            int end = c + 1;
            while (end < n && line[end] == line[c]) ++end;
            if (line[c] > 0)
                draw->AddRectFilled({min.x + float(c) * cell, min.y + float(r) * cell},
                                    {min.x + float(end) * cell + grow, min.y + float(r + 1) * cell + grow},
                                    theme_.ink(kLooks[line[c] - 1].color));
            c = end;
        }
    }
    borders(min, side);
    crossHair(min, side);
    if (ImGui::IsItemHovered()) pointAt(min, side);
}

/// Around each component that is large enough to see, and around what is left: particles alone, and fixed ones.
void SparsityPanel::borders(ImVec2 min, float side) const {
    const experiments::Sparsity& s = model_.results.of<SparsityResult>()->blocks;
    const std::vector<Index>& start = s.componentStart;
    if (start.empty() || s.places() == 0) return;
    const auto square = [&](Index from, Index to, ImU32 color) {
        const float scale = side / float(s.places()), a = float(from) * scale, b = float(to) * scale;
        if (b - a >= theme_.px(3))
            ImGui::GetWindowDrawList()->AddRect({min.x + a, min.y + a}, {min.x + b, min.y + b}, color);
    };
    std::size_t k = 0;
    for (; k + 1 < start.size() && start[k + 1] - start[k] > 1; ++k) square(start[k], start[k + 1], theme_.colors.pin);
    square(start[k], start.back(), theme_.colors.track);
    square(start.back(), s.places(), theme_.colors.knob);
}

std::string SparsityPanel::componentsCaption() const {
    const experiments::Sparsity& s = model_.results.of<SparsityResult>()->blocks;
    const auto count = Index(s.componentStart.size()) - 1;
    Index alone = 0;
    for (Index c = 0; c < count; ++c) alone += s.componentStart[c + 1] - s.componentStart[c] == 1;
    std::string text = fmt::format("{} component{}", formatNumber(count, 7), plural(count));
    if (count > 0) text += fmt::format(", largest {}", formatNumber(s.componentStart[1], 7));
    if (alone > 0) text += fmt::format(", {} of one particle", formatNumber(alone, 7));
    const Index fixed = s.places() - s.componentStart.back();
    return fixed > 0 ? text + fmt::format(" · fixed, last: {}", formatNumber(fixed, 7)) : text;
}

/// The block under the pointer, or the nearest one in the cells around it.
void SparsityPanel::pointAt(ImVec2 min, float side) {
    const experiments::Sparsity& s = model_.results.of<SparsityResult>()->blocks;
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    const auto n = float(s.places());
    const float r = (mouse.y - min.y) / side * n, c = (mouse.x - min.x) / side * n;
    const float reach = std::max(0.75f, theme_.px(3) / side * n);
    float best = reach * reach * 2;
    Index row = -1;
    std::size_t block = 0;
    for (auto i = Index(std::max(0.0f, r - reach)); i < std::min(s.places(), Index(r + reach) + 1); ++i)
        for (std::size_t k = s.rowStart[i]; k < s.rowStart[i + 1]; ++k) {
            const float dr = float(i) + 0.5f - r, dc = float(s.column[k]) + 0.5f - c;
            if (dr * dr + dc * dc >= best) continue;
            best = dr * dr + dc * dc;
            row = i;
            block = k;
        }
    if (row < 0) return;
    const Index a = s.particle[row], b = s.particle[s.column[block]];
    model_.sparsity.linked = {a, b};
    const auto number = [&](Index particle) {
        const auto& mesh = model_.snapshot->mesh;
        return mesh ? mesh->particleNumber(particle) : particle;
    };
    const widgets::FontScope font(theme_.small);
    ImGui::BeginTooltip();
    if (a == b)
        ImGui::Text("particle %d · place %d", number(a), row);
    else
        ImGui::Text("particles %d and %d · %s", number(a), number(b), kLooks[int(s.kind[block])].name);
    ImGui::EndTooltip();
}

void SparsityPanel::crossHair(ImVec2 min, float side) const {
    const experiments::Sparsity& s = model_.results.of<SparsityResult>()->blocks;
    const Index particle = model_.view.hovered;
    if (particle < 0 || particle >= Index(s.place.size()) || s.place[particle] < 0) return;
    const float at = (float(s.place[particle]) + 0.5f) / float(s.places()) * side;
    ImDrawList* draw = ImGui::GetWindowDrawList();
    draw->AddLine({min.x, min.y + at}, {min.x + side, min.y + at}, theme_.colors.pin);
    draw->AddLine({min.x + at, min.y}, {min.x + at, min.y + side}, theme_.colors.pin);
}

void SparsityPanel::legend() {
    const experiments::Sparsity& s = model_.results.of<SparsityResult>()->blocks;
    bool present[std::size(kLooks)] = {};
    for (const BlockKind kind : s.kind) present[int(kind)] = true;
    const widgets::FontScope font(theme_.small);
    const float end = ImGui::GetWindowPos().x + ImGui::GetWindowWidth() - ImGui::GetStyle().WindowPadding.x;
    bool first = true;
    for (std::size_t k = 0; k < std::size(kLooks); ++k) {
        if (!present[k]) continue;
        const float width = theme_.px(15) + ImGui::CalcTextSize(kLooks[k].name).x;
        if (!first) {
            ImGui::SameLine(0, theme_.px(12));
            if (ImGui::GetCursorScreenPos().x + width > end) ImGui::NewLine();
        }
        first = false;
        const ImVec2 at = ImGui::GetCursorScreenPos();
        const float line = ImGui::GetTextLineHeight();
        ImGui::GetWindowDrawList()->AddRectFilled({at.x, at.y + line * 0.2f}, {at.x + theme_.px(9), at.y + line * 0.8f},
                                                  theme_.ink(kLooks[k].color), theme_.px(2));
        ImGui::GetWindowDrawList()->AddText({at.x + theme_.px(15), at.y}, theme_.colors.quiet, kLooks[k].name);
        ImGui::Dummy({width, line});
    }
    const double share = s.places() > 0 ? double(s.occupied) / s.places() : 0;
    widgets_.note(fmt::format("step {} · {} rows · {} blocks · {} per row", s.step, formatNumber(s.places(), 7),
                              formatNumber(double(s.occupied), 8), formatNumber(share, 3)),
                  false,
                  "Rows of 3 x 3 blocks, one each particle; blocks that are not "
                  "zero in the step shown, and how many there are in a row.");
    if (!s.componentStart.empty()) widgets_.note(componentsCaption());
}

}  // namespace clothlab::app::panels
