#include <fmt/format.h>

#include <algorithm>

#include "panels/numbers.hpp"
#include "panels/ui.hpp"

// What stands over the cloth: where we are, what went wrong, overlays and their legend, the keys.
namespace clothlab::app {
namespace {

constexpr ImGuiWindowFlags kFloating = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                                       ImGuiWindowFlags_NoNav | ImGuiWindowFlags_NoSavedSettings |
                                       ImGuiWindowFlags_AlwaysAutoResize;

struct KeyHelp {
    const char* key;
    const char* does;
};
constexpr KeyHelp kKeyHelp[] = {
    {"left drag on the cloth", "takes the cloth; letting go keeps its velocity"},
    {"left drag beside it", "turns the view"},
    {"right drag", "moves the view"},
    {"wheel", "nearer, farther"},
    {"Ctrl + click", "pins or unpins a particle"},
    {"Space", "play, pause"},
    {"N    B", "one step forward, one back"},
    {"R", "restart the motion"},
    {"F", "branch: a ghost goes on with the settings of now"},
    {"T", "race of all methods on this step"},
    {"M", "the blocks of the matrix, linked with the cloth"},
    {"K", "slow motion: the iterates of this step's solve"},
    {"P", "work and precision of integrators"},
    {"U", "two unknowns: conjugate gradients on a picture of f(x)"},
    {"1 .. 8", "overlay: none, strain, springs, contacts, velocity, residual, components, iterations"},
    {"W", "edges of the mesh"},
    {"C", "the scene's own view"},
    {"F12", "saves the window as a picture"},
    {"F1", "shows or hides these keys"},
    {"sliders", "double click: default · Ctrl + click: type a number"},
};

ImU32 color(const Rgb& c) { return IM_COL32(c.r, c.g, c.b, 255); }

std::string sceneLine(const UiModel& model) {
    const Snapshot& now = *model.snapshot;
    std::string line = model.scene.name;
    if (now.mesh) {
        if (now.mesh->patches.size() == 1)
            line += fmt::format(" · {} × {}", now.mesh->patches[0].grid.rows, now.mesh->patches[0].grid.columns);
        else if (now.mesh->patches.size() > 1)
            line += fmt::format(" · {} cloths", now.mesh->patches.size());
        line += fmt::format(" · {} particles", formatNumber(now.mesh->particles, 7));
    }
    const auto& s = now.settings;
    if (s.integrator.kind != integrators::IntegratorKind::LinearizedBackwardEuler) line += " · " + std::string(enumLabel(s.integrator.kind));
    if (integrators::isImplicit(s.integrator.kind)) line += " · " + methodName(s.solver.kind, s.preconditioner.kind);
    return line;
}

/// How it is stepped, in a line.
std::string methodLine(const Snapshot& now) {
    return fmt::format("{} · time step {} ms · {} thread{}", enumLabel(now.settings.integrator.kind),
                       formatNumber(now.settings.integrator.dt * 1e3, 3), now.threads, now.threads == 1 ? "" : "s");
}

}  // namespace

/// Returns what of it is left for the cloth.
Region Ui::buildCentre(const Region& region) {
    problemBanner(region);
    Region left = region;
    const float above = overlayBar(region);
    const auto coverFrom = [&](float y) { left.height = std::max(y - region.y, 1.0f); };
    model_.linked = {-1, -1};
    float legend = above;
    if (model_.showRace) {
        coverFrom(above - race_.build(region, above));
    } else if (model_.work.open) {
        coverFrom(above - work_.build(region, above));
    } else if (model_.slow.open) {
        legend = above - slow_.build(region, above) - theme_.px(8);
        coverFrom(legend);
    } else if (model_.showSparsity) {
        left.width = std::max(region.width - sparsity_.build(region, above), 1.0f);
    }
    if (model_.quadratic.open) {
        quadratic_.build(region, above);
        coverFrom(region.y);  // or the cloth would be seen around the panel's edges
    }
    if (!model_.showRace && !model_.work.open && !model_.quadratic.open && !model_.legend.empty()) overlayLegend(region, legend);
    headLine(left);
    if (model_.showKeys) keysWindow(region);
    return left;
}

void Ui::headLine(const Region& region) {
    ImDrawList* draw = ImGui::GetBackgroundDrawList();
    const float x = region.x + theme_.px(16), width = region.width - theme_.px(32);
    draw->AddText({x, region.y + theme_.px(14)}, palette::kText, fitted(sceneLine(model_), width).c_str());
    ImGui::PushFont(theme_.small);
    const std::string second =
        model_.handsOn ? "drag the cloth · Ctrl+click pins · Space pause · N step · B back · R restart · F1 all keys"
                       : methodLine(*model_.snapshot);
    draw->AddText({x, region.y + theme_.px(36)}, palette::kQuiet, fitted(second, width).c_str());
    float y = region.y + theme_.px(54);
    if (!model_.buildNote.empty()) {
        draw->AddText({x, y}, palette::kPin, model_.buildNote.c_str());
        y += theme_.px(18);
    }
    if (!model_.log.empty())
        draw->AddText({x, y}, model_.logIsError ? palette::kError : palette::kQuiet, fitted(model_.log, width).c_str());
    ImGui::PopFont();
}

void Ui::problemBanner(const Region& region) {
    const std::string& problem = model_.snapshot->problem;
    if (problem != problemSeen_) {
        problemSeen_ = problem;
        problemRevision_ = model_.revision;
    }
    if (problem.empty()) return;
    const float width = std::min(region.width - theme_.px(32), theme_.px(560));
    ImGui::SetNextWindowPos({region.x + (region.width - width) / 2, region.y + theme_.px(76)});
    ImGui::SetNextWindowSize({width, 0});
    ImGui::PushStyleColor(ImGuiCol_WindowBg, palette::kErrorGround);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, theme_.px(6));
    ImGui::Begin("##problem", nullptr,
                 (kFloating & ~ImGuiWindowFlags_AlwaysAutoResize) | ImGuiWindowFlags_NoFocusOnAppearing);
    ImGui::PushFont(theme_.strong);
    ImGui::TextColored(ImGui::ColorConvertU32ToFloat4(palette::kError), "The motion stands still at step %lld",
                       static_cast<long long>(model_.snapshot->step));
    ImGui::PopFont();
    ImGui::PushTextWrapPos(0);
    ImGui::TextUnformatted(problem.c_str());
    ImGui::PopTextWrapPos();
    widgets_.note(!model_.handsOn ? "This is the last good state."
                  : model_.revision != problemRevision_
                      ? "Settings changed: Space goes on from the last good state."
                      : "This is the last good state. Change a setting, then Space goes on from it.");
    ImGui::End();
    layout_.mark("problem", {region.x + (region.width - width) / 2, region.y + theme_.px(76)},
                 {region.x + (region.width + width) / 2, region.y + theme_.px(130)});
    ImGui::PopStyleVar();
    ImGui::PopStyleColor();
}

/// Returns its upper edge, less a gap.
float Ui::overlayBar(const Region& region) {
    const float bottom = region.y + region.height - theme_.px(14), right = region.x + region.width - theme_.px(26);
    ImGui::SetNextWindowPos({region.x + theme_.px(14), bottom}, 0, {0, 1});
    ImGui::PushStyleColor(ImGuiCol_WindowBg, rgb(0x1b1f26, 235));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, theme_.px(6));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1.0f);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {theme_.px(12), theme_.px(5)});
    ImGui::Begin("##overlays", nullptr, kFloating);
    ImGui::PushFont(theme_.small);
    ImGui::AlignTextToFramePadding();
    ImGui::TextColored(ImGui::ColorConvertU32ToFloat4(palette::kQuiet), "overlay");
    overlayChoices(right);
    if (model_.handsOn) {
        widgets_.flow("Race", theme_.px(14), right);
        if (widgets_.button("race/open", "Race", 0,
                            "Every solver and preconditioner on the linear system of this very step, in the background (key T)."))
            model_.toggleRace();
        widgets_.flow("Precision", theme_.px(4), right);
        if (widgets_.button("work/panel", "Precision", 0, "Error of integrators over the time that they take, measured on this cloth (key P)."))
            model_.toggleWork();
        widgets_.flow("Slow motion", theme_.px(4), right);
        if (widgets_.button("slow/open", "Slow motion", 0, "The iterates of this step's solve, one by one, two methods side by side (key K)."))
            model_.toggleSlowMotion();
        widgets_.flow("Matrix", theme_.px(4), right);
        if (widgets_.button("sparsity/open", "Matrix", 0, "Which blocks the matrix and its factors have, linked with the cloth (key M)."))
            model_.toggleSparsity();
        widgets_.flow("2 × 2", theme_.px(4), right);
        if (widgets_.button("quadratic/open", "2 × 2", 0, "Steepest descent and conjugate gradients on a system of two unknowns, step by step (key U)."))
            model_.toggleQuadratic();
    }
    if (model_.handsOn && isBySpring(model_.overlay)) familyChoices(right);
    const float height = ImGui::GetWindowHeight();
    ImGui::PopFont();
    ImGui::End();
    ImGui::PopStyleVar(3);
    ImGui::PopStyleColor();
    return bottom - height - theme_.px(8);
}

void Ui::overlayChoices(float right) {
    for (std::size_t i = 0; i < kOverlayKinds.size(); ++i) {
        const EnumEntry& entry = kOverlayKinds[i];
        const std::string id = "overlay/" + std::string(entry.key), label(entry.label);
        const auto kind = static_cast<OverlayKind>(entry.value);
        const std::string refusal = overlayRefusal(kind, model_.settings);
        widgets_.flow(label.c_str(), theme_.px(4), right);
        if (!refusal.empty()) ImGui::BeginDisabled();
        if (widgets_.toggle(id, label.c_str(), model_.overlay == kind, fmt::format("{} (key {})", entry.help, i + 1))) model_.overlay = kind;
        if (refusal.empty()) continue;
        ImGui::EndDisabled();
        widgets_.tooltip(id + "/refusal", ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled), [&] { return refusal; });
    }
}

/// Which families of springs an overlay draws.
void Ui::familyChoices(float right) {
    static constexpr const char* kNames[cloth::kFamilies] = {"stretch", "shear", "bend"};
    widgets_.flow("springs", theme_.px(14), right);
    ImGui::AlignTextToFramePadding();
    ImGui::TextColored(ImGui::ColorConvertU32ToFloat4(palette::kQuiet), "springs");
    for (int family = 0; family < cloth::kFamilies; ++family) {
        if (model_.overlay == OverlayKind::Strain && cloth::SpringFamily(family) == cloth::SpringFamily::Bend) continue;
        widgets_.flow(kNames[family], theme_.px(4), right);
        if (widgets_.toggle(fmt::format("springs/{}", kNames[family]), kNames[family], model_.showSprings[family],
                            "Draws or leaves out the springs of this family."))
            model_.showSprings[family] = !model_.showSprings[family];
    }
}

void Ui::overlayLegend(const Region& region, float bottom) {
    ImGui::SetNextWindowPos({region.x + theme_.px(14), bottom}, 0, {0, 1});
    ImGui::PushStyleColor(ImGuiCol_WindowBg, rgb(0x1b1f26, 215));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, theme_.px(6));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {theme_.px(12), theme_.px(8)});
    ImGui::Begin("##legend", nullptr, kFloating | ImGuiWindowFlags_NoInputs);
    ImGui::PushFont(theme_.small);
    ImDrawList* draw = ImGui::GetWindowDrawList();
    for (const LegendEntry& entry : model_.legend) {
        const ImVec2 at = ImGui::GetCursorScreenPos();
        const float line = ImGui::GetTextLineHeight();
        if (entry.ramp.empty()) {
            const std::span<const Rgb> swatches = entry.swatches.empty() ? std::span(&entry.color, 1) : std::span<const Rgb>(entry.swatches);
            float x = at.x;
            for (const Rgb& swatch : swatches) {
                draw->AddRectFilled({x, at.y + line * 0.15f}, {x + theme_.px(12), at.y + line * 0.85f}, color(swatch), theme_.px(2));
                x += theme_.px(14);
            }
            ImGui::SetCursorScreenPos({x + theme_.px(5), at.y});
            ImGui::TextUnformatted(entry.label.c_str());
            continue;
        }
        const float width = theme_.px(170), n = static_cast<float>(std::max<std::size_t>(entry.ramp.size() - 1, 1));
        ImGui::TextUnformatted((entry.label + (entry.unit.empty() ? "" : ", " + entry.unit)).c_str());
        const ImVec2 ramp = ImGui::GetCursorScreenPos();
        for (std::size_t i = 0; i + 1 < entry.ramp.size(); ++i) {
            const ImU32 a = color(entry.ramp[i]), b = color(entry.ramp[i + 1]);
            draw->AddRectFilledMultiColor({ramp.x + width * static_cast<float>(i) / n, ramp.y},
                                          {ramp.x + width * static_cast<float>(i + 1) / n, ramp.y + theme_.px(9)}, a, b,
                                          b, a);
        }
        ImGui::Dummy({width, theme_.px(9)});
        const std::string to = formatNumber(entry.to, 3);
        const ImVec2 below = ImGui::GetCursorScreenPos();
        textRight(to.c_str(), palette::kQuiet, theme_.small, below.x + width, below.y);
        ImGui::TextColored(ImGui::ColorConvertU32ToFloat4(palette::kQuiet), "%s", formatNumber(entry.from, 3).c_str());
    }
    ImGui::PopFont();
    ImGui::End();
    ImGui::PopStyleVar(2);
    ImGui::PopStyleColor();
}

void Ui::keysWindow(const Region& region) {
    ImGui::SetNextWindowPos({region.x + region.width / 2, region.y + region.height / 2}, 0, {0.5f, 0.5f});
    ImGui::PushStyleColor(ImGuiCol_WindowBg, rgb(0x20252d, 248));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, theme_.px(8));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1.0f);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {theme_.px(22), theme_.px(18)});
    ImGui::Begin("##keys", nullptr, kFloating);
    ImGui::PushFont(theme_.strong);
    ImGui::TextUnformatted("Mouse and keys");
    ImGui::PopFont();
    ImGui::Dummy({0, theme_.px(4)});
    const float column = theme_.px(170);
    for (const KeyHelp& help : kKeyHelp) {
        const float x = ImGui::GetCursorPosX();
        ImGui::TextUnformatted(help.key);
        ImGui::SameLine(x + column);
        ImGui::TextColored(ImGui::ColorConvertU32ToFloat4(palette::kQuiet), "%s", help.does);
    }
    ImGui::End();
    layout_.mark("keys", {region.x, region.y}, {region.x + region.width, region.y + region.height});
    ImGui::PopStyleVar(3);
    ImGui::PopStyleColor();
}

}  // namespace clothlab::app
