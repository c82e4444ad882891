#pragma once

#include "columns/regions.hpp"

namespace clothlab::app::columns {

/// The edges between the columns and the cloth, which can be dragged; a double click restores the default width.
class Splitters : panels::WindowPart {
public:
    explicit Splitters(const panels::PanelContext& context) : WindowPart(context) {}
    /// Over the edges of the visible columns. A dragged width takes effect in the next frame.
    void build(const Regions& regions);

private:
    enum class Side { Left, Right };
    void edge(Side side, const panels::Region& column, double& points);

    float grip_ = 0;         ///< pixels from the edge to where the drag began
    bool restored_ = false;  ///< the press in progress restored the default: no drag
};

}  // namespace clothlab::app::columns
