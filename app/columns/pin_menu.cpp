#include "columns/pin_menu.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "widgets/scopes.hpp"

namespace clothlab::app::columns {
namespace {

using model::PinKind;
using worker::Snapshot;

/// How the snapshot says that a particle is held: what the menu compares its entries with.
struct Present {
    bool pinned = false;
    int ndof = 0;
    Vec3 direction = Vec3::Zero();

    bool is(const integrators::PinHold& hold) const {
        return pinned && ndof == hold.ndof && (ndof == 0 || std::abs(direction.dot(hold.direction)) > 1 - 1e-6);
    }
};

Present presentPin(const Snapshot& now, Index particle) {
    Present present{.pinned = std::ranges::find(now.pins, particle) != now.pins.end()};
    for (const Snapshot::PinGuide& guide : now.pinGuides)
        if (guide.particle == particle)
            present = {true, guide.ndof, Vec3(guide.direction[0], guide.direction[1], guide.direction[2])};
    return present;
}

}  // namespace

bool PinMenu::item(const char* label, const std::string& id, const char* help, bool chosen) {
    const bool pressed = ImGui::MenuItem(label, nullptr, chosen);
    layout_.mark(id, ImGui::GetItemRectMin(), ImGui::GetItemRectMax());
    if (ImGui::IsItemHovered()) ImGui::SetTooltip("%s", help);
    return pressed;
}

void PinMenu::build() {
    constexpr const char* kName = "pin_menu";
    if (model_.popups.pinAsked) ImGui::OpenPopup(kName);
    model_.popups.pinAsked = false;
    widgets::StyleScope style;
    style.measure(ImGuiStyleVar_WindowPadding, {theme_.px(10), theme_.px(8)});
    if (!ImGui::BeginPopup(kName)) return;
    const Snapshot& now = *model_.snapshot;
    const model::Popups::PinTarget& pin = model_.popups.pin;
    if (!now.mesh || now.mesh->revision != pin.mesh) {
        ImGui::CloseCurrentPopup();
        ImGui::EndPopup();
        return;
    }
    const Present present = presentPin(now, pin.particle);
    ImGui::TextUnformatted(fmt::format("Pin particle {} to", now.mesh->particleNumber(pin.particle)).c_str());
    ImGui::Separator();
    const auto post = [&](const std::optional<integrators::PinHold>& hold) {
        if (!hold) return model_.editor.post(worker::Apply{simulation::edits::Unpin{pin.particle}, pin.mesh});
        worker::PinParticle command{{pin.particle, *hold, {}}, pin.mesh};
        command.pin.motion.velocity = model_.pinTool.velocity;
        model_.editor.post(std::move(command));
    };
    for (const EnumEntry& entry : enumTable(PinKind{})) {
        const integrators::PinHold hold = model::toPinHold(PinKind(entry.value));
        if (item(entry.label.data(), fmt::format("pin_menu.{}", entry.key), entry.help.data(), present.is(hold)))
            post(hold);
    }
    if (present.pinned) {
        ImGui::Separator();
        if (item("unpin", "pin_menu.unpin", "The particle is free again; it keeps its velocity.", false)) post({});
    }
    ImGui::EndPopup();
}

}  // namespace clothlab::app::columns
