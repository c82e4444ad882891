#include <fmt/format.h>
#include <imgui_internal.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "widgets/plot_drawing.hpp"
#include "widgets/plot_text.hpp"

// What the user does to a plot: zoom, pan, hidden curves, its menu.
namespace clothlab::app::widgets {
namespace {

constexpr double kNotch = 0.8;   // of the range, by a notch of the wheel
constexpr double kLeast = 1e-9;  // of the range, after all zooming

constexpr std::string_view kMotion = "plot.";  // what plots of the motion begin with

PlotRange moved(const Axis& axis, double from, double to) { return {axis.value(from), axis.value(to)}; }

}  // namespace

/// The wheel is the plot's, unless it scrolls what the plot stands in: then with Ctrl.
PlotDrawing::Item PlotDrawing::item() const {
    Item item{ImGui::IsItemHovered(), ImGui::IsItemActive(), false};
    item.takesWheel = spec_.views && item.hovered && (ImGui::GetScrollMaxY() <= 0 || ImGui::GetIO().KeyCtrl);
    if (item.takesWheel) ImGui::SetItemUsingMouseWheel();
    return item;
}

bool PlotDrawing::isHidden(std::size_t curve) const {
    return spec_.views && spec_.views->hidden(id_, curves_[curve].name);
}

void PlotDrawing::applyViews() {
    if (!spec_.views) return;
    xAxis_ = spec_.xAxis.empty() ? PlotViews::xOf(id_) : std::string(spec_.xAxis);
    yAxis_ = PlotViews::yOf(id_);
    whole_ = spec_.xWhole.value_or(PlotRange{spec_.xMin, spec_.xMax});
    usual_ = {spec_.xMin, spec_.xMax};
    xShown_ = spec_.views->shown(xAxis_);
    if (xShown_ && (xShown_->min >= whole_.max || xShown_->max <= whole_.min)) {  // another motion, another solve
        spec_.views->show(xAxis_, {});
        xShown_.reset();
    }
    yShown_ = spec_.views->shown(yAxis_);
    if (xShown_) {
        xShown_ = {std::max(xShown_->min, whole_.min), std::min(xShown_->max, whole_.max)};
        spec_.xMin = xShown_->min, spec_.xMax = xShown_->max;
    }
    std::size_t hidden = 0;
    for (std::size_t c = 0; c < curves_.size(); ++c) hidden += isHidden(c);
    allHidden_ = hidden > 0 && hidden == curves_.size();
    if (hidden == 0) return;
    kept_.assign(curves_.begin(), curves_.end());
    for (const PlotCurve& curve : kept_) zeros_.resize(std::max(zeros_.size(), curve.x.size()), 0);
    for (std::size_t c = 0; c < kept_.size(); ++c) {
        if (!isHidden(c)) continue;
        if (spec_.stacked)
            kept_[c].y = std::span(zeros_).first(kept_[c].x.size());
        else
            kept_[c].x = kept_[c].y = {}, kept_[c].lost = {}, kept_[c].labels = {};
    }
    curves_ = kept_;
}

void PlotDrawing::showX(const PlotRange& range) {
    if (range.min <= whole_.min && range.max >= whole_.max) return showAll();
    spec_.views->show(xAxis_, PlotRange{std::max(range.min, whole_.min), std::min(range.max, whole_.max)});
}

/// Farther out than what it shows by itself there is nothing.
void PlotDrawing::showY(const PlotRange& range) {
    const bool all = range.min <= yWhole_.min && range.max >= yWhole_.max;
    spec_.views->show(yAxis_, all ? std::nullopt : std::optional(range));
}

/// About the pointer. A turn of the wheel that would go too near goes as near as it may.
void PlotDrawing::zoom(float notches, ImVec2 mouse) {
    double factor = std::pow(kNotch, notches);
    const auto about = [&](const Axis& axis, double at, double least) {
        const double span = axis.max - axis.min;
        if (factor < 1 && !axis.logarithmic) factor = std::min(1.0, std::max(factor, least / span));
        return moved(axis, at * (1 - factor), at + (1 - at) * factor);
    };
    if (ImGui::GetIO().KeyShift) {
        const double size = std::max(std::abs(y_.min), std::abs(y_.max));
        const PlotRange range = about(y_, (max_.y - mouse.y) / (max_.y - min_.y), kLeast * size);
        if (range.max - range.min >= kLeast * size && std::isfinite(range.max)) showY(range);
        return;
    }
    const double least = spec_.integerX ? 4 : kLeast * std::max(std::abs(whole_.min), std::abs(whole_.max));
    const PlotRange range = about(x_, (mouse.x - min_.x) / (max_.x - min_.x), least);
    if (range.max - range.min >= least) showX(range);
}

/// As far as there is something; the y axis goes along once it was zoomed.
void PlotDrawing::pan(ImVec2 by) {
    if (by.x == 0 && by.y == 0) return;
    const double low = x_.position(whole_.min), high = x_.position(whole_.max);
    const double shift = std::clamp(-double(by.x) / (max_.x - min_.x), std::min(low, 0.0), std::max(high - 1, 0.0));
    if (shift != 0) showX(moved(x_, shift, 1 + shift));
    if (!yShown_) return;
    const double up = double(by.y) / (max_.y - min_.y);
    spec_.views->show(yAxis_, moved(y_, up, 1 + up));
}

/// All there is, of a plot that shows a part by itself: as it grows, too. The next time what it shows by itself.
void PlotDrawing::showAll() {
    const bool part = usual_.min > whole_.min || usual_.max < whole_.max;
    const PlotRange all{-std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};
    spec_.views->show(xAxis_, part && !(showsAll() && !yShown_) ? std::optional(all) : std::nullopt);
    spec_.views->show(yAxis_, {});
}

void PlotDrawing::handle(const Item& item) {
    const ImGuiIO& io = ImGui::GetIO();
    const bool within = item.hovered && inside(io.MousePos);
    if (within && any_) {
        if (item.takesWheel && io.MouseWheel != 0) zoom(io.MouseWheel, io.MousePos);
        if (ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) showAll();
    }
    if (item.active && any_ && ImGui::IsMouseDragging(ImGuiMouseButton_Left) &&
        inside(io.MouseClickedPos[ImGuiMouseButton_Left]))
        pan(io.MouseDelta);
    handleLegend(item);
    menu(item);
}

void PlotDrawing::menu(const Item& item) {
    const std::string popup = id_ + "/menu";
    if (item.hovered && ImGui::IsMouseClicked(ImGuiMouseButton_Right)) ImGui::OpenPopup(popup.c_str());
    if (!ImGui::BeginPopup(popup.c_str())) return;
    const auto entry = [&](const char* key, const char* words, const char* shortcut, bool enabled) {
        const bool chosen = ImGui::MenuItem(words, shortcut, false, enabled);
        layout_.markLast(popup + "/" + key);
        return chosen;
    };
    const bool part = usual_.min > whole_.min || usual_.max < whole_.max, back = showsAll() && !yShown_;
    if (entry("all", back ? "Show the usual part" : "Show all", "double click", xShown_ || yShown_ || part)) showAll();
    ImGui::Separator();
    const auto csv = [&] { return plotCsv(spec_, curves_); };
    if (entry("copy", "Copy as CSV", nullptr, any_)) ImGui::SetClipboardText(csv().c_str());
    std::string name = id_.starts_with(kMotion) ? id_.substr(kMotion.size()) : id_;
    std::ranges::replace(name, '.', '-');
    if (entry("csv", "Save as CSV", nullptr, any_)) spec_.views->ask({name, ".csv", csv()});
    if (entry("svg", "Save as SVG", nullptr, any_)) spec_.views->ask({name, ".svg", plotSvg(spec_, curves_, theme_)});
    constexpr int kMenuCloses = 2;  // frames
    if (entry("png", "Save as PNG", nullptr, any_))
        spec_.views->ask({name, ".png", {}, outerMin_, outerMax_, kMenuCloses});
    ImGui::EndPopup();
}

/// That this is a part, and the way back, for who points at it; else the colour of the axis' name says it.
void PlotDrawing::drawViewWords() {
    if (!xShown_ && !yShown_) return;
    const char* words = showsAll() && !yShown_ ? "all · double click: the usual part" : "zoomed · double click: all";
    const ImVec2 size = ImGui::CalcTextSize(words), at{max_.x - size.x - theme_.px(5), max_.y - size.y - theme_.px(2)};
    if (size.x > max_.x - min_.x) return;
    pen_.box(at, {at.x + size.x, at.y + size.y}, withAlpha(theme_.colors.plotGround, 215));
    pen_.words(at, theme_.colors.quiet, words);
}

}  // namespace clothlab::app::widgets
