#pragma once

#include "columns/setting_rows.hpp"

namespace clothlab::app::columns {

/// The presenter's controls: a strip of at most three large rows under the cloth (actions::listKeyControls).
class KeyStrip : panels::WindowPart {
public:
    explicit KeyStrip(const panels::PanelContext& context) : WindowPart(context), settings_(context) {}

    /// Across the region, above `bottom`. Returns its upper edge.
    float build(const panels::Region& region, float bottom);

private:
    float neededBy(const Field& field, float width) const;
    void cell(const Field& field, ImVec2 size);

    SettingRows settings_;
};

}  // namespace clothlab::app::columns
