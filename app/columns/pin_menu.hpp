#pragma once

#include "panels/panel_context.hpp"

namespace clothlab::app::columns {

/// The menu of a particle (Ctrl + right click): how it is pinned.
class PinMenu : panels::WindowPart {
public:
    explicit PinMenu(const panels::PanelContext& context) : WindowPart(context) {}
    /// Opens where the pointer is when the model asks for it.
    void build();

private:
    bool item(const char* label, const std::string& id, const char* help, bool chosen);
};

}  // namespace clothlab::app::columns
