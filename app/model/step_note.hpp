#pragma once

#include <span>
#include <string>
#include <string_view>

#include "model/ui_model.hpp"
#include "worker/jobs/step_origin.hpp"

namespace clothlab::app::model {

/// Relation of the step that a result was computed from to the step shown. All panels with such results use the same
/// words.
struct StepNote {
    enum class Kind {
        Same,     ///< it is of the step shown, or of no step
        Before,   ///< likewise, and settings have been changed since: the next step has them
        MovedOn,  ///< the same motion with the same settings is at another step
        Changed   ///< settings, motion or cloth are others: what it shows is drawn in grey
    };
    Kind kind = Kind::Same;
    std::string words;  ///< "of step 62, before the change"; empty: Same
    std::string help;   ///< in what they differ

    bool stale() const { return kind == Kind::Changed; }
    /// Whether to compute it again when the step shown is requested: a moving cloth has another one at once.
    bool wantsAnother(bool playing) const { return stale() || (kind == Kind::MovedOn && !playing); }
};

/// Settings that do not count as a change: keys that begin with one of these.
inline constexpr std::string_view kMethodKeys[] = {"threads", "solver.", "preconditioner."};

StepNote stepNote(const worker::StepOrigin& of, const UiModel& model,
                  std::span<const std::string_view> aside = kMethodKeys);

/// The style of stale curves and table rows.
widgets::Style inGrey(widgets::Style style);

}  // namespace clothlab::app::model
