#pragma once

#include <string>

#include "base/fields.hpp"
#include "base/number_text.hpp"

namespace clothlab::app::widgets {

using clothlab::formatNumber;
/// The number as a field shows it, with its display unit: "10 ms", "6,000 N/m", "auto".
std::string formatValue(const FieldMeta& meta, double stored, int digits = 4);
/// The value of any field as the screen shows it: "10 ms", "Block Jacobi", "true"; or without the unit.
std::string fieldText(const Field& field, bool withUnit = true);
/// Unit that the screen shows; m^2 and m^3 get their raised digits.
std::string displayUnit(const FieldMeta& meta);
double displayScale(const FieldMeta& meta);
/// "0.1 .. 50 ms"
std::string rangeText(const FieldMeta& meta);

/// The slider's range in stored units, and the map between values and positions (0..1). A logarithmic scale that starts
/// at zero has a short stop for zero at its left end.
struct SliderScale {
    double min = 0, max = 1;
    bool logarithmic = false;
    bool integer = false;

    static SliderScale of(const FieldMeta& meta, bool integer);
    double position(double value) const;
    /// Rounded to what a hand can aim at: two digits on a logarithmic scale, a hundredth of the range else.
    double value(double position) const;
};

enum class KeyStep : unsigned char { Usual, Coarse, Fine };
/// The value after an arrow key, `direction` being 1 or -1: the next round one, about a hundredth of a linear range
/// away, on a logarithmic scale the next second digit; coarse steps are ten times as large, fine ones a tenth. Within
/// the valid range, which may be wider than the slider's.
double keyStepped(const FieldMeta& meta, bool integer, double value, int direction, KeyStep step);

}  // namespace clothlab::app::widgets
