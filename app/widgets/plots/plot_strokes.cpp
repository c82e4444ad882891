#include "widgets/plots/plot_strokes.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace clothlab::app::widgets {
namespace {

/// Points of line and gap, by turns.
std::span<const float> dashPattern(Dash dash) {
    static constexpr std::array kDashed{6.0f, 3.5f}, kDotted{1.8f, 2.6f};
    static constexpr std::array kDashDot{7.0f, 2.6f, 1.8f, 2.6f};
    switch (dash) {
        case Dash::Solid:
            return {};
        case Dash::Dashed:
            return kDashed;
        case Dash::Dotted:
            return kDotted;
        case Dash::DashDot:
            return kDashDot;
    }
    return {};
}

float computeLength(ImVec2 from, ImVec2 to) { return std::hypot(to.x - from.x, to.y - from.y); }

bool turnsSharply(ImVec2 a, ImVec2 b, ImVec2 c) {
    constexpr float kCosine = 0.7f;
    const float ab = computeLength(a, b), bc = computeLength(b, c);
    return ab > 1 && bc > 1 && (b.x - a.x) * (c.x - b.x) + (b.y - a.y) * (c.y - b.y) < kCosine * ab * bc;
}

void strokeSolid(ImDrawList& draw, std::span<const ImVec2> points, const Stroke& stroke) {
    for (std::size_t i = 1; i < points.size(); ++i) {
        draw.AddLine(points[i - 1], points[i], stroke.color, stroke.width);
        if (i + 1 < points.size() && turnsSharply(points[i - 1], points[i], points[i + 1]))
            draw.AddCircleFilled(points[i], stroke.width / 2, stroke.color, 6);
    }
}

}  // namespace

void thinToColumns(std::vector<ImVec2>& points) {
    std::size_t out = 0;
    for (std::size_t begin = 0; begin < points.size();) {
        std::size_t end = begin + 1, low = begin, high = begin;
        for (; end < points.size() && std::floor(points[end].x) == std::floor(points[begin].x); ++end) {
            if (points[end].y > points[low].y) low = end;
            if (points[end].y < points[high].y) high = end;
        }
        std::array<std::size_t, 4> kept{begin, std::min(low, high), std::max(low, high), end - 1};
        for (std::size_t k = 0; k < kept.size(); ++k)
            if (k == 0 || kept[k] != kept[k - 1]) points[out++] = points[kept[k]];
        begin = end;
    }
    points.resize(out);
}

void strokeLine(const Pen& pen, std::span<const ImVec2> points, const Stroke& stroke) {
    ImDrawList& draw = pen.list();
    const std::span<const float> pattern = dashPattern(stroke.dash);
    if (points.size() == 1) pen.disc(points[0], stroke.width, stroke.color);
    std::vector<float> dashes;
    for (const float length : pattern) dashes.push_back(length * stroke.scale);
    if (points.size() > 1) pen.svgPath(points, stroke.color, stroke.width, dashes);
    if (pattern.empty()) return strokeSolid(draw, points, stroke);
    std::size_t part = 0;  // of the pattern; even: a line
    float left = pattern[0] * stroke.scale;
    std::vector<ImVec2> piece;
    for (std::size_t i = 0; i + 1 < points.size(); ++i) {
        ImVec2 at = points[i];
        const ImVec2 to = points[i + 1];
        if (part % 2 == 0) piece.push_back(at);
        for (float rest = computeLength(at, to); rest > 0;) {
            const float go = std::min(left, rest);
            at = {at.x + (to.x - at.x) * go / rest, at.y + (to.y - at.y) * go / rest};
            rest -= go;
            left -= go;
            if (left > 0) continue;
            if (part % 2 == 0) {
                piece.push_back(at);
                strokeSolid(draw, piece, stroke);
                piece.clear();
            } else {
                piece.push_back(at);
            }
            part = (part + 1) % pattern.size();
            left = pattern[part] * stroke.scale;
        }
    }
    if (part % 2 == 0 && !points.empty()) {
        piece.push_back(points.back());
        strokeSolid(draw, piece, stroke);
    }
}

void dashedLine(const Pen& pen, ImVec2 from, ImVec2 to, ImU32 color, float dash, float width) {
    const float length = computeLength(from, to);
    if (length <= 0) return;
    const ImVec2 ends[] = {from, to};
    const float dashes[] = {dash, dash};
    pen.svgPath(ends, color, width, dashes);
    const ImVec2 d((to.x - from.x) / length, (to.y - from.y) / length);
    for (float t = 0; t < length; t += 2 * dash) {
        const float u = std::min(length, t + dash);
        pen.list().AddLine({from.x + d.x * t, from.y + d.y * t}, {from.x + d.x * u, from.y + d.y * u}, color, width);
    }
}

void cross(const Pen& pen, ImVec2 at, ImU32 color, float r, float width) {
    pen.line({at.x - r, at.y - r}, {at.x + r, at.y + r}, color, width);
    pen.line({at.x - r, at.y + r}, {at.x + r, at.y - r}, color, width);
}

void drawMark(const Pen& pen, Mark mark, ImVec2 at, ImU32 color, float r) {
    switch (mark) {
        case Mark::None:
            break;
        case Mark::Circle:
            pen.disc(at, r, color);
            break;
        case Mark::Square:
            pen.box({at.x - 0.88f * r, at.y - 0.88f * r}, {at.x + 0.88f * r, at.y + 0.88f * r}, color);
            break;
        case Mark::Up:
            pen.polygon(
                std::array<ImVec2, 3>{
                    {{at.x, at.y - 1.2f * r}, {at.x + 1.1f * r, at.y + 0.8f * r}, {at.x - 1.1f * r, at.y + 0.8f * r}}},
                color);
            break;
        case Mark::Down:
            pen.polygon(
                std::array<ImVec2, 3>{
                    {{at.x, at.y + 1.2f * r}, {at.x - 1.1f * r, at.y - 0.8f * r}, {at.x + 1.1f * r, at.y - 0.8f * r}}},
                color);
            break;
        case Mark::Diamond:
            pen.polygon(std::array<ImVec2, 4>{{{at.x, at.y - 1.25f * r},
                                               {at.x + 1.25f * r, at.y},
                                               {at.x, at.y + 1.25f * r},
                                               {at.x - 1.25f * r, at.y}}},
                        color);
            break;
        case Mark::Ring:
            pen.ring(at, 0.9f * r, color, 0.45f * r);
            break;
        case Mark::Plus:
            pen.line({at.x - 1.1f * r, at.y}, {at.x + 1.1f * r, at.y}, color, 0.6f * r);
            pen.line({at.x, at.y - 1.1f * r}, {at.x, at.y + 1.1f * r}, color, 0.6f * r);
            break;
    }
}

void drawSwatch(const Pen& pen, ImVec2 at, ImVec2 size, const Style& style, const UiTheme& theme) {
    const float middle = at.y + size.y / 2;
    const ImVec2 ends[] = {{at.x, middle}, {at.x + size.x, middle}};
    const ImU32 color = theme.ink(style.color);
    strokeLine(pen, ends, {color, size.y * 0.36f, style.dash, theme.scale});
    drawMark(pen, style.mark, {at.x + size.x / 2, middle}, color, size.y * 0.5f);
}

}  // namespace clothlab::app::widgets
