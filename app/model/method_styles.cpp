#include "model/method_styles.hpp"

#include <algorithm>
#include <cassert>
#include <iterator>

#include "integrators/methods/catalogue.hpp"
#include "preconditioners/catalogue.hpp"
#include "simulation/report_columns.hpp"
#include "solvers/catalogue.hpp"

namespace clothlab::app::model {
namespace hue = widgets::hue;
using widgets::Style;

Style methodStyle(integrators::IntegratorKind kind) { return integrators::entryFor(kind).look; }

Style methodStyle(preconditioners::PreconditionerKind kind) { return preconditioners::entryFor(kind).look; }

Style methodStyle(solvers::SolverKind solver, preconditioners::PreconditionerKind preconditioner) {
    const solvers::SolverEntry& entry = solvers::entryFor(solver);
    if (!entry.traits.needsPreconditioner) return entry.look;
    Style style = methodStyle(preconditioner);
    if (entry.look.dash != Dash::Solid) style.dash = entry.look.dash;
    return style;
}

std::vector<Style> withVariantMarks(std::vector<Style> looks) {
    const std::vector<Style> own = looks;
    for (std::size_t k = 0; k < own.size(); ++k) {
        const auto alike = std::count(own.begin(), own.begin() + std::ptrdiff_t(k), own[k]);
        if (alike > 0) looks[k].mark = widgets::variantMark(std::size_t(alike));
    }
    return looks;
}

std::vector<Style> methodStyles(std::span<const solvers::Method> methods) {
    std::vector<Style> looks;
    for (const solvers::Method& method : methods)
        looks.push_back(methodStyle(method.solver.kind, method.preconditioner.kind));
    return withVariantMarks(std::move(looks));
}

Style programStyle() { return {hue::kSlate, Dash::DashDot}; }

Style boundStyle(Style of) {
    of.dash = Dash::Dotted;
    of.mark = Mark::None;
    return of;
}

Style curveStyle(const std::string& name, std::size_t n) {
    const auto isNamed = [&](const EnumEntry& entry) { return entry.key == name || entry.label == name; };
    for (const EnumEntry& entry : enumTable(preconditioners::PreconditionerKind{}))
        if (isNamed(entry)) return methodStyle(static_cast<preconditioners::PreconditionerKind>(entry.value));
    for (const EnumEntry& entry : enumTable(integrators::IntegratorKind{}))
        if (isNamed(entry)) return methodStyle(static_cast<integrators::IntegratorKind>(entry.value));
    // What a step reports looks as in the window.
    static constexpr std::pair<std::string_view, ImU32> kColumns[] = {
        {"kinetic_j", hue::kKinetic},  {"elastic_j", hue::kElastic},        {"gravity_j", hue::kGravity},
        {"total_j", hue::kWhite},      {"assemble_ms", hue::kAssembleTime}, {"set_up_ms", hue::kSetUpTime},
        {"solve_ms", hue::kSolveTime}, {"contact_ms", hue::kContactTime},   {"other_ms", hue::kOtherTime}};
    for (const auto& [key, color] : kColumns)
        if (simulation::findColumn(key)->label == name) return color;
    return widgets::seriesStyle(n);
}

std::span<const NamedStyle, kEnergies> energyStyles() {
    static constexpr NamedStyle kRows[] = {
        {"total", hue::kWhite}, {"kinetic", hue::kKinetic}, {"elastic", hue::kElastic}, {"gravity", hue::kGravity}};
    return kRows;
}

std::span<const NamedStyle, kStages> stageStyles() {
    static constexpr NamedStyle kRows[] = {{"contact", hue::kContactTime},
                                           {"assemble", hue::kAssembleTime},
                                           {"set-up", hue::kSetUpTime},
                                           {"solve", hue::kSolveTime},
                                           {"other", hue::kOtherTime}};
    return kRows;
}

std::string methodName(solvers::SolverKind solver, preconditioners::PreconditionerKind preconditioner) {
    std::string name(enumLabel(solver));
    if (solvers::usesPreconditioner(solver)) name += " + " + std::string(enumLabel(preconditioner));
    return name;
}

}  // namespace clothlab::app::model
