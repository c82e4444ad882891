#pragma once

#include <cstdint>

#include "model/tools/brush_tool.hpp"

/// What the brush asks for.
namespace clothlab::app::model {

struct UiModel;

/// The brush touched the cloth: posts the painting whole. The first touch shows the regions unless something else is
/// laid over the cloth.
void paint(UiModel& model, const BrushTouch& touch);
/// Posts the painting as it is.
void postPainting(UiModel& model);
/// Takes back the last stroke, whatever was set since; takes away all of them. False: there is none.
bool undoPaint(UiModel& model);
bool clearPaint(UiModel& model);

}  // namespace clothlab::app::model
