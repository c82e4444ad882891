#include "widgets/plots/plot_part.hpp"

#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace clothlab::app::widgets {
namespace {

constexpr double kNotch = 0.8;   // of the range, by a notch of the wheel
constexpr double kLeast = 1e-9;  // of the range, after all zooming

PlotRange moved(const Axis& axis, double from, double to) { return {axis.value(from), axis.value(to)}; }

}  // namespace

void PlotPart::apply(PlotFrame& frame) {
    views_ = frame.spec.views;
    if (!views_) return;
    xAxis_ = frame.spec.xAxis.empty() ? PlotViews::xAxisName(frame.id()) : std::string(frame.spec.xAxis);
    yAxis_ = PlotViews::yAxisName(frame.id());
    whole_ = frame.spec.xWhole.value_or(PlotRange{frame.spec.xMin, frame.spec.xMax});
    usual_ = {frame.spec.xMin, frame.spec.xMax};
    xShown_ = views_->shown(xAxis_);
    if (xShown_ && (xShown_->min >= whole_.max || xShown_->max <= whole_.min)) {  // another motion, another solve
        views_->show(xAxis_, {});
        xShown_.reset();
    }
    yShown_ = views_->shown(yAxis_);
    if (xShown_) {
        xShown_ = {std::max(xShown_->min, whole_.min), std::min(xShown_->max, whole_.max)};
        frame.spec.xMin = xShown_->min, frame.spec.xMax = xShown_->max;
    }
    std::size_t hidden = 0;
    for (std::size_t c = 0; c < frame.curves.size(); ++c) hidden += frame.isHidden(c);
    allHidden_ = hidden > 0 && hidden == frame.curves.size();
    if (hidden == 0) return;
    kept_.assign(frame.curves.begin(), frame.curves.end());
    for (const PlotCurve& curve : kept_) zeros_.resize(std::max(zeros_.size(), curve.x.size()), 0);
    for (std::size_t c = 0; c < kept_.size(); ++c) {
        if (!frame.isHidden(c)) continue;
        if (frame.spec.stacked)
            kept_[c].y = std::span(zeros_).first(kept_[c].x.size());
        else
            kept_[c].x = kept_[c].y = {}, kept_[c].lost = {}, kept_[c].labels = {};
    }
    frame.curves = kept_;
}

void PlotPart::showX(const PlotRange& range) {
    if (range.min <= whole_.min && range.max >= whole_.max) return showAll();
    views_->show(xAxis_, PlotRange{std::max(range.min, whole_.min), std::min(range.max, whole_.max)});
}

/// Farther out than what it shows by itself there is nothing.
void PlotPart::showY(const PlotRange& range) {
    const bool all = range.min <= yWhole_.min && range.max >= yWhole_.max;
    views_->show(yAxis_, all ? std::nullopt : std::optional(range));
}

void PlotPart::zoom(const PlotFrame& frame, float notches, ImVec2 mouse) {
    double factor = std::pow(kNotch, notches);
    const auto about = [&](const Axis& axis, double at, double least) {
        const double span = axis.max - axis.min;
        if (factor < 1 && !axis.logarithmic) factor = std::min(1.0, std::max(factor, least / span));
        return moved(axis, at * (1 - factor), at + (1 - at) * factor);
    };
    if (ImGui::GetIO().KeyShift) {
        const double size = std::max(std::abs(frame.y.min), std::abs(frame.y.max));
        const PlotRange range = about(frame.y, (frame.max.y - mouse.y) / (frame.max.y - frame.min.y), kLeast * size);
        if (range.max - range.min >= kLeast * size && std::isfinite(range.max)) showY(range);
        return;
    }
    const double least = frame.spec.integerX ? 4 : kLeast * std::max(std::abs(whole_.min), std::abs(whole_.max));
    const PlotRange range = about(frame.x, (mouse.x - frame.min.x) / (frame.max.x - frame.min.x), least);
    if (range.max - range.min >= least) showX(range);
}

void PlotPart::pan(const PlotFrame& frame, ImVec2 by) {
    if (by.x == 0 && by.y == 0) return;
    const double low = frame.x.position(whole_.min), high = frame.x.position(whole_.max);
    const double shift =
        std::clamp(-double(by.x) / (frame.max.x - frame.min.x), std::min(low, 0.0), std::max(high - 1, 0.0));
    if (shift != 0) showX(moved(frame.x, shift, 1 + shift));
    if (!yShown_) return;
    const double up = double(by.y) / (frame.max.y - frame.min.y);
    views_->show(yAxis_, moved(frame.y, up, 1 + up));
}

void PlotPart::showAll() {
    const PlotRange all{-std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};
    views_->show(xAxis_, isUsuallyPart() && !(showsAll() && !yShown_) ? std::optional(all) : std::nullopt);
    views_->show(yAxis_, {});
}

}  // namespace clothlab::app::widgets
