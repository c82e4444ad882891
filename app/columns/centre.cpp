#include "columns/centre.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>

#include "actions/actions.hpp"
#include "actions/showing.hpp"
#include "base/text.hpp"
#include "model/ghost_words.hpp"
#include "model/method_styles.hpp"
#include "panels/panel_makers.hpp"
#include "widgets/numbers.hpp"
#include "widgets/scopes.hpp"

namespace clothlab::app::columns {

using model::Panel;
using model::Place;
using model::UiModel;
using panels::ClothPanel;
using panels::Region;

namespace {

constexpr float kClearOfWords = 58;  // points that a panel in place of the cloth leaves for words at the top

/// The pointer is over words that are drawn over the cloth, and over no window.
bool pointsAtCloth(ImVec2 min, ImVec2 max) {
    return !ImGui::IsWindowHovered(ImGuiHoveredFlags_AnyWindow) && ImGui::IsMouseHoveringRect(min, max, false);
}

std::string sceneLine(const UiModel& model) {
    const worker::Snapshot& now = *model.snapshot;
    // While the next scene is built, the picture is of the one before.
    const bool loaded = model.load == 0;
    std::string line = now.mesh ? now.mesh->sceneName : model.scene.name;
    if (now.mesh) {
        if (now.mesh->patches.size() == 1 && loaded)
            line += " · " + model::sizeText(model.activePatch);
        else if (now.mesh->patches.size() > 1)
            line += fmt::format(" · {} cloths", now.mesh->patches.size());
        line += fmt::format(" · {} particles", widgets::formatNumber(now.mesh->particles, 7));
    }
    const auto& s = now.settings;
    if (s.integrator.kind != integrators::kUsualIntegrator) line += " · " + std::string(enumLabel(s.integrator.kind));
    if (integrators::usesSolver(s.integrator.kind))
        line += " · " + model::methodName(s.solver.kind, s.preconditioner.kind);
    return line;
}

/// How it is stepped, in a line.
std::string methodLine(const worker::Snapshot& now) {
    return fmt::format("{} · time step {} ms · {} thread{}", enumLabel(now.settings.integrator.kind),
                       widgets::formatNumber(now.settings.integrator.dt * 1e3, 3), now.threads, plural(now.threads));
}

}  // namespace

Centre::Centre(const panels::PanelContext& context) : WindowPart(context), strip_(context) {
    for (const model::PanelEntry& entry : model::panelTable())
        panels_.push_back(panels::makePanel(entry.panel, context));
}

Region Centre::build(const Region& region) {
    const bool presenter = model_.looks.presenter;
    const float tools = actions::toolsFolded(model_) ? region.y + region.height : toolBar(region),
                strip = presenter && !actions::controlsFolded(model_) ? strip_.build(region, tools) : tools,
                above = strip - theme_.px(8);
    Region line = region;
    const Panel open = model_.panel;  // its own button may close it meanwhile
    const Place place = open == Panel::None ? Place::Under : model::entryFor(open).place;
    if (place == Place::Beside) line.width = std::min(viewWidth_, region.width);
    const bool covered = open != Panel::None && place == Place::Instead;
    const float words = headLine(line, covered), banner = problemBanner(region, words);
    wordsBottom_ = std::max(words, banner);
    Region left = region;
    left.height = std::max(strip - region.y, 1.0f);
    if (banner > 0) left = {region.x, banner, region.width, std::max(strip - banner, 1.0f)};
    model_.sparsity.linked = {-1, -1};
    const float legend = open == Panel::None ? above : openPanel(region, above, banner, left);
    if (place != Place::Over && place != Place::Instead && !model_.legend.empty())
        overlayLegend(region, wordsBottom_, legend);
    if (model_.popups.keys) keysWindow(region);
    viewWidth_ = left.width;
    if (model_.showsGhostBeside() && place != Place::Instead) besideCaptions(left, std::max(words, banner));
    return left;
}

/// What the two cloths differ in, over each; and the line between them.
void Centre::besideCaptions(const Region& picture, float top) {
    const auto differ =
        model_.looks.blind ? std::vector<model::GhostDifference>() : model::ghostDifferences(*model_.snapshot);
    const float middle = picture.x + picture.width / 2, y = top + theme_.px(4);
    ImDrawList* draw = ImGui::GetBackgroundDrawList();
    draw->AddLine({middle, top}, {middle, picture.y + picture.height}, theme_.colors.line, theme_.px(1));
    const auto caption = [&](std::string_view id, std::string text, const std::string& values, float x) {
        if (!values.empty()) text += ": " + values;
        constexpr int kMostLines = 4;
        const auto lines = widgets::wrapped(text, picture.width / 2 - theme_.px(24), kMostLines);
        ImVec2 min{x, y}, max{x, y};
        float bottom = y;
        for (const std::string& each : lines) {
            const ImVec2 size = ImGui::CalcTextSize(each.c_str()), at{x - size.x / 2, bottom};
            draw->AddRectFilled({at.x - theme_.px(6), at.y - theme_.px(2)},
                                {at.x + size.x + theme_.px(6), at.y + size.y + theme_.px(2)}, theme_.colors.headLine,
                                theme_.px(3));
            draw->AddText(at, theme_.colors.text, each.c_str());
            bottom += size.y;
            min.x = std::min(min.x, at.x), max = {std::max(max.x, at.x + size.x), bottom};
        }
        layout_.words(id, fmt::format("{}", fmt::join(lines, "\n")));
        wordsBottom_ = std::max(wordsBottom_, bottom);
        widgets_.tooltip(id, lines.size() == kMostLines && model_.looks.interactive && pointsAtCloth(min, max),
                         [&] { return text; });
    };
    caption("beside/cloth", "this cloth", model::valuesHere(differ), middle - picture.width / 4);
    caption("beside/ghost", "ghost", model::valuesThere(differ), middle + picture.width / 4);
}

/// Builds the panel that is open and takes its room from what is left of the cloth. Returns the lower edge of the
/// legend.
float Centre::openPanel(const Region& region, float above, float banner, Region& left) {
    const auto table = model::panelTable();
    const model::PanelEntry& entry = model::entryFor(model_.panel);
    ClothPanel& panel = *panels_[std::size_t(&entry - table.data())];
    Region room = region;
    if (banner > 0) {  // panels keep clear of the line at the top by themselves, that beside the cloth of less
        room.y = banner - theme_.px(entry.place == Place::Beside ? 14 : 54);
        room.height = region.y + region.height - (banner - theme_.px(54));
    }
    if (entry.place == Place::Instead && model_.looks.presenter) {  // where no line stands, none is kept clear of
        const float up = theme_.px(kClearOfWords) - (wordsBottom_ - region.y);
        if (banner <= 0 && up > 0) room.y -= up, room.height += up;
    }
    const float taken = panel.build(room, above);
    const auto coverFrom = [&](float y) { left.height = std::max(y - left.y, 1.0f); };
    switch (entry.place) {
        case Place::Over:
            coverFrom(above - taken);
            break;
        case Place::Under:
            coverFrom(above - taken - theme_.px(8));
            return above - taken - theme_.px(8);
        case Place::Beside:
            left.width = std::max(region.width - taken, 1.0f);
            break;
        case Place::Instead:
            coverFrom(left.y + 1);  // no piece of the cloth sticks out beside it
            break;
    }
    return above;
}

/// On a ground of its own: the lines are read over a cloth of any colour. Returns its lower edge.
float Centre::headLine(const Region& region, bool covered) {
    ImDrawList* draw = ImGui::GetBackgroundDrawList();
    const float x = region.x + theme_.px(16), width = region.width - theme_.px(32);
    float y = region.y + theme_.px(10);
    const std::function<void(const std::string&, ImU32, float)> line = [&](const std::string& text, ImU32 color,
                                                                           float height) {
        // What is too long goes on in the next line, from a dot on.
        const std::string dot = " · ";
        std::size_t cut = text.size();
        while (ImGui::CalcTextSize(text.substr(0, cut).c_str()).x > width && cut > 0) {
            const std::size_t before = text.rfind(dot, cut - 1);
            cut = before == text.npos ? 0 : before;
        }
        if (cut > 0 && cut < text.size()) {
            line(text.substr(0, cut), color, height);
            return line(text.substr(cut + dot.size()), color, height);
        }
        const std::string shown = widgets::fitted(text, width);
        const ImVec2 size = ImGui::CalcTextSize(shown.c_str());
        draw->AddRectFilled({x - theme_.px(6), y - theme_.px(2)},
                            {x + size.x + theme_.px(6), y + size.y + theme_.px(2)}, theme_.colors.headLine,
                            theme_.px(3));
        draw->AddText({x, y}, color, shown.c_str());
        y += theme_.px(height);
    };
    if (!(model_.looks.presenter && covered)) {  // a room needs no name of what it does not see
        line(sceneLine(model_), theme_.colors.text, 22);
        sceneTooltip({x, region.y + theme_.px(10)}, {x + width, y});
    }
    const widgets::FontScope font(theme_.small);
    if (!model_.looks.presenter && !covered)
        line(model_.looks.interactive ? actions::briefKeys() : methodLine(*model_.snapshot), theme_.colors.text, 18);
    if (!model_.buildNote.empty()) line(model_.buildNote, theme_.colors.pin, 18);
    if (!model_.said.text.empty() && model_.said.seconds > 0) {
        line(model_.said.text, model_.said.isError ? theme_.colors.error : theme_.colors.text, 18);
        if (!model_.said.action.empty() && model_.looks.interactive) y = offered({x, y});
    }
    if (const double share = model_.snapshot->building; share >= 0) {
        line(fmt::format("Distance field of the next scene: {:.0f} %", 100 * share), theme_.colors.text, 18);
        y += widgets_.progress("building", draw, {x, y}, theme_.px(220), share) + theme_.px(4);
    }
    return y + theme_.px(2);
}

/// The button of what was said, at `at`. Returns its lower edge.
float Centre::offered(ImVec2 at) {
    ImGui::SetNextWindowPos({at.x - theme_.px(6), at.y + theme_.px(2)});
    widgets::StyleScope style;
    style.measure(ImGuiStyleVar_WindowPadding, {0, 0}).color(ImGuiCol_WindowBg, theme_.colors.headLine);
    style.measure(ImGuiStyleVar_WindowMinSize, {1, 1});
    style.measure(ImGuiStyleVar_FramePadding, {theme_.px(14), theme_.px(7)});
    ImGui::Begin("##offered", nullptr, widgets::kFloatingWindow | ImGuiWindowFlags_NoFocusOnAppearing);
    const std::string action = model_.said.action;
    actionButton("said/action", action, "");
    const float height = ImGui::GetWindowHeight();
    ImGui::End();
    return at.y + height + theme_.px(6);
}

/// What the number of particles means; the lines lie on no window.
void Centre::sceneTooltip(ImVec2 min, ImVec2 max) {
    const auto& mesh = model_.snapshot->mesh;
    if (!mesh || !model_.looks.interactive) return;
    widgets_.tooltip("headline", pointsAtCloth(min, max), [&] {
        return fmt::format(
            "{} particles carry three unknowns each: the linear system of a step has {} rows, fewer where pins and "
            "contacts hold directions.",
            widgets::formatNumber(mesh->particles, 7), widgets::formatNumber(3.0 * double(mesh->particles), 9));
    });
}

/// Over the picture, which begins under it. Returns its lower edge, or 0 where nothing is wrong.
float Centre::problemBanner(const Region& region, float y) {
    const std::string& problem = model_.snapshot->problem;
    if (problem != problemSeen_) {
        problemSeen_ = problem;
        problemRevision_ = model_.revision;
    }
    if (problem.empty()) return 0;
    const float width = std::min(region.width - theme_.px(32), theme_.px(560)),
                x = region.x + (region.width - width) / 2;
    ImGui::SetNextWindowPos({x, y});
    ImGui::SetNextWindowSize({width, 0});
    widgets::StyleScope style;
    style.color(ImGuiCol_WindowBg, theme_.colors.errorGround).measure(ImGuiStyleVar_WindowRounding, theme_.px(6));
    style.measure(ImGuiStyleVar_WindowPadding, {theme_.px(14), theme_.px(8)});
    style.measure(ImGuiStyleVar_ItemSpacing, {theme_.px(8), theme_.px(4)});
    ImGui::Begin("##problem", nullptr,
                 (widgets::kFloatingWindow & ~ImGuiWindowFlags_AlwaysAutoResize) | ImGuiWindowFlags_NoFocusOnAppearing);
    ImGui::PushFont(theme_.strong);
    ImGui::TextColored(ImGui::ColorConvertU32ToFloat4(theme_.colors.error), "Simulation stopped at step %lld",
                       static_cast<long long>(model_.snapshot->step));
    ImGui::PopFont();
    ImGui::PushTextWrapPos(0);
    ImGui::TextUnformatted(problem.c_str());
    ImGui::PopTextWrapPos();
    widgets_.note(!model_.looks.interactive ? "This is the last good state."
                  : model_.revision != problemRevision_
                      ? "Settings changed: press Space to continue from the last good state."
                      : "This is the last good state. Change a setting, then press Space to continue from it.");
    const auto& cure = model_.snapshot->cureSettings;
    if (model_.looks.interactive && cure && !(*cure == model_.settings) &&
        widgets_.button("problem/cure", fmt::format("Set {}", model_.snapshot->cure).c_str(), 0,
                        "Tried on a copy: with this the step succeeds. The state stays; Space continues."))
        model_.settings = *cure;
    if (model_.looks.interactive && model_.proven && !(model_.proven->settings == model_.settings) &&
        widgets_.button("problem/back", fmt::format("Back to the settings of step {}", model_.proven->step).c_str(), 0,
                        "The settings that worked before the present ones. The state stays; Space continues."))
        model_.settings = model_.proven->settings;
    const float height = ImGui::GetWindowHeight();
    ImGui::End();
    layout_.mark("problem", {x, y}, {x + width, y + height});
    return y + height + theme_.px(8);
}

}  // namespace clothlab::app::columns
