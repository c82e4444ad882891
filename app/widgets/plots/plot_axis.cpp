#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "widgets/numbers.hpp"
#include "widgets/plots/plot.hpp"

namespace clothlab::app::widgets {
namespace {

/// The length of an axis, the number after its last one, and where a value lies on it are finite up to here.
constexpr double kLargest = 1e306;

bool isDecade(double value) { return std::abs(std::log10(value) - std::round(std::log10(value))) < 1e-6; }

double roundStep(double range, int ticks) {
    const double raw = range / std::max(1, ticks);
    const double power = std::pow(10.0, std::floor(std::log10(raw)));
    for (const double factor : {1.0, 2.0, 5.0})
        if (factor * power >= raw * (1 - 1e-9)) return factor * power;
    return 10 * power;
}

}  // namespace

double Axis::position(double value) const {
    if (!logarithmic) return (std::clamp(value, -10 * kLargest, 10 * kLargest) - min) / (max - min);
    return std::log(std::max(value, min * 1e-3) / min) / std::log(max / min);
}

double Axis::value(double position) const {
    return logarithmic ? min * std::pow(max / min, position) : min + position * (max - min);
}

Axis linearAxis(double low, double high, int ticks, bool fromZero) {
    if (!std::isfinite(low) || !std::isfinite(high)) low = 0, high = 1;
    low = std::clamp(low, -kLargest, kLargest);
    high = std::clamp(high, -kLargest, kLargest);
    if (fromZero) low = std::min(low, 0.0);
    if (fromZero && high <= 0) high = 1;
    if (high - low < 1e-12 * std::max(1.0, std::abs(high))) {
        const double half = high == 0 ? 1 : std::max(1e-9, std::abs(high) * 0.1);
        if (!fromZero && high != 0) low -= half;
        high += half;
    }
    Axis axis;
    const double step = roundStep(high - low, ticks);
    axis.min = std::floor(low / step + 1e-9) * step;
    axis.max = std::ceil(high / step - 1e-9) * step;
    if (fromZero && high > 0.99 * axis.max) axis.max += step;  // no level curve lies on the frame
    const int count = int(std::lround((axis.max - axis.min) / step));
    for (int i = 0; i <= count; ++i) axis.ticks.push_back(axis.min + i * step);
    return axis;
}

Axis logAxis(double low, double high, int ticks) {
    if (!(high > 0) || !std::isfinite(high)) high = 1;
    if (!(low > 0) || !std::isfinite(low)) low = high * 1e-3;
    low = std::max(low, high * 1e-18);
    int first = int(std::floor(std::log10(low) + 1e-9));
    int last = int(std::ceil(std::log10(high) - 1e-9));
    if (last <= first) last = first + 1;
    const int stride = std::max(1, (last - first + ticks - 1) / std::max(1, ticks));
    Axis axis{std::pow(10.0, first), std::pow(10.0, last), true, {}};
    for (int e = first; e <= last; e += stride) axis.ticks.push_back(std::pow(10.0, e));
    return axis;
}

Axis fineLogAxis(double low, double high, int ticks) {
    if (!(high > 0) || !std::isfinite(high)) high = 1;
    if (!(low > 0) || !std::isfinite(low)) low = high * 1e-3;
    std::vector<double> round;  // those around the values, too
    for (int e = int(std::floor(std::log10(low))) - 1; e <= std::log10(high) + 1; ++e)
        for (const double factor : {1.0, 2.0, 5.0}) round.push_back(factor * std::pow(10.0, e));
    constexpr double kRounding = 1e-9;
    std::size_t first = 0, last = round.size() - 1;
    while (first + 1 < round.size() && round[first + 1] <= low * (1 + kRounding)) ++first;
    while (last > first + 1 && round[last - 1] >= high * (1 - kRounding)) --last;
    if (last - first >= std::size_t(std::max(2, ticks))) {
        Axis axis{round[first], round[last], true, {}};  // its decades, and no empty part of one
        const int from = int(std::ceil(std::log10(axis.min) - kRounding)),
                  to = int(std::floor(std::log10(axis.max) + kRounding));
        const int stride = std::max(1, (to - from + ticks) / std::max(1, ticks));
        for (int e = from; e <= to; e += stride) axis.ticks.push_back(std::pow(10.0, e));
        if (axis.ticks.size() < 2) axis.ticks = {axis.min, axis.max};  // no room for what lies between them
        return axis;
    }
    return {round[first],
            round[last],
            true,
            {round.begin() + std::ptrdiff_t(first), round.begin() + std::ptrdiff_t(last) + 1}};
}

Axis chosenAxis(const PlotRange& range, int ticks, bool logarithmic) {
    Axis axis = logarithmic ? fineLogAxis(range.min, range.max, ticks) : fixedAxis(range.min, range.max, ticks, false);
    axis.min = range.min;
    axis.max = range.max;
    std::erase_if(axis.ticks, [&](double tick) { return tick < range.min || tick > range.max; });
    if (axis.ticks.size() < 2) axis.ticks = fixedAxis(range.min, range.max, ticks, false).ticks;
    return axis;
}

Axis fixedAxis(double low, double high, int ticks, bool integer) {
    Axis axis{low, high > low ? high : low + 1, false, {}};
    double step = roundStep(axis.max - axis.min, ticks);
    if (integer) step = std::max(1.0, std::round(step));
    for (double tick = std::ceil(low / step - 1e-9) * step; tick <= axis.max * (1 + 1e-12) + 1e-12; tick += step)
        axis.ticks.push_back(tick);
    return axis;
}

std::string tickLabel(const Axis& axis, double tick) {
    if (axis.logarithmic) {
        if (!std::all_of(axis.ticks.begin(), axis.ticks.end(), isDecade)) return formatNumber(tick, 3);
        const int exponent = int(std::lround(std::log10(tick)));
        return exponent == 0 ? "1" : exponent == 1 ? "10" : exponent == 2 ? "100" : fmt::format("1e{}", exponent);
    }
    const double step = axis.ticks.size() > 1 ? axis.ticks[1] - axis.ticks[0] : std::abs(tick);
    if (std::abs(tick) < step * 1e-6) return "0";
    if (step < 1e-3 || std::abs(tick) >= 1e6) {  // as many digits as tell it from the next one
        const double most = std::max(std::abs(axis.ticks.front()), std::abs(axis.ticks.back()));
        return formatNumber(tick, std::clamp(int(std::ceil(std::log10(most / step) - 1e-9)) + 1, 3, 12));
    }
    int decimals = std::max(0, int(-std::floor(std::log10(step) + 1e-9)));
    const double unit = std::pow(10.0, decimals);
    if (std::abs(std::round(tick * unit) / unit - tick) > 1e-3 * step) ++decimals;  // every other of 0.05, 0.10, 0.15
    return decimals == 0 ? formatNumber(std::round(tick), 7) : fmt::format("{:.{}f}", tick, decimals);
}

namespace {

std::vector<TickLabel> makeTickLabels(const Axis& axis, const TickRoom& room,
                                      const std::function<float(const std::string&)>& extent) {
    std::vector<TickLabel> labels;
    for (const double tick : axis.ticks) {
        std::string text = tickLabel(axis, tick);
        const float size = extent(text), at = float(axis.position(tick)) * room.length;
        if (at < -1 || at > room.length + 1) continue;
        const float from = std::max(room.low, std::min(at - size / 2, room.high - size));
        labels.push_back({tick, std::move(text), from, from + size});
    }
    return labels;
}

bool overlap(const std::vector<TickLabel>& labels, float gap) {
    for (std::size_t i = 1; i < labels.size(); ++i)
        if (labels[i].from < labels[i - 1].to + gap) return true;
    return false;
}

/// Every n-th of them, and zero where it is one of them.
std::vector<double> everyNth(const std::vector<double>& ticks, std::size_t n) {
    const double scale = ticks.empty() ? 0 : std::max(std::abs(ticks.front()), std::abs(ticks.back()));
    const auto zero = std::ranges::find_if(ticks, [&](double t) { return std::abs(t) <= 1e-9 * scale; });
    const std::size_t anchor = zero == ticks.end() ? 0 : std::size_t(zero - ticks.begin()) % n;
    std::vector<double> kept;
    for (std::size_t i = anchor; i < ticks.size(); i += n) kept.push_back(ticks[i]);
    return kept;
}

}  // namespace

std::vector<TickLabel> placeLabels(Axis& axis, const TickRoom& room,
                                   const std::function<float(const std::string&)>& extent) {
    auto labels = makeTickLabels(axis, room, extent);
    if (!overlap(labels, room.gap)) return labels;
    std::vector<double> all = axis.ticks;
    if (axis.logarithmic) {  // decades first: they are what one counts
        std::vector<double> decades;
        std::ranges::copy_if(all, std::back_inserter(decades), isDecade);
        if (decades.size() > 1) all = decades;
    }
    for (std::size_t n = 1; n <= all.size(); ++n) {
        axis.ticks = everyNth(all, n);
        labels = makeTickLabels(axis, room, extent);
        if (!overlap(labels, room.gap) && labels.size() > 1) return labels;
    }
    axis.ticks = {all.front(), all.back()};
    labels = makeTickLabels(axis, room, extent);
    if (!overlap(labels, room.gap)) return labels;
    axis.ticks = {all.back()};
    return makeTickLabels(axis, room, extent);
}

int nearestSample(std::span<const double> x, double wanted) {
    if (x.empty()) return -1;
    const auto after = std::lower_bound(x.begin(), x.end(), wanted);
    if (after == x.begin()) return 0;
    if (after == x.end()) return int(x.size()) - 1;
    return int((*after - wanted < wanted - *(after - 1) ? after : after - 1) - x.begin());
}

}  // namespace clothlab::app::widgets
