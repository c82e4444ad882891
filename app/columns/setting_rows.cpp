#include "columns/setting_rows.hpp"

#include "integrators/methods/catalogue.hpp"
#include "model/method_styles.hpp"
#include "model/sources.hpp"
#include "preconditioners/catalogue.hpp"
#include "solvers/catalogue.hpp"

namespace clothlab::app::columns {

using integrators::IntegratorKind;
using model::sourceText;
using preconditioners::PreconditionerKind;
using preconditioners::PreconditionerSettings;
using solvers::SolverKind;
using ComboStyle = widgets::Widgets::ComboStyle;

namespace {

/// Whether the solver takes the settings of the preconditioner with this value of one member.
auto refusalWith(const model::UiModel& model, auto member) {
    return [&model, member](int value) {
        PreconditionerSettings settings = model.settings.preconditioner;
        settings.*member = std::remove_cvref_t<decltype(settings.*member)>(value);
        return solvers::refusal(model.settings.solver.kind, settings);
    };
}

}  // namespace

SettingRows::SettingRows(const panels::PanelContext& context) : WindowPart(context) {
    describe(model_.settings, fields_);
    describe(model_.scene.settings, defaults_);
}

bool SettingRows::row(std::string_view key, bool wide) {
    const Field* field = fields_.find(key);
    IM_ASSERT(field != nullptr && "a key that no description table has");
    if (!std::holds_alternative<EnumRef>(field->ref)) return widgets_.row(*field, defaults_.find(key)->ref);
    ComboStyle style = rowStyle(key);
    style.wide = wide;
    return widgets_.combo(*field, style);
}

ComboStyle SettingRows::rowStyle(std::string_view key) const {
    if (key == "integrator.dt_schedule")
        return {.refusal = [this](int schedule) {
            return integrators::scheduleRefusal(model_.settings.integrator.kind, integrators::DtSchedule(schedule));
        }};
    if (key == "integrator.kind")
        return {.source = [](int kind) { return sourceText(integrators::entryFor(IntegratorKind(kind)).source); }};
    if (key == "solver.kind")
        return {
            .refusal = [this](int kind) { return solvers::refusal(SolverKind(kind), model_.settings.preconditioner); },
            .source = [](int kind) { return sourceText(solvers::entryFor(SolverKind(kind)).source); },
            .disabled = integrators::whyNoSolver(model_.settings.integrator.kind)};
    if (key == "preconditioner.kind") return preconditionerStyle();
    if (key == "preconditioner.permute") return {.refusal = refusalWith(model_, &PreconditionerSettings::permute)};
    return {};
}

ComboStyle SettingRows::preconditionerStyle() const {
    std::string disabled = integrators::whyNoSolver(model_.settings.integrator.kind);
    if (disabled.empty() && !solvers::usesPreconditioner(model_.settings.solver.kind))
        disabled = "This solver uses no preconditioner.";
    return {.refusal = refusalWith(model_, &PreconditionerSettings::kind),
            .color = [](int kind) { return model::methodColor(PreconditionerKind(kind)); },
            .source = [](int kind) { return sourceText(preconditioners::entryFor(PreconditionerKind(kind)).source); },
            .disabled = disabled};
}

}  // namespace clothlab::app::columns
