#include <fmt/format.h>

#include <algorithm>

#include "actions/actions.hpp"
#include "base/text.hpp"
#include "columns/control_column.hpp"
#include "integrators/traits.hpp"
#include "widgets/numbers.hpp"

// The sections of the left column about the cloth and what touches it.
namespace clothlab::app::columns {

using widgets::formatNumber;
using worker::Snapshot;

void ControlColumn::materialSection() {
    const Snapshot& now = *model_.snapshot;
    auto& material = model_.settings.material;
    std::string weight;
    if (now.mesh && !now.mesh->patches.empty()) {
        const bool isSolid = now.mesh->patches[0].isSolid();
        const double measure = now.mesh->patches[0].measurePerParticle(),
                     density = isSolid ? material.volumeDensity : material.density;
        weight = material.particleMass > 0
                     ? formatNumber(material.particleMass / measure, 3) + (isSolid ? " kg/m³" : " kg/m²")
                     : formatNumber(density * measure * 1e3, 3) + " g per particle";
    }
    if (!widgets_.section("Material", weight,
                          "Stiffness and weight of the cloth. Density and the mass of a particle are two ways to say "
                          "the same: the scene gives one, and the other follows from the area of the cloth.",
                          model_.folds.sections.material))
        return;
    const auto& cloths = model_.scene.cloths;
    if (std::any_of(cloths.begin(), cloths.end(), [](const scene::ClothPatch& c) { return c.material.has_value(); }))
        widgets_.note("A cloth of this scene has a material of its own, which these do not change.");
    if (!model_.scene.regions.empty())
        widgets_.note("Parts of the cloth (overlay regions) say some of these for themselves.");
    const auto some = [&](auto&& which) { return std::ranges::any_of(cloths, which); };
    // Meshes have no shear springs, solids nothing but stretch springs.
    const bool shears = some([](const scene::ClothPatch& c) { return !c.mesh && !c.solid; });
    const bool solids = some([](const scene::ClothPatch& c) { return bool(c.solid); });
    const bool sheets = cloths.empty() || some([](const scene::ClothPatch& c) { return !c.solid; });
    row("material.stretch_stiffness");
    if (shears && material.membrane == cloth::MembraneModel::Springs) row("material.shear_stiffness");
    if (sheets) row("material.bend_stiffness");
    if (material.particleMass > 0) row("material.particle_mass");
    if (material.particleMass == 0 && sheets) row("material.density");
    if (material.particleMass == 0 && solids) row("material.volume_density");
    if (const Index broken = model_.snapshot->report.brokenSprings; broken > 0)
        widgets_.note(fmt::format("{} spring{} broken; a restart mends them.", formatNumber(broken, 7),
                                  broken == 1 ? " is" : "s are"));
    if (model_.looks.interactive && widgets_.fold("material.brush", "brush", model_.folds.brush)) brushRows();
    if (!widgets_.fold("material.more", "membrane, bending, damping, tearing", model_.folds.material)) return;
    if (sheets) row("material.membrane");
    row("material.bend_model");
    if (material.bendModel == cloth::BendModel::ChoiKoPolynomial || material.bendModel == cloth::BendModel::ChoiKoExact)
        row("material.bend_linear_branch");
    rows({"material.damping_model", "material.damp_gate", "material.stretch_damping"});
    if (shears) row("material.shear_damping");
    rows({"material.bend_damping", "material.tension_only", "material.compression", "material.jac_slack",
          "material.tear_strain"});
}

void ControlColumn::brushRows() {
    const model::BrushTool& tool = model_.brushTool;
    widgets_.combo(*brushFields_.find("brush.effect"), {.wide = true});
    if (tool.brush.effect != scene::BrushEffect::Erase)
        widgets_.row(*brushFields_.find("brush.factor"), brushDefaults_.find("brush.factor")->ref);
    widgets_.row(*brushFields_.find("brush.radius"), brushDefaults_.find("brush.radius")->ref);
    const Index painted = tool.particles();
    widgets_.note(painted == 0 ? "G + left drag paints the cloth."
                               : fmt::format("{} particle{} painted with {} material{}.", formatNumber(painted, 7),
                                             plural(painted), tool.painting.layers.size(),
                                             plural(Index(tool.painting.layers.size()))));
    const float gap = theme_.px(8), half = (ImGui::GetContentRegionAvail().x - gap) / 2;
    actionButton("paint_undo", "paint.undo",
                 fmt::format("Takes back the last stroke. Key {}.", actions::actionKey("paint.undo")), half);
    ImGui::SameLine(0, gap);
    actionButton("paint_clear", "paint.clear", "Takes away all that was painted; the scene's own regions stay.", half);
}

void ControlColumn::contactSection() {
    const Snapshot& now = *model_.snapshot;
    const bool repels = model_.settings.contact.selfCollision == contact::SelfCollision::Repulsion;
    const Index count = now.report.repulsionPairs;
    const std::string pairs = repels ? fmt::format("{} pair{} · ", formatNumber(count, 7), plural(count)) : "";
    if (!widgets_.section("Contact", pairs + formatNumber(now.report.contacts, 7) + " touching",
                          "Friction on solids, and cloth against cloth. \"touching\" counts the particles in contact "
                          "with a solid after the last step.",
                          model_.folds.sections.contact))
        return;
    const bool robust = model_.settings.contact.selfCollision == contact::SelfCollision::Robust;
    rows({"contact.mu_s", "contact.mu_k"});
    // A picture has no room for it: there the number of pairs above says that they repel each other.
    if (model_.looks.interactive) row("contact.self_collision");
    if (!widgets_.fold("contact.more", repels ? "repulsion, push-out, dragging, pins" : "push-out, dragging, pins",
                       model_.folds.contact))
        return;
    if (repels) rows({"contact.repulsion_distance", "contact.repulsion_stiffness", "contact.repulsion_damping"});
    if (robust) layerRows();
    row("contact.solids");
    if (model_.settings.contact.solids == contact::SolidResponse::Constraints) {
        rows({"contact.push_out", "contact.sticking"});
        if (model_.settings.contact.sticking == contact::Sticking::Speed) row("contact.sticking_speed");
    }
    rows({"grab.mode", "grab.max_speed", "grab.max_stretch"});
    if (model_.settings.grab.mode == integrators::GrabMode::Spring) rows({"grab.stiffness", "grab.damping"});
    pinRows();
}

void ControlColumn::layerRows() {
    rows({"contact.thickness", "contact.cloth_friction", "contact.solve"});
    const bool within = model_.settings.contact.solve == contact::LayerSolve::Within;
    const bool takes = integrators::traitsFor(model_.settings.integrator.kind).takesLayers;
    if (within && !takes) widgets_.note("This method knows no layers: contact acts after its solve.");
    if (within && takes)
        rows({"contact.solve_repeats", "contact.solve_tolerance", "contact.solve_stiffness"});
    else
        row("contact.carry_forces");
    rows({"contact.untangle", "contact.last_resort"});
}

void ControlColumn::pinRows() {
    const Snapshot& now = *model_.snapshot;
    const auto pins = Index(now.pins.size());
    const auto onLines = std::ranges::count(now.pinGuides, 1, &Snapshot::PinGuide::ndof),
               onPlanes = std::ranges::count(now.pinGuides, 2, &Snapshot::PinGuide::ndof);
    widgets_.note(fmt::format("{} pin{}: {} on lines, {} on planes, {} carried", formatNumber(pins, 7), plural(pins),
                              onLines, onPlanes, now.pinsCarried),
                  false, "Pins at a point hold three directions, on a line two, on a plane one; carried ones move.");
    widgets_.combo(*pinFields_.find("pin.kind"), {.wide = true});
    widgets_.row(*pinFields_.find("pin.velocity"), pinDefaults_.find("pin.velocity")->ref);
    widgets_.note("Ctrl + click pins and unpins. Ctrl + right click: menu of the particle.");
}

void ControlColumn::windSection() {
    const auto& wind = model_.settings.wind;
    const bool idle = wind.dragCoefficient == 0 && wind.linearDrag == 0;
    if (!widgets_.section("Wind", idle ? "off: no drag" : "",
                          "Air that flows against the cloth. Without a drag coefficient it does nothing.",
                          model_.folds.sections.wind))
        return;
    row("wind.velocity");
    row("wind.drag_coefficient");
    if (!widgets_.fold("wind.more", "gusts, air, linear drag", model_.folds.wind)) return;
    rows({"wind.gust", "wind.seed", "wind.air_density", "wind.linear_drag"});
}

void ControlColumn::takeAwaySection() {
    if (!model_.looks.interactive) return;
    papersButton();
    if (!widgets_.section("Take away", "", "States, scenes and commands to keep or to send.",
                          model_.folds.sections.takeAway))
        return;
    const widgets::FontScope font(theme_.small);
    const float gap = theme_.px(6), half = (ImGui::GetContentRegionAvail().x - gap) / 2;
    actionButton("take/save", "state.save", "The whole simulation into a file of the working folder (Ctrl + S).", half);
    ImGui::SameLine(0, gap);
    actionButton("take/open", "file.open", "A saved state, a scene or a mesh (Ctrl + O).", half);
    actionButton("take/command", "copy.command",
                 "Copies a command that reproduces the state shown bit for bit (Ctrl + C). If settings alone are not "
                 "enough, it replays a recording that is saved for it.",
                 half);
    ImGui::SameLine(0, gap);
    actionButton("take/scene", "copy.scene", "The scene with its settings, as TOML, into the clipboard.", half);
    for (const Field& field : pictureFields_.fields()) widgets_.row(field, pictureDefaults_.find(field.key)->ref);
    actionButton("take/picture", "picture.save",
                 "Into a PNG of the working folder, named by scene, step and method (F12).", half);
    ImGui::SameLine(0, gap);
    if (widgets_.button("take/film", model_.film.running ? "End the film" : "Film", half,
                        model_.film.running
                            ? "Ends it with the frames taken so far (Ctrl + F12)."
                            : "Into the working folder: the motion continues from here, one frame per step, however "
                              "long a step takes (Ctrl + F12)."))
        model_.film.turned = true;
    if (model_.film.running) widgets_.note(fmt::format("frame {} of {}", model_.film.frames, model_.film.wanted));
}

/// At the right of the title that comes next.
void ControlColumn::papersButton() {
    const widgets::FontScope font(theme_.small);
    widgets::StyleScope style;
    style.measure(ImGuiStyleVar_FramePadding, {theme_.px(6), theme_.px(1)});
    const ImVec2 at = ImGui::GetCursorPos();
    const float width = theme_.px(52);
    ImGui::SetCursorPosX(at.x + ImGui::GetContentRegionAvail().x - width);
    actionButton("papers/open", "papers.toggle", "The papers' tables, computed here beside the printed values.", width);
    ImGui::SetCursorPos(at);
}

void ControlColumn::threadsSection() {
    if (!widgets_.section("Threads", fmt::format("{} active", model_.snapshot->threads),
                          "How many threads share a step. They change its time, not a bit of its result.",
                          model_.folds.sections.threads))
        return;
    row("threads");
}

}  // namespace clothlab::app::columns
