#include "panels/plots/contact_words.hpp"

#include <fmt/format.h>

#include "base/number_text.hpp"
#include "base/statistics.hpp"
#include "simulation/report.hpp"

namespace clothlab::app::panels {

ContactWords contactWords(const model::UiModel& model, const PlotWindow& window) {
    const model::PlotHistory& history = model.history;
    const Spread contact = computeSpread(window.inside(history.values("contact_ms"))),
                 whole = computeSpread(window.inside(history.values("step_ms")));
    ContactWords words;
    if (contact.count == 0) return words;
    const auto ms = [](double value) { return formatNumber(value, value >= 1000 ? 4 : value >= 100 ? 3 : 2); };
    const double step = window.inside(history.steps())[contact.at];
    const std::string high =
        fmt::format("p95 {} · p99 {} · worst {}", ms(contact.p95), ms(contact.p99), ms(contact.most));
    words.help = fmt::format(
        "Contact in the {} step{} of the plot: mean {} ms · p50 {} · {} at step {:.0f}. Half of the steps took no longer "
        "than p50, 95 of 100 no longer than p95.",
        contact.count, contact.count == 1 ? "" : "s", ms(contact.mean), ms(contact.p50), high, step);
    if (!simulation::tellsContactTime(model.snapshot->settings.contact, contact.mean, whole.mean)) return words;
    words.lines = {
        fmt::format("contact in {} step{}: mean {} ms · p50 {} · {} at step {:.0f}", contact.count,
                    contact.count == 1 ? "" : "s", ms(contact.mean), ms(contact.p50), high, step),
        fmt::format("contact: mean {} · p50 {} · {}", ms(contact.mean), ms(contact.p50), high),
        fmt::format("contact: mean {}, p50 {}, p95 {}, p99 {}, worst {}", ms(contact.mean), ms(contact.p50),
                    ms(contact.p95), ms(contact.p99), ms(contact.most)),
        fmt::format("contact {} · p50 {} · {}", ms(contact.mean), ms(contact.p50), high),
        fmt::format("contact {} · {}", ms(contact.mean), high),
    };
    return words;
}

}  // namespace clothlab::app::panels
