#include "widgets/pen.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace clothlab::app::widgets {
namespace {

/// "fill" or "stroke" with its colour and, where it is not whole, its opacity.
std::string paint(std::string_view what, ImU32 color) {
    const unsigned r = color & 0xff, g = (color >> 8) & 0xff, b = (color >> 16) & 0xff, a = color >> 24;
    std::string text = fmt::format(" {}=\"#{:02x}{:02x}{:02x}\"", what, r, g, b);
    if (a < 255) text += fmt::format(" {}-opacity=\"{:.3g}\"", what, a / 255.0);
    return text;
}

constexpr float kEm = 0.826f;  // of Inter, over the height of its lines, by which ImGui counts

std::string pointList(std::span<const ImVec2> points) {
    std::string text;
    for (const ImVec2 p : points) fmt::format_to(std::back_inserter(text), "{:.2f},{:.2f} ", p.x, p.y);
    if (!text.empty()) text.pop_back();
    return text;
}

std::string escaped(std::string_view text) {
    std::string out;
    for (const char c : text) out += c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '>' ? "&gt;" : std::string(1, c);
    return out;
}

}  // namespace

void Pen::line(ImVec2 from, ImVec2 to, ImU32 color, float width) const {
    list_->AddLine(from, to, color, width);
    if (!svg_) return;
    const ImVec2 ends[] = {from, to};
    svgPath(ends, color, width, {});
}

void Pen::box(ImVec2 min, ImVec2 max, ImU32 color, float rounding) const {
    list_->AddRectFilled(min, max, color, rounding);
    if (!svg_) return;
    *svg_ += fmt::format("<rect x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\" rx=\"{:.2f}\"{}/>\n",
                         min.x, min.y, std::max(0.0f, max.x - min.x), std::max(0.0f, max.y - min.y), rounding,
                         paint("fill", color));
}

void Pen::disc(ImVec2 center, float r, ImU32 color) const {
    list_->AddCircleFilled(center, r, color, 16);
    if (svg_)
        *svg_ += fmt::format("<circle cx=\"{:.2f}\" cy=\"{:.2f}\" r=\"{:.2f}\"{}/>\n", center.x, center.y, r,
                             paint("fill", color));
}

void Pen::ring(ImVec2 center, float r, ImU32 color, float width) const {
    list_->AddCircle(center, r, color, 16, width);
    if (svg_)
        *svg_ +=
            fmt::format("<circle cx=\"{:.2f}\" cy=\"{:.2f}\" r=\"{:.2f}\" fill=\"none\" stroke-width=\"{:.2f}\"{}/>\n",
                        center.x, center.y, r, width, paint("stroke", color));
}

void Pen::polygon(std::span<const ImVec2> corners, ImU32 color, bool smooth) const {
    const ImDrawListFlags flags = list_->Flags;
    if (!smooth) list_->Flags &= ~ImDrawListFlags_AntiAliasedFill;
    list_->AddConvexPolyFilled(corners.data(), int(corners.size()), color);
    list_->Flags = flags;
    if (svg_)
        *svg_ += fmt::format("<polygon points=\"{}\"{}{}/>\n", pointList(corners), paint("fill", color),
                             smooth ? "" : " shape-rendering=\"crispEdges\"");
}

void Pen::words(ImVec2 at, ImU32 color, const std::string& text, bool strong) const {
    list_->AddText(at, color, text.c_str());
    if (!svg_ || text.empty()) return;
    const ImFont* font = ImGui::GetFont();
    *svg_ +=
        fmt::format("<text x=\"{:.2f}\" y=\"{:.2f}\" font-size=\"{:.2f}\"{}{}>{}</text>\n", at.x, at.y + font->Ascent,
                    kEm * font->FontSize, strong ? " font-weight=\"600\"" : "", paint("fill", color), escaped(text));
}

void Pen::clip(ImVec2 min, ImVec2 max) const {
    list_->PushClipRect(min, max, true);
    if (svg_)  // the length of the text so far: a name that no other has
        *svg_ += fmt::format(
            "<clipPath id=\"clip{0}\"><rect x=\"{1:.2f}\" y=\"{2:.2f}\" width=\"{3:.2f}\" "
            "height=\"{4:.2f}\"/></clipPath>\n"
            "<g clip-path=\"url(#clip{0})\">\n",
            svg_->size(), min.x, min.y, max.x - min.x, max.y - min.y);
}

void Pen::unclip() const {
    list_->PopClipRect();
    if (svg_) *svg_ += "</g>\n";
}

void Pen::svgPath(std::span<const ImVec2> points, ImU32 color, float width, std::span<const float> dashes) const {
    if (!svg_) return;
    *svg_ +=
        fmt::format("<polyline points=\"{}\" fill=\"none\" stroke-width=\"{:.2f}\" stroke-linejoin=\"round\"{}{}/>\n",
                    pointList(points), width, paint("stroke", color),
                    dashes.empty() ? "" : fmt::format(" stroke-dasharray=\"{:.2f}\"", fmt::join(dashes, " ")));
}

std::string svgDocument(std::string_view elements, ImVec2 min, ImVec2 size, float scale, ImU32 ground) {
    return fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{:.2f}\" height=\"{:.2f}\" viewBox=\"{:.2f} {:.2f} {:.2f} "
        "{:.2f}\" font-family=\"Inter, 'Helvetica Neue', Arial, sans-serif\">\n"
        "<rect x=\"{:.2f}\" y=\"{:.2f}\" width=\"100%\" height=\"100%\"{}/>\n{}</svg>\n",
        size.x / scale, size.y / scale, min.x, min.y, size.x, size.y, min.x, min.y, paint("fill", ground), elements);
}

}  // namespace clothlab::app::widgets
