#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "panels/method_styles.hpp"
#include "panels/ui.hpp"
#include "widgets/numbers.hpp"

// What stands over the cloth: where we are, what went wrong, the keys.
namespace clothlab::app::panels {

namespace palette = widgets::palette;

namespace {

struct KeyHelp {
    const char* key;
    const char* does;
};
constexpr KeyHelp kKeyHelp[] = {
    {"left drag on the cloth", "takes the cloth; letting go keeps its velocity"},
    {"left drag beside it", "turns the view"},
    {"middle drag, Shift + left drag", "turns the view, wherever the pointer is"},
    {"right drag · wheel", "moves the view · nearer, farther"},
    {"Ctrl + click", "pins or unpins a particle"},
    {"Space", "play, pause"},
    {"N    B", "one step forward, one back"},
    {"R", "restart the motion; settings and pins stay"},
    {"F", "branch: a ghost goes on with the settings of now"},
    {"T", "race of all methods on this step"},
    {"P", "work and precision of integrators"},
    {"K", "slow motion: the iterates of this step's solve"},
    {"M", "the blocks of the matrix, linked with the cloth"},
    {"U", "two unknowns: conjugate gradients on a picture of f(x)"},
    {"left, right arrow", "two unknowns: one step back, one forward"},
    {"1 .. 8", "overlay: none, strain, springs, contacts, velocity, residual, components, iterations"},
    {"W", "edges of the mesh"},
    {"C", "the scene's own view"},
    {"F12", "saves the window as a picture"},
    {"Esc", "closes an open list, these keys, or the panel over the cloth"},
    {"F1", "shows or hides these keys"},
    {"sliders", "double click: default · Ctrl + click: type a number"},
};

std::string sceneLine(const UiModel& model) {
    const worker::Snapshot& now = *model.snapshot;
    std::string line = model.scene.name;
    if (now.mesh) {
        if (now.mesh->patches.size() == 1)
            line += " · " + sizeText(model.patchInForce);
        else if (now.mesh->patches.size() > 1)
            line += fmt::format(" · {} cloths", now.mesh->patches.size());
        line += fmt::format(" · {} particles", widgets::formatNumber(now.mesh->particles, 7));
    }
    const auto& s = now.settings;
    if (s.integrator.kind != integrators::kUsualIntegrator) line += " · " + std::string(enumLabel(s.integrator.kind));
    if (integrators::isImplicit(s.integrator.kind)) line += " · " + methodName(s.solver.kind, s.preconditioner.kind);
    return line;
}

/// How it is stepped, in a line.
std::string methodLine(const worker::Snapshot& now) {
    return fmt::format("{} · time step {} ms · {} thread{}", enumLabel(now.settings.integrator.kind),
                       widgets::formatNumber(now.settings.integrator.dt * 1e3, 3), now.threads,
                       now.threads == 1 ? "" : "s");
}

}  // namespace

/// Returns what of it is left for the cloth: the tool bar, a banner and a panel take their room from it.
Region Ui::buildCentre(const Region& region) {
    const float strip = toolBar(region), above = strip - theme_.px(8);
    Region line = region;
    if (model_.showSparsity) line.width = std::min(viewWidth_, region.width);
    const float banner = problemBanner(region, headLine(line));
    Region left = region, open = region;
    left.height = std::max(strip - region.y, 1.0f);
    if (banner > 0) {
        left = {region.x, banner, region.width, std::max(strip - banner, 1.0f)};
        open.y = banner - theme_.px(54);  // panels keep clear of the line at the top by themselves
        open.height = region.y + region.height - open.y;
    }
    const auto coverFrom = [&](float y) { left.height = std::max(y - left.y, 1.0f); };
    model_.linked = {-1, -1};
    float legend = above;
    if (model_.showRace) {
        coverFrom(above - race_.build(open, above));
    } else if (model_.work.open) {
        coverFrom(above - work_.build(open, above));
    } else if (model_.slow.open) {
        legend = above - slow_.build(open, above) - theme_.px(8);
        coverFrom(legend);
    } else if (model_.showSparsity) {
        Region beside = open;
        if (banner > 0) beside.y = banner - theme_.px(14);  // this panel begins higher than the others
        left.width = std::max(region.width - sparsity_.build(beside, above), 1.0f);
    }
    if (model_.quadratic.open) {
        quadratic_.build(open, above);
        coverFrom(left.y + 1);  // no piece of the cloth sticks out beside it
    }
    if (!model_.showRace && !model_.work.open && !model_.quadratic.open && !model_.legend.empty())
        overlayLegend(region, legend);
    if (model_.showKeys) keysWindow(region);
    viewWidth_ = left.width;
    return left;
}

/// On a ground of its own: the lines are read over a cloth of any colour. Returns its lower edge.
float Ui::headLine(const Region& region) {
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
                            {x + size.x + theme_.px(6), y + size.y + theme_.px(2)}, widgets::rgb(0x14171c, 190),
                            theme_.px(3));
        draw->AddText({x, y}, color, shown.c_str());
        y += theme_.px(height);
    };
    line(sceneLine(model_), palette::kText, 22);
    ImGui::PushFont(theme_.small);
    line(model_.handsOn ? "Space pause · N step · B back · R restart · Ctrl+click pins · F1 all keys"
                        : methodLine(*model_.snapshot),
         palette::kText, 18);
    if (!model_.buildNote.empty()) line(model_.buildNote, palette::kPin, 18);
    if (!model_.log.empty() && model_.messageSeconds > 0)
        line(model_.log, model_.logIsError ? palette::kError : palette::kText, 18);
    ImGui::PopFont();
    return y + theme_.px(2);
}

/// Over the picture, which begins under it. Returns its lower edge, or 0 where nothing is wrong.
float Ui::problemBanner(const Region& region, float y) {
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
    ImGui::PushStyleColor(ImGuiCol_WindowBg, palette::kErrorGround);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, theme_.px(6));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {theme_.px(14), theme_.px(8)});
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {theme_.px(8), theme_.px(4)});
    ImGui::Begin("##problem", nullptr,
                 (widgets::kFloatingWindow & ~ImGuiWindowFlags_AlwaysAutoResize) | ImGuiWindowFlags_NoFocusOnAppearing);
    ImGui::PushFont(theme_.strong);
    ImGui::TextColored(ImGui::ColorConvertU32ToFloat4(palette::kError), "Simulation stopped at step %lld",
                       static_cast<long long>(model_.snapshot->step));
    ImGui::PopFont();
    ImGui::PushTextWrapPos(0);
    ImGui::TextUnformatted(problem.c_str());
    ImGui::PopTextWrapPos();
    widgets_.note(!model_.handsOn ? "This is the last good state."
                  : model_.revision != problemRevision_
                      ? "Settings changed: press Space to continue from the last good state."
                      : "This is the last good state. Change a setting, then press Space to continue from it.");
    if (model_.handsOn && model_.proven && !(model_.proven->settings == model_.settings) &&
        widgets_.button("problem/back", fmt::format("Back to the settings of step {}", model_.proven->step).c_str(), 0,
                        "The settings that worked before the present ones. The state stays; Space continues."))
        model_.settings = model_.proven->settings;
    const float height = ImGui::GetWindowHeight();
    ImGui::End();
    layout_.mark("problem", {x, y}, {x + width, y + height});
    ImGui::PopStyleVar(3);
    ImGui::PopStyleColor();
    return y + height + theme_.px(8);
}

void Ui::keysWindow(const Region& region) {
    const ImVec2 window = ImGui::GetIO().DisplaySize;
    const float half = window.x / 2;
    ImGui::SetNextWindowPos({std::clamp(region.x + region.width / 2, std::min(theme_.px(320), half),
                                        std::max(window.x - theme_.px(320), half)),
                             window.y / 2},
                            0, {0.5f, 0.5f});
    ImGui::SetNextWindowSizeConstraints({0, 0}, {window.x, window.y});
    ImGui::PushStyleColor(ImGuiCol_WindowBg, widgets::rgb(0x20252d, 248));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, theme_.px(8));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1.0f);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {theme_.px(22), theme_.px(18)});
    ImGui::Begin("##keys", nullptr, widgets::kFloatingWindow);
    ImGui::PushFont(theme_.strong);
    ImGui::TextUnformatted("Mouse and keys");
    ImGui::PopFont();
    ImGui::Dummy({0, theme_.px(4)});
    ImGui::PushFont(theme_.small);
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {theme_.px(8), theme_.px(4)});
    const float column = theme_.px(180);
    for (const KeyHelp& help : kKeyHelp) {
        const float x = ImGui::GetCursorPosX();
        ImGui::TextUnformatted(help.key);
        ImGui::SameLine(x + column);
        ImGui::TextColored(ImGui::ColorConvertU32ToFloat4(palette::kQuiet), "%s", help.does);
    }
    ImGui::PopStyleVar();
    ImGui::PopFont();
    const ImVec2 min = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
    ImGui::End();
    layout_.mark("keys", min, {min.x + size.x, min.y + size.y});
    ImGui::PopStyleVar(3);
    ImGui::PopStyleColor();
}

}  // namespace clothlab::app::panels
