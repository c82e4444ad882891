#include <fmt/format.h>

#include <algorithm>

#include "actions/actions.hpp"
#include "actions/showing.hpp"
#include "columns/centre.hpp"
#include "columns/regions.hpp"
#include "panels/overlay_legend.hpp"
#include "widgets/scopes.hpp"

// The line under the cloth: what colours it, and the panels that open over it. Above it the legend of the overlay.
namespace clothlab::app::columns {

using model::Column;
using model::Panel;
using model::SlowState;
using model::UiModel;
using panels::Region;
using scene::kOverlayKinds;

namespace {

constexpr float kRoomyPicture = 260;  // points of height

std::string keyOfOverlay(const EnumEntry& entry) { return actions::actionKey("overlay." + std::string(entry.key)); }

std::string overlayHelp(const EnumEntry& entry) {
    const std::string key = keyOfOverlay(entry), help(entry.help);
    return key.empty() ? help : fmt::format("{} (key {})", help, key);
}

}  // namespace

/// Returns its upper edge.
float Centre::toolBar(const Region& region) {
    const float bottom = region.y + region.height, right = region.x + region.width - theme_.px(10);
    if (!model_.looks.interactive) return bottom;  // a picture has the legend
    ImGui::SetNextWindowPos({region.x, bottom}, 0, {0, 1});
    ImGui::SetNextWindowSizeConstraints({region.width, 0}, {region.width, region.height});
    widgets::StyleScope style;
    style.measure(ImGuiStyleVar_WindowPadding, {theme_.px(10), theme_.px(4)});
    style.measure(ImGuiStyleVar_FramePadding, {theme_.px(9), theme_.px(4)});
    ImGui::Begin("##tools", nullptr, widgets::kFloatingWindow | ImGuiWindowFlags_NoBringToFrontOnFocus);
    ImGui::PushFont(theme_.small);
    if (!model_.looks.presenter && Regions::folded(ImGui::GetIO().DisplaySize, theme_.scale)) columnChoices(right);
    overlayChoice(right);
    if (model_.looks.presenter)
        panelList();
    else
        panelChoices(right);
    presentChoice(right);
    ImGui::PopFont();
    const float top = bottom - ImGui::GetWindowHeight();
    ImGui::End();
    ImGui::GetBackgroundDrawList()->AddLine({region.x, top}, {region.x + region.width, top}, theme_.colors.line);
    return top;
}

/// A window too narrow for both columns shows one of them, or none.
void Centre::columnChoices(float right) {
    struct Choice {
        Column column;
        const char* id;
        const char* name;
        const char* help;
    };
    static constexpr Choice kChoices[] = {
        {Column::Controls, "column/controls", "Controls", "The column of settings. A wider window shows both columns."},
        {Column::Plots, "column/plots", "Plots", "The column of plots. A wider window shows both columns."}};
    for (const Choice& choice : kChoices) {
        const bool shown = model_.looks.column == choice.column;
        if (choice.column != Column::Controls) widgets_.flow(choice.name, theme_.px(4), right);
        if (widgets_.toggle(choice.id, choice.name, shown, choice.help))
            model_.looks.column = shown ? Column::None : choice.column;
    }
    ImGui::SameLine(0, theme_.px(12));
}

/// What colours the cloth. While slow motion does, the list says so and waits.
void Centre::overlayChoice(float right) {
    const float width = theme_.px(132), label = ImGui::CalcTextSize("overlay").x;
    if (ImGui::GetCursorScreenPos().x + label + theme_.px(6) + width > right) ImGui::NewLine();
    const worker::SlowMotionResult* iterates = model_.isOpen(Panel::SlowMotion) ? model_.slow.shown() : nullptr;
    const bool slow = iterates && (!model_.snapshot->mesh || model_.snapshot->mesh->revision == iterates->origin.mesh);
    const EnumEntry& current = kOverlayKinds[int(model_.looks.overlay)];
    const bool error = model_.slow.measure == SlowState::Measure::Error;
    const std::string shown = !slow ? std::string(current.label) : error ? "Error of the iterate" : "Residual, iterate";
    ImGui::AlignTextToFramePadding();
    ImGui::TextColored(theme_.quiet(), "overlay");
    ImGui::SameLine(0, theme_.px(6));
    const ImVec2 min = ImGui::GetCursorScreenPos();
    layout_.mark("overlay", min, {min.x + width, min.y + ImGui::GetFrameHeight()});
    layout_.words("overlay", shown);
    layout_.wants("overlay", ImGui::CalcTextSize(shown.c_str()).x,
                  width - ImGui::GetFrameHeight() - ImGui::GetStyle().FramePadding.x);
    ImGui::SetNextItemWidth(width);
    if (slow) ImGui::BeginDisabled();
    const bool open = ImGui::BeginCombo("##overlay", shown.c_str(), ImGuiComboFlags_HeightLargest);
    const bool hovered = ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled);
    if (open) {
        overlayEntries();
        ImGui::EndCombo();
    } else {
        widgets_.tooltip("overlay", hovered, [&] {
            return slow ? fmt::format("Slow motion colours the cloth by its iterates. Close it ({}) to see an overlay.",
                                      actions::actionKey("slow.toggle"))
                        : overlayHelp(current);
        });
    }
    if (slow) ImGui::EndDisabled();
}

void Centre::overlayEntries() {
    for (const EnumEntry& entry : kOverlayKinds) {
        const auto kind = static_cast<scene::OverlayKind>(entry.value);
        const std::string id = "overlay/" + std::string(entry.key),
                          refusal = render::overlayRefusal(kind, model_.settings);
        const std::string key = keyOfOverlay(entry);
        if (ImGui::Selectable(fmt::format("{}   {}", key.empty() ? "  " : key, entry.label).c_str(),
                              model_.looks.overlay == kind, refusal.empty() ? 0 : ImGuiSelectableFlags_Disabled))
            actions::runAction(model_, "overlay." + std::string(entry.key));
        layout_.markLast(id);
        widgets_.tooltip(id, ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled),
                         [&] { return refusal.empty() ? overlayHelp(entry) : refusal; });
    }
    ImGui::Separator();
    if (ImGui::BeginMenu("    Fabric")) {
        fabricEntries();
        ImGui::EndMenu();
    }
    layout_.markLast("overlay/fabric");
}

/// What the cloth looks to be made of.
void Centre::fabricEntries() {
    const auto choice = [&](std::string_view key, std::string_view label, std::string_view help, bool chosen) {
        if (ImGui::MenuItem(std::string(label).c_str(), nullptr, chosen))
            actions::runAction(model_, "fabric." + std::string(key));
        const std::string id = "fabric/" + std::string(key);
        layout_.markLast(id);
        widgets_.tooltip(id, ImGui::IsItemHovered(), [&] { return std::string(help); });
    };
    choice("scene", "As the scene", "The scene's own fabric. Appearance only: no physics.", !model_.looks.fabric);
    for (const EnumEntry& entry : scene::kFabrics)
        choice(entry.key, entry.label, entry.help, model_.looks.fabric == scene::Fabric(entry.value));
}

std::string Centre::panelHelp(const model::PanelEntry& panel) const {
    const bool nothing = panel.needsSystem && !integrators::usesSolver(model_.settings.integrator.kind);
    return fmt::format("{} (key {}){}{}", panel.help, actions::actionKey(std::string(panel.key) + ".toggle"),
                       nothing ? " " : "", nothing ? integrators::whyNoSolver(model_.settings.integrator.kind) : "");
}

void Centre::panelChoices(float right) {
    float gap = theme_.px(14);
    for (const model::PanelEntry& panel : model::panelTable()) {
        if (!panel.inTools) continue;
        const std::string name(panel.name), toggle = std::string(panel.key) + ".toggle";
        widgets_.flow(name.c_str(), gap, right);
        if (widgets_.toggle(panel.button, name.c_str(), model_.isOpen(panel.panel), panelHelp(panel)))
            actions::runAction(model_, toggle);
        gap = theme_.px(4);
    }
}

/// The presenter's type has no room for a button each.
void Centre::panelList() {
    const std::string shown = model_.isOpen(Panel::None) ? "panels" : std::string(model::entryFor(model_.panel).name);
    ImGui::SameLine(0, theme_.px(14));
    const float width = theme_.px(132);
    const ImVec2 min = ImGui::GetCursorScreenPos();
    layout_.mark("panels", min, {min.x + width, min.y + ImGui::GetFrameHeight()});
    ImGui::SetNextItemWidth(width);
    if (ImGui::BeginCombo("##panels", shown.c_str(), ImGuiComboFlags_HeightLargest)) {
        for (const model::PanelEntry& panel : model::panelTable()) {
            const std::string name(panel.name), id = "panels/" + std::string(panel.key);
            if (ImGui::Selectable(name.c_str(), model_.isOpen(panel.panel)))
                actions::runAction(model_, std::string(panel.key) + ".toggle");
            layout_.markLast(id);
            widgets_.tooltip(id, ImGui::IsItemHovered(), [&] { return panelHelp(panel); });
        }
        ImGui::EndCombo();
    } else {
        widgets_.tooltip("panels", ImGui::IsItemHovered(),
                         [] { return std::string("The panels that open over the cloth."); });
    }
}

void Centre::presentChoice(float right) {
    const std::string key = actions::actionKey("presenter.toggle");
    widgets_.flow("Present", theme_.px(model_.looks.presenter ? 14 : 4), right);
    if (widgets_.toggle("present", "Present", model_.looks.presenter,
                        model_.looks.presenter
                            ? fmt::format("Back to the columns (key {}).", key)
                            : fmt::format("Large type, the view, and a few controls under it (key {}).", key)))
        actions::runAction(model_, "presenter.toggle");
}

/// Which families of springs the overlay of springs draws.
void Centre::familyChoices() {
    static constexpr const char* kNames[cloth::kFamilies] = {"stretch", "shear", "bend"};
    widgets::StyleScope style;
    style.measure(ImGuiStyleVar_FramePadding, {theme_.px(7), theme_.px(2)});
    for (int family = 0; family < cloth::kFamilies; ++family) {
        if (family > 0) ImGui::SameLine(0, theme_.px(4));
        if (widgets_.toggle(fmt::format("springs/{}", kNames[family]), kNames[family], model_.looks.showSprings[family],
                            "Draws or leaves out the springs of this family."))
            model_.looks.showSprings[family] = !model_.looks.showSprings[family];
    }
}

/// Where the scale of strains ends.
void Centre::strainFit() {
    widgets::StyleScope style;
    style.measure(ImGuiStyleVar_FramePadding, {theme_.px(7), theme_.px(2)});
    if (widgets_.toggle("legend/fit", "fit", model_.looks.fitStrain,
                        "The scale ends beyond the largest strain, and follows it; or at 10 %."))
        actions::runAction(model_, "strain.fit");
}

/// Above `bottom`; where the picture under `top` is too low for it there is none.
void Centre::overlayLegend(const Region& region, float top, float bottom) {
    if (bottom - top < legendHeight_ && legendOf_ == model_.looks.overlay && model_.looks.presenter) return;
    legendOf_ = model_.looks.overlay;
    // A low picture keeps its height for the cloth.
    const bool roomy = !actions::controlsFolded(model_) || bottom - top > theme_.px(kRoomyPicture);
    const bool presses = model_.looks.interactive && !model_.isOpen(Panel::SlowMotion) && roomy,
               families = presses && model_.looks.overlay == scene::OverlayKind::SpringState,
               fits = presses && model_.looks.overlay == scene::OverlayKind::Strain;
    ImGui::SetNextWindowPos({region.x + theme_.px(14), bottom}, 0, {0, 1});
    widgets::StyleScope style;
    style.color(ImGuiCol_WindowBg, theme_.colors.legend).measure(ImGuiStyleVar_WindowRounding, theme_.px(6));
    style.measure(ImGuiStyleVar_WindowPadding, {theme_.px(12), theme_.px(8)});
    ImGui::Begin("##legend", nullptr, widgets::kFloatingWindow | (families || fits ? 0 : ImGuiWindowFlags_NoInputs));
    ImGui::PushFont(theme_.small);
    if (families) familyChoices();
    if (fits) strainFit();
    panels::overlayLegendRows(model_.legend, theme_, layout_);
    ImGui::PopFont();
    const ImVec2 min = ImGui::GetWindowPos(), size = ImGui::GetWindowSize(), max{min.x + size.x, min.y + size.y};
    ImGui::End();
    legendHeight_ = size.y;
    layout_.mark("legend", min, max);
    // It takes no presses, which are the cloth's.
    const bool free = !ImGui::IsWindowHovered(ImGuiHoveredFlags_AnyWindow) || families || fits;
    widgets_.tooltip("legend", model_.looks.interactive && free && ImGui::IsMouseHoveringRect(min, max, false), [&] {
        return model_.isOpen(Panel::SlowMotion)
                   ? std::string(
                         "What is left of the error, or of the residual, at each particle in the iterate shown.")
                   : overlayHelp(kOverlayKinds[int(model_.looks.overlay)]);
    });
}

}  // namespace clothlab::app::columns
