#include "columns/control_column.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "actions/actions.hpp"
#include "base/text.hpp"
#include "integrators/integrator.hpp"
#include "integrators/methods/catalogue.hpp"
#include "model/method_styles.hpp"
#include "panels/plots/residual_words.hpp"
#include "preconditioners/catalogue.hpp"
#include "solvers/catalogue.hpp"
#include "solvers/solver.hpp"
#include "widgets/numbers.hpp"

namespace clothlab::app::columns {

using model::SceneChoice;
using widgets::formatNumber;
using worker::Snapshot;

namespace {

/// "now: MPCG" while the simulation still runs something else than what the window wants.
template <class E>
std::string echo(E active, E wanted, const std::string& otherwise) {
    return active == wanted ? otherwise : "now: " + std::string(enumLabel(active));
}

}  // namespace

ControlColumn::ControlColumn(const panels::PanelContext& context)
    : WindowPart(context), lesson_(context), settings_(context) {
    describe(model_.patch, patchFields_);
    describe(model_.activePatch, patchDefaults_);
    describe(model_.pinTool, pinFields_);
    describe(model_.pictureSettings, pictureFields_);
    describe(usualPictures_, pictureDefaults_);
    describe(usualPins_, pinDefaults_);
    describe(model_.brushTool.brush, brushFields_);
    describe(usualBrush_, brushDefaults_);
}

bool ControlColumn::rows(std::initializer_list<std::string_view> keys) {
    bool changed = false;
    for (const std::string_view key : keys) changed |= row(key);
    return changed;
}

void ControlColumn::build(const panels::Region& region) {
    ImGui::SetNextWindowPos({region.x, region.y});
    ImGui::SetNextWindowSize({region.width, region.height});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {theme_.px(16), theme_.px(6)});
    ImGui::Begin("##left", nullptr,
                 (ImGuiWindowFlags_NoDecoration & ~(model_.looks.interactive ? ImGuiWindowFlags_NoScrollbar : 0)) |
                     ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoNav);
    ImGui::PopStyleVar();
    widgets_.folds = model_.looks.interactive;
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing,
                        {ImGui::GetStyle().ItemSpacing.x, theme_.px(model_.looks.interactive ? 2.0f : 3.0f)});
    widgets_.focus.listen(true);
    if (model_.lessons.isOn()) lesson_.build();
    // Its own buttons may have ended the lesson.
    if (!model_.lessons.isOn() || (model_.folds.allControls && !model_.looks.presenter)) sections();
    widgets_.focus.listen(false);
    ImGui::PopStyleVar();
    ImGui::Dummy({0, theme_.px(4)});
    ImGui::End();
    ImGui::GetBackgroundDrawList()->AddLine({region.x + region.width, region.y},
                                            {region.x + region.width, region.y + region.height}, theme_.colors.line);
}

void ControlColumn::sections() {
    if (model_.looks.interactive) searchField();
    if (!model_.popups.search.empty()) return foundRows();
    sceneSection();
    integratorSection();
    solverSection();
    preconditionerSection();
    materialSection();
    contactSection();
    windSection();
    threadsSection();
    takeAwaySection();
}

void ControlColumn::sceneSection() {
    if (!widgets_.section("Scene", model_.settingsActive() ? "settings active" : "applying …",
                          "A change acts from the next step on: \"applying\" until then, \"settings active\" from "
                          "then on. No setting resets the motion.",
                          model_.folds.sections.scene))
        return;
    const std::string& name = model_.scene.name;
    const std::string title = model_.scene.title.empty() ? name : model_.scene.title;
    const ImVec2 min = ImGui::GetCursorScreenPos();
    const float icon = model_.looks.interactive ? ImGui::GetFrameHeight() + theme_.px(4) : 0;
    const float width = ImGui::GetContentRegionAvail().x - icon;
    layout_.mark("scene", min, {min.x + width, min.y + ImGui::GetFrameHeight()});
    ImGui::SetNextItemWidth(width);
    if (ImGui::BeginCombo("##scene", title.c_str(), ImGuiComboFlags_HeightLarge)) {
        for (const SceneChoice& choice : model_.scenes) {
            const bool broken = !choice.problem.empty();
            if (ImGui::Selectable((choice.title + "##" + choice.name).c_str(), choice.name == name,
                                  broken ? ImGuiSelectableFlags_Disabled : 0))
                model_.files.request = choice.name;
            layout_.markLast("scene/" + choice.name);
            widgets_.tooltip("scene/" + choice.name, ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled),
                             [&] { return broken ? choice.problem : choice.watch; });
        }
        ImGui::EndCombo();
    }
    if (model_.looks.interactive) galleryButton();
    if (!model_.scene.watch.empty()) {
        widgets_.note(model_.scene.watch);
        ImGui::Dummy({0, theme_.px(1)});
    }
    if (model_.looks.interactive) restoreButtons();
    const scene::ClothPatch& patch = model_.activePatch;
    const std::string size =
        patch.mesh ? fmt::format("mesh · scale {} · gravity", formatNumber(patch.scale, 3))
        : patch.solid
            ? fmt::format("solid · spacing {} m · gravity", formatNumber(patch.solid.spacing, 3))
            : fmt::format("grid {} · side {} m · gravity", model::sizeText(patch), formatNumber(patch.side, 3));
    if (widgets_.fold("scene.more", size.c_str(), model_.folds.scene)) gridFields();
}

/// Beside the list: four small pictures.
void ControlColumn::galleryButton() {
    const float side = ImGui::GetFrameHeight();
    ImGui::SameLine(0, theme_.px(4));
    if (ImGui::Button("##gallery", {side, side})) actions::runAction(model_, "gallery.toggle");
    layout_.markLast("gallery/button");
    const ImVec2 min = ImGui::GetItemRectMin();
    const float edge = side * 0.22f, dot = side * 0.24f, pitch = side - 2 * edge - dot;
    for (int k = 0; k < 4; ++k) {
        const int row = k / 2;
        const ImVec2 at{min.x + edge + float(k % 2) * pitch, min.y + edge + float(row) * pitch};
        ImGui::GetWindowDrawList()->AddRectFilled(at, {at.x + dot, at.y + dot}, ImGui::GetColorU32(ImGuiCol_Text));
    }
    widgets_.tooltip("gallery/button", ImGui::IsItemHovered(), [] {
        return fmt::format("All scenes with their pictures (key {}).", actions::actionKey("gallery.toggle"));
    });
}

/// What of the mesh can be changed here.
std::vector<std::string_view> ControlColumn::gridKeys() const {
    std::vector<std::string_view> keys{"rows", "columns", "side", "topology", "spacing", "surface_spacing", "scale"};
    std::erase_if(keys, [this](std::string_view key) { return !scene::takesKey(model_.patch, key); });
    return keys;
}

void ControlColumn::gridFields() {
    for (const std::string_view key : gridKeys()) widgets_.row(*patchFields_.find(key), patchDefaults_.find(key)->ref);
    applyButton();
    row("gravity");
}

void ControlColumn::applyButton() {
    const bool changed = model_.patchChanged();
    if (!changed) ImGui::BeginDisabled();
    if (widgets_.button("apply_restart", "apply and restart", ImGui::GetContentRegionAvail().x,
                        "A new grid needs a new mesh: the motion restarts, the settings stay."))
        model_.applyAndRestart();
    if (!changed) ImGui::EndDisabled();
}

void ControlColumn::restoreButtons() {
    const float gap = theme_.px(8), half = (ImGui::GetContentRegionAvail().x - gap) / 2;
    actionButton("restart_motion", "motion.restart",
                 fmt::format("Back to the start of the motion; settings and pins stay. To restore the scene's own "
                             "pins, choose the scene again. Key {}.",
                             actions::actionKey("motion.restart")),
                 half);
    ImGui::SameLine(0, gap);
    actionButton("default_settings", "settings.default", "The scene's own settings; the motion continues.", half);
}

void ControlColumn::integratorSection() {
    const Snapshot& now = *model_.snapshot;
    const auto& wanted = model_.settings.integrator;
    const double longest = explicitStep(now).limit;
    const bool limited = std::isfinite(longest) && longest > 0;
    const std::string limit = limited ? fmt::format("explicit limit {} ms", formatNumber(longest * 1e3, 2)) : "";
    if (!widgets_.section(
            "Integrator", echo(now.settings.integrator.kind, wanted.kind, limit),
            "Carries positions and velocities over one step. The explicit limit is the longest step at which those "
            "springs that the integrator treats explicitly stay stable; an implicit method may go beyond it.",
            model_.folds.sections.integrator))
        return;
    row("integrator.kind", true);
    row("integrator.dt");
    const auto active = now.settings.integrator.kind;
    if (model_.looks.interactive && integrators::traitsFor(active).explicitPart != integrators::ExplicitPart::None)
        explicitShare(now);
    const integrators::IntegratorEntry& entry = integrators::entryFor(wanted.kind);
    const std::span<const std::string_view> parameters = entry.parameters;
    const auto own = [&](std::span<const std::string_view> keys) {
        for (const std::string_view key : keys)
            row(key.find('.') != key.npos ? std::string(key) : fmt::format("integrator.{}", key));
    };
    own(parameters.first(entry.shown));
    const std::string more = fmt::format("{}{}schedule, strain limit", entry.choice, entry.choice.empty() ? "" : ", ");
    if (widgets_.fold("integrator.more", more.c_str(), model_.folds.integrator)) {
        if (!entry.choice.empty()) own(parameters.subspan(entry.shown));
        row("integrator.dt_schedule");
        if (wanted.dtSchedule != integrators::DtSchedule::Fixed) {
            row("integrator.dt_min");
            if (now.report.dt > 0)  // at the start there is no step
                widgets_.note(
                    fmt::format("this step: {} ms{}", formatNumber(now.report.dt * 1e3, 3),
                                now.report.rejected > 0 ? fmt::format(", after {} longer", now.report.rejected) : ""));
        }
        row("after_solve.strain_limit");
        if (model_.settings.afterSolve.strainLimit > 0) row("after_solve.strain_passes");
        rows({"after_solve.rigid_drag", "after_solve.energy_budget"});
    }
    if (entry.choice.empty()) own(parameters);
    if (const integrators::LimitedSprings& strain = now.report.limited; strain.springs > 0)
        widgets_.note(fmt::format("beyond the strain limit: {} spring{}, after {} pass{} {}",
                                  formatNumber(double(strain.springs), 7), plural(strain.springs), strain.passes,
                                  strain.passes == 1 ? "" : "es", formatNumber(double(strain.left), 7)),
                      false, "Of the last step: as the solve left them, and as the step ends.");
    if (integrators::traitsFor(now.report.methods.integrator).ownMatrix && now.report.newFactorMs >= 0)
        factorTimes(now);
    passes(now);
    if (now.report.dt > 0 && !integrators::traitsFor(now.report.methods.integrator).implicit &&
        now.report.methods.integrator == now.settings.integrator.kind)
        widgets_.note(
            fmt::format("{} substep{} of {} ms", now.report.substeps, plural(now.report.substeps),
                        formatNumber(now.report.dt * 1e3 / std::max(1, now.report.substeps), 3)),
            false, "Into how many equal parts the step shown was divided, so that each is below the explicit limit.");
}

/// Whether the factor is the present one, and what each way to have it so has cost.
void ControlColumn::factorTimes(const Snapshot& now) {
    const simulation::StepReport& report = now.report;
    if (report.factorAge > 0)
        widgets_.note(fmt::format("A new factor is being made; the old one is in use, {} step{} so far.",
                                  report.factorAge, plural(report.factorAge)));
    std::string words = fmt::format("Last new factor {} ms", formatNumber(report.newFactorMs, 2));
    if (report.factorColumnsMs >= 0)
        words += fmt::format("; a pin or grab by columns {} ms", formatNumber(report.factorColumnsMs, 2));
    widgets_.note(words + ".", false,
                  "Local/global factors its matrix once. A pin or a grab adds extra columns (Woodbury); another "
                  "stiffness, mass or step needs a new factor.");
}

/// What the number of passes did to the stiffness of a position based step.
void ControlColumn::passes(const Snapshot& now) {
    const simulation::StepReport& report = now.report;
    const integrators::IntegratorSettings& made = now.settings.integrator;
    if (report.methods.integrator != made.kind || report.outerResidual < 0) return;
    const std::string strain = fmt::format("the largest strain is {} %", formatNumber(100 * report.maxStrain, 2));
    std::string words;
    if (made.kind == integrators::IntegratorKind::Pbd)
        words = fmt::format("In each of {} passes a spring loses {} % of its violation; {}.", made.pbd.iterations,
                            formatNumber(100 * made.pbd.sharePerPass(made.pbd.stiffness), 2), strain);
    else if (made.kind == integrators::IntegratorKind::Xpbd && made.xpbd.iterations == 1)
        words = fmt::format("One pass in each of {} substep{}; {}.", made.xpbd.substeps, plural(made.xpbd.substeps),
                            strain);
    else if (made.kind == integrators::IntegratorKind::Xpbd)
        words = fmt::format("The last of {} passes found {} % of the first one's work left; {}.",
                            report.outerIterations, formatNumber(100 * report.outerResidual, 2), strain);
    if (words.empty()) return;
    widgets_.note(words, false,
                  "Of the step shown. A pass of PBD removes a share of each spring's violation, so that the number of "
                  "passes acts as a stiffness; passes of XPBD solve for the springs' own.");
    layout_.words("integrator/passes", words);
}

/// The step shown, whose length chooses what is explicit and so the limit; before the first one of this method, what is
/// known without it.
ControlColumn::ExplicitStep ControlColumn::explicitStep(const Snapshot& now) {
    const integrators::IntegratorSettings& made = now.settings.integrator;
    if (now.report.dt > 0 && now.report.methods.integrator == made.kind)
        return {now.report.dt, now.report.explicitLimit, true};
    const bool known = made.dtSchedule == integrators::DtSchedule::Fixed &&
                       integrators::traitsFor(made.kind).explicitPart != integrators::ExplicitPart::PickedEachStep;
    return {known ? made.dt : 0, now.explicitLimit, false};
}

/// How much of the cloth is explicit, and whether the step is beyond what that allows.
void ControlColumn::explicitShare(const Snapshot& now) {
    const ExplicitStep step = explicitStep(now);
    const Index all = step.taken ? now.report.implicitSprings + now.report.explicitSprings : 0;
    const std::string share = all > 0 ? fmt::format("{} of {} springs explicit",
                                                    formatNumber(now.report.explicitSprings, 7), formatNumber(all, 7))
                                      : "";
    const std::string beyond = step.limit > 0 && step.dt > step.limit
                                   ? fmt::format("beyond the limit at {} ms", formatNumber(step.dt * 1e3, 3))
                                   : "";
    const std::string words = share + (share.empty() || beyond.empty() ? "" : " · ") + beyond;
    layout_.words("integrator/explicit", words);
    if (words.empty()) return;
    widgets_.note(words, !beyond.empty(),
                  "Of the step shown. Explicit springs, slack ones too, have no block in the matrix: their force is "
                  "taken from the start of the step.");
}

void ControlColumn::solverSection() {
    const Snapshot& now = *model_.snapshot;
    const auto& wanted = model_.settings.solver;
    const bool implicit = integrators::usesSolver(model_.settings.integrator.kind);
    const bool changed = panels::methodsChanged(now);  // the report is then of what was active before
    std::string iterations =
        implicit && !changed && solvers::iterates(wanted.kind) && now.step > 0
            ? fmt::format("{} iteration{}", now.report.linearIterations, plural(now.report.linearIterations))
        : implicit && changed && now.step > 0 ? "from the next step on"
        : implicit                            ? "active"
                                              : "not used";
    if (implicit && !changed && !model_.looks.interactive && now.report.components > 0)
        iterations +=
            fmt::format(" · {} component{}", formatNumber(now.report.components, 7), plural(now.report.components));
    if (!widgets_.section("Solver", echo(now.settings.solver.kind, wanted.kind, iterations),
                          "Solves the linear system A Δv = b of an implicit step. The number is the iterations "
                          "of conjugate gradients in the last step.",
                          model_.folds.sections.solver))
        return;
    row("solver.kind", true);
    if (!now.refusal.empty()) widgets_.note(now.refusal, true);
    if (!implicit) return;
    const auto keys = solvers::activeParameters(wanted);
    if (!solvers::iterates(wanted.kind)) {
        row("solver.decompose");
        if (wanted.decompose) row("solver.cut_speed");
        decomposition(now);
        if (keys.empty() || !widgets_.fold("solver.more", "how it factors", model_.folds.solver)) return;
        for (const std::string_view key : keys) row("solver." + std::string(key));
        return;
    }
    rows({"solver.tolerance", "solver.decompose"});
    if (wanted.decompose) row("solver.cut_speed");
    decomposition(now);
    if (!widgets_.fold("solver.more", "stopping rule, start, limit", model_.folds.solver)) return;
    rows({"solver.stopping", "solver.tolerance_rule", "solver.max_iterations", "solver.warm_start"});
    for (const std::string_view key : keys) row("solver." + std::string(key));
}

/// What came of solving by components, in words. A picture has it in the heading, where it takes no room.
void ControlColumn::decomposition(const Snapshot& now) {
    const simulation::StepReport& report = now.report;
    if (!model_.settings.solver.decompose || !model_.looks.interactive) return;
    if (report.components < 0) return widgets_.note("from the next step on");
    if (report.components == 0) return widgets_.note("No particle is free.");
    std::string words =
        report.components == 1
            ? fmt::format("1 component of {}: nothing falls apart", formatNumber(report.largestComponent, 7))
            : fmt::format("{} components, largest {}", formatNumber(report.components, 7),
                          formatNumber(report.largestComponent, 7));
    const Index particles = now.mesh ? now.mesh->particles : 0;
    const double whole = double(report.iterations) * particles;
    if (whole > 0)
        words += fmt::format("\n{} rows multiplied: {} of\n{} iterations × {} particles",
                             formatNumber(report.rowIterations, 9), formatNumber(report.rowIterations / whole, 2),
                             formatNumber(report.iterations, 7), formatNumber(particles, 7));
    widgets_.note(words, false,
                  "Components are parts of the cloth that no implicit spring joins. Each is solved by itself and stops "
                  "when it has converged: the share is the work of that against one solve of the whole.");
}

void ControlColumn::preconditionerSection() {
    const Snapshot& now = *model_.snapshot;
    const auto solver = model_.settings.solver.kind;
    const auto wanted = model_.settings.preconditioner.kind;
    const bool used = integrators::usesSolver(model_.settings.integrator.kind) && solvers::usesPreconditioner(solver);
    if (!widgets_.section(
            "Preconditioner",
            echo(now.settings.preconditioner.kind, wanted,
                 !used                         ? "not used"
                 : panels::methodsChanged(now) ? "active"
                 : now.report.icShift > 0      ? "shift " + formatNumber(now.report.icShift, 2)
                 : now.report.factorAge > 0    ? fmt::format("{} steps old", now.report.factorAge)
                                               : "active"),
            "Brings the matrix of the system closer to the identity, so that conjugate gradients need "
            "fewer iterations. Incomplete Cholesky adds the shift to the diagonal where it has to; \"steps "
            "old\" is the age of a factor that is kept.",
            model_.folds.sections.preconditioner))
        return;
    row("preconditioner.kind", true);
    if (!used) return;
    // The first setting of the method is in sight, the others are folded; in a picture, where nothing unfolds, a
    // deflation that is off has no row.
    auto keys = preconditioners::activeParameters(model_.settings.preconditioner);
    const bool inPicture = !model_.looks.interactive;
    if (inPicture && model_.settings.preconditioner.deflation == preconditioners::Deflation::None)
        std::erase(keys, "deflation");
    const std::size_t inSight = keys.empty() || keys.front() == "deflation" ? 0 : 1;
    for (std::size_t k = 0; k < keys.size(); ++k) {
        if (k == inSight && (!inPicture || keys.size() > 2) &&
            !widgets_.fold("preconditioner.more", "variants, precision, order", model_.folds.preconditioner) &&
            !inPicture)
            return;
        row("preconditioner." + std::string(keys[k]));
    }
}

}  // namespace clothlab::app::columns
