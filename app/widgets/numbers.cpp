#include "widgets/numbers.hpp"

#include <algorithm>
#include <cmath>

namespace clothlab::app::widgets {
namespace {

constexpr double kZeroStop = 0.03;  // share of a logarithmic slider that means zero
constexpr double kZeroDecades = 5;  // decades it has when the range starts at zero

double roundToDigits(double value, int digits) {
    if (value == 0) return 0;
    const double unit = std::pow(10.0, std::floor(std::log10(std::abs(value))) - (digits - 1));
    return unit >= 1 ? std::round(value / unit) * unit : std::round(value / unit) / std::round(1 / unit);
}

std::string replaceAll(std::string_view text, std::string_view from, std::string_view to) {
    std::string all;
    for (std::size_t at = text.find(from); at != std::string_view::npos; at = text.find(from)) {
        all.append(text.substr(0, at)).append(to);
        text.remove_prefix(at + from.size());
    }
    return all.append(text);
}

}  // namespace

double displayScale(const FieldMeta& meta) { return meta.display.unit.empty() ? 1.0 : meta.display.scale; }

std::string displayUnit(const FieldMeta& meta) {
    const std::string_view unit = meta.display.unit.empty() ? meta.unit : meta.display.unit;
    return replaceAll(replaceAll(unit, "^2", "²"), "^3", "³");
}

std::string formatValue(const FieldMeta& meta, double stored, int digits) {
    if (stored == 0 && !meta.autoWord.empty()) return std::string(meta.autoWord);
    const std::string unit = displayUnit(meta);
    return formatNumber(stored * displayScale(meta), digits) + (unit.empty() ? "" : " " + unit);
}

std::string fieldText(const Field& field, bool withUnit) {
    const auto number = [&](double value) {
        const bool word = value == 0 && !field.meta.autoWord.empty();
        return withUnit || word ? formatValue(field.meta, value) : formatNumber(value * displayScale(field.meta));
    };
    if (const auto* d = std::get_if<double*>(&field.ref)) return number(**d);
    if (const auto* i = std::get_if<int*>(&field.ref)) return number(**i);
    if (const auto* e = std::get_if<EnumRef>(&field.ref))
        for (const EnumEntry& entry : e->table)
            if (entry.value == e->value()) return std::string(entry.label);
    if (const auto* v = std::get_if<Vec3*>(&field.ref))
        return fmt::format("[{}, {}, {}]", formatNumber((*v)->x()), formatNumber((*v)->y()), formatNumber((*v)->z()));
    return valueText(field.ref);
}

std::string rangeText(const FieldMeta& meta) {
    if (meta.min <= -1e299 || meta.max >= 1e299) return {};
    const std::string unit = displayUnit(meta), low = formatNumber(meta.min * displayScale(meta));
    return low + " .. " + formatNumber(meta.max * displayScale(meta)) + (unit.empty() ? "" : " " + unit);
}

SliderScale SliderScale::of(const FieldMeta& meta, bool integer) {
    SliderScale scale{meta.sliderMin, meta.sliderMax, meta.logarithmic, integer};
    if (scale.min == scale.max) {
        scale.min = meta.min;
        scale.max = meta.max;
    }
    return scale;
}

double SliderScale::position(double value) const {
    if (!logarithmic) return std::clamp((value - min) / (max - min), 0.0, 1.0);
    const bool fromZero = min <= 0;
    const double low = fromZero ? max * std::pow(10.0, -kZeroDecades) : min;
    const double start = fromZero ? kZeroStop : 0;
    if (value <= low) return fromZero && value > 0 ? start : 0;
    return std::clamp(start + (1 - start) * std::log(value / low) / std::log(max / low), 0.0, 1.0);
}

double SliderScale::value(double position) const {
    position = std::clamp(position, 0.0, 1.0);
    double v;
    if (!logarithmic) {
        const double range = max - min;
        const double step = integer ? 1 : std::pow(10.0, std::floor(std::log10(range) + 1e-9) - 2);
        const double steps = std::round((min + position * range) / step);
        v = step >= 1 ? steps * step : steps / std::round(1 / step);
    } else {
        const bool fromZero = min <= 0;
        const double low = fromZero ? max * std::pow(10.0, -kZeroDecades) : min;
        const double start = fromZero ? kZeroStop : 0;
        if (fromZero && position < start) return 0;
        v = roundToDigits(low * std::pow(max / low, (position - start) / (1 - start)), 2);
    }
    return std::clamp(integer ? std::round(v) : v, min, max);
}

double keyStepped(const FieldMeta& meta, bool integer, double value, int direction, KeyStep step) {
    constexpr double kNearly = 1e-6;
    const SliderScale scale = SliderScale::of(meta, integer);
    const double factor = step == KeyStep::Coarse ? 10 : step == KeyStep::Fine ? 0.1 : 1;
    const double low = scale.min > 0 ? scale.min : scale.max * std::pow(10.0, -kZeroDecades);
    double unit;
    if (scale.logarithmic) {
        const double size = value > 0 ? value : low;
        double decade = std::pow(10.0, std::floor(std::log10(size) + kNearly));
        if (direction < 0 && size <= decade * (1 + kNearly)) decade /= 10;
        unit = 0.1 * decade * factor;
    } else {
        unit = std::pow(10.0, std::round(std::log10((scale.max - scale.min) / 100))) * factor;
    }
    if (integer) unit = std::max(1.0, std::round(unit));
    const double steps = direction > 0 ? std::floor(value / unit + kNearly) + 1 : std::ceil(value / unit - kNearly) - 1;
    double next = unit >= 1 ? steps * unit : steps / std::round(1 / unit);
    if (scale.logarithmic && scale.min <= 0) {  // zero has no second digit
        if (direction > 0 && value <= 0) next = low;
        if (direction < 0 && next < low * (1 - kNearly)) next = 0;
    }
    return std::clamp(next, meta.min, meta.max);
}

}  // namespace clothlab::app::widgets
