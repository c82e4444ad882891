#pragma once

#include <span>

#include "base/fields.hpp"
#include "integrators/state/pin.hpp"

namespace clothlab::app::model {

/// The constraint of a new pin: to a point, a line along an axis, or a plane with an axis as its normal.
enum class PinKind : int { Point, LineX, LineY, LineZ, PlaneX, PlaneY, PlaneZ };
std::span<const EnumEntry> enumTable(PinKind);
integrators::PinHold toPinHold(PinKind kind);

/// How Ctrl + click pins.
struct PinTool {
    PinKind kind = PinKind::Point;
    Vec3 velocity = Vec3::Zero();  ///< m/s, of the pin once it is set
};

void describe(PinTool& tool, FieldList& list);

}  // namespace clothlab::app::model
