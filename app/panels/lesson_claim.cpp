#include "panels/lesson_claim.hpp"

#include <fmt/format.h>

#include <cmath>

#include "lessons/facts.hpp"
#include "widgets/markdown.hpp"
#include "widgets/numbers.hpp"

namespace clothlab::app::panels {

std::string lessonClaim(const std::string& id, const lessons::Claim& claim, const lessons::Lookup* known,
                        const widgets::UiTheme& theme, widgets::LayoutMap& layout) {
    const auto number = [](double value) { return widgets::formatNumber(value, 4); };
    if (!known) {
        const lessons::Lookup unknown = [](const lessons::Quantity&) { return std::nan(""); };
        std::string said = claim.inWords(unknown, lessons::quantityWords, number);
        widgets::markdown(id, said, theme, layout, theme.colors.quiet);
        return said;
    }
    const std::string said = claim.inWords(*known, lessons::quantityWords, number);
    const bool holds = claim.holds(*known);
    const char* verdict = holds ? "holds:" : "does not hold:";
    widgets::markdown(id, fmt::format("**{}** {}", verdict, said), theme, layout,
                      holds ? theme.colors.text : theme.colors.error);
    return fmt::format("{} {}", verdict, said);
}

}  // namespace clothlab::app::panels
