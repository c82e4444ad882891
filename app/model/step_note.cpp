#include "model/step_note.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "widgets/numbers.hpp"

namespace clothlab::app::model {
namespace {

/// The first setting that counts and differs: "stretch stiffness 5 N/m, now 50000 N/m"; empty: there is none.
std::string difference(const scene::Settings& then, const scene::Settings& now,
                       std::span<const std::string_view> aside) {
    if (then == now) return {};
    scene::Settings a = then, b = now;  // a list of fields points into what it describes
    FieldList before, after;
    describe(a, before);
    describe(b, after);
    for (std::size_t k = 0; k < before.fields().size(); ++k) {
        const Field &old = before.fields()[k], &own = after.fields()[k];
        const bool counts = std::ranges::none_of(aside, [&](std::string_view key) { return old.key.starts_with(key); });
        if (counts && !equalValues(old.ref, own.ref))
            return fmt::format("{} {}, now {}", old.meta.label, widgets::fieldText(old), widgets::fieldText(own));
    }
    return {};
}

}  // namespace

StepNote stepNote(const worker::StepOrigin& of, const UiModel& model, std::span<const std::string_view> aside) {
    using enum StepNote::Kind;
    const worker::Snapshot& now = *model.snapshot;
    if (of.mesh == 0 || !now.mesh) return {};
    if (now.mesh->revision != of.mesh)
        return {Changed, fmt::format("of step {} of another cloth", of.step), "Another cloth is shown now."};
    if (!of.made) return {};
    std::string change = difference(*of.made, model.settings, aside);
    if (change.empty()) change = difference(*of.made, now.madeWith ? *now.madeWith : now.settings, aside);
    const bool same = !of.shown || now.identity == of.shown;
    if (!change.empty()) {
        const std::string from = of.step > 0 ? fmt::format("step {}", of.step) : "the start";
        const std::string words = fmt::format("of {}, before the change", from);
        if (same && !of.toCome)
            return {Before, words,
                    fmt::format("The step shown was taken before a setting was changed: {}. The next step has it.",
                                change)};
        return {Changed, words, fmt::format("A setting has been changed since: {}.", change)};
    }
    if (same || (of.toCome && now.step == of.step)) return {};
    if (now.step == of.step)
        return {Changed, fmt::format("of step {} of the motion before", of.step),
                "The motion has reached this step again, perhaps by another path."};
    return {MovedOn, fmt::format("of step {}; the cloth is at step {}", of.step, now.step),
            "The motion has gone on, or back, with the same settings."};
}

widgets::Style inGrey(widgets::Style style) {
    style.color = widgets::hue::kStale;
    return style;
}

}  // namespace clothlab::app::model
