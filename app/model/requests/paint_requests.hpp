#pragma once

#include <cstdint>

#include "model/tools/brush_tool.hpp"

/// Requests of the brush.
namespace clothlab::app::model {

struct UiModel;

/// The brush touched the cloth: posts the painting whole. The first touch shows the regions unless something else is
/// laid over the cloth.
void paint(UiModel& model, const BrushTouch& touch);
/// Posts the painting as it is.
void postPainting(UiModel& model);
/// Undo the last stroke, whatever was set since; remove all of them. False: there is none.
bool undoPaint(UiModel& model);
bool clearPaint(UiModel& model);

}  // namespace clothlab::app::model
