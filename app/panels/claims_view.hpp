#pragma once

#include <optional>
#include <string>
#include <vector>

#include "panels/panel_context.hpp"
#include "papers/claims.hpp"

namespace clothlab::app::panels {

/// All claims of the papers with their verdicts.
class ClaimsView final : protected WindowPart {
public:
    explicit ClaimsView(const PanelContext& context) : WindowPart(context) {}
    /// Fills the rest of the window. Returns the name of the table whose claim was clicked, or an empty string.
    std::string build(const std::string& assets);

private:
    bool row(const papers::CheckedClaim& each, std::size_t number);

    std::optional<Expected<std::vector<papers::CheckedClaim>>> claims_;  ///< none before the first look
};

}  // namespace clothlab::app::panels
