#pragma once

#include <string_view>

#include "panels/panel_context.hpp"

namespace clothlab::app::columns {

/// A row for any setting, by its key: bound to the window's settings, with the scene's own value as its default;
/// choices depend on the other settings. Columns, the search and the presenter's strip draw the same rows.
class SettingRows : panels::WindowPart {
public:
    explicit SettingRows(const panels::PanelContext& context);

    std::span<const Field> fields() const { return fields_.fields(); }
    /// Null = no setting has this key.
    const Field* find(std::string_view key) const { return fields_.find(key); }
    /// True when the value has changed. `wide`: a choice as wide as the column, without its label.
    bool row(std::string_view key, bool wide = false);

private:
    widgets::Widgets::ComboStyle rowStyle(std::string_view key) const;
    widgets::Widgets::ComboStyle preconditionerStyle() const;

    FieldList fields_, defaults_;
};

}  // namespace clothlab::app::columns
