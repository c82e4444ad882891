#pragma once

#include "columns/regions.hpp"

namespace clothlab::app::columns {

/// The edges between the columns and the cloth, which can be dragged; a double click gives a column its usual width.
class Splitters : panels::WindowPart {
public:
    explicit Splitters(const panels::PanelContext& context) : WindowPart(context) {}
    /// Over the edges of the columns that are shown. A width that is dragged acts from the next frame on.
    void build(const Regions& regions);

private:
    enum class Side { Left, Right };
    void edge(Side side, const panels::Region& column, double& points);

    float grip_ = 0;         ///< from the edge to where it was taken, in pixels
    bool restored_ = false;  ///< by the press that is held: no drag
};

}  // namespace clothlab::app::columns
