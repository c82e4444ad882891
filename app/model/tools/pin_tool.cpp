#include "model/tools/pin_tool.hpp"

#include <array>

namespace clothlab::app::model {
namespace {

constexpr std::array kPinKinds{
    EnumEntry{int(PinKind::Point), "point", "a point", "The particle stays where it is: no direction is free."},
    EnumEntry{int(PinKind::LineX), "line-x", "a line along x", "The particle slides along x, as a ring on a rail."},
    EnumEntry{int(PinKind::LineY), "line-y", "a line along y", "The particle slides up and down."},
    EnumEntry{int(PinKind::LineZ), "line-z", "a line along z", "The particle slides along z."},
    EnumEntry{int(PinKind::PlaneX), "plane-x", "a plane across x",
              "The particle slides on an upright plane: x is fixed."},
    EnumEntry{int(PinKind::PlaneY), "plane-y", "a level plane", "The particle slides on a level plane: y is fixed."},
    EnumEntry{int(PinKind::PlaneZ), "plane-z", "a plane across z",
              "The particle slides on an upright plane: z is fixed."},
};

}  // namespace

std::span<const EnumEntry> enumTable(PinKind) { return kPinKinds; }

integrators::PinHold toPinHold(PinKind kind) {
    if (kind == PinKind::Point) return integrators::PinHold::point();
    const bool line = kind < PinKind::PlaneX;
    const Vec3 axis = Vec3::Unit(int(kind) - int(line ? PinKind::LineX : PinKind::PlaneX));
    return line ? integrators::PinHold::line(axis) : integrators::PinHold::plane(axis);
}

void describe(PinTool& tool, FieldList& list) {
    list.add(
        "pin.kind", tool.kind,
        {.label = "new pins hold",
         .help = "What Ctrl + click pins a particle to. Ctrl + right click on a particle chooses for that one, and "
                 "changes a pin."});
    list.add(
        "pin.velocity", tool.velocity,
        {.label = "velocity of new pins",
         .unit = "m/s",
         .min = -10,
         .max = 10,
         .sliderMin = -1,
         .sliderMax = 1,
         .help = "Velocity that carries a new pin, point, line or plane, from the moment at which it is set. After a "
                 "restart it moves at that time again."});
}

}  // namespace clothlab::app::model
