#include "widgets/plots/plot_annotations.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "widgets/plots/plot_strokes.hpp"
#include "widgets/widgets.hpp"

namespace clothlab::app::widgets {
namespace {

/// At the right, as far as it keeps clear of what ends at `left`; the rest of it for who points there.
void drawNote(const PlotFrame& frame, float left) {
    const PlotSpec& spec = frame.spec;
    const UiTheme& theme = frame.theme;
    const std::string whole(spec.note), note = fitted(whole, frame.outerMax.x - left);
    const ImVec2 size = ImGui::CalcTextSize(note.c_str()),
                 at{frame.outerMax.x - size.x, frame.outerMin.y + theme.px(2)}, end{at.x + size.x, at.y + size.y};
    frame.pen.words(at, theme.colors.quiet, note);
    frame.layout.mark(std::string(spec.id) + ".note", at, end);
    const bool cut = note != whole;
    if ((spec.noteHelp.empty() && !cut) || !ImGui::IsItemHovered() || !ImGui::IsMouseHoveringRect(at, end)) return;
    ImGui::BeginTooltip();
    ImGui::PushTextWrapPos(theme.px(290));
    if (cut) ImGui::TextUnformatted(whole.c_str());
    ImGui::TextUnformatted(spec.noteHelp.data(), spec.noteHelp.data() + spec.noteHelp.size());
    ImGui::PopTextWrapPos();
    ImGui::EndTooltip();
}

}  // namespace

void drawHeading(const PlotFrame& frame) {
    const PlotSpec& spec = frame.spec;
    const UiTheme& theme = frame.theme;
    const std::string title(spec.title);
    ImGui::PushFont(theme.strong);
    frame.pen.words(frame.outerMin, theme.colors.text, title, true);
    const float end = frame.outerMin.x + ImGui::CalcTextSize(title.c_str()).x;
    ImGui::PopFont();
    const std::string behind(spec.unit.empty() ? spec.measure : spec.unit);
    if (!behind.empty())
        frame.pen.words({end + theme.px(6), frame.outerMin.y + theme.px(2)}, theme.colors.quiet, behind);
    if (!spec.note.empty()) drawNote(frame, end + theme.px(12) + ImGui::CalcTextSize(behind.c_str()).x);
}

void drawLevels(const PlotFrame& frame) {
    const PlotSpec& spec = frame.spec;
    const UiTheme& theme = frame.theme;
    if (spec.threshold && frame.any) {
        const float y = frame.py(*spec.threshold);
        dashedLine(frame.pen, {frame.min.x, y}, {frame.max.x, y}, theme.colors.quiet, theme.px(4), theme.px(1));
        const std::string name(spec.thresholdName);
        const ImVec2 size = ImGui::CalcTextSize(name.c_str());
        const bool below = y + size.y < frame.max.y;  // at the left, under the level: curves come down to it from above
        frame.pen.words({frame.min.x + theme.px(5), below ? y + theme.px(1) : y - size.y}, theme.colors.quiet,
                        name.c_str());
    }
    if (spec.cursor && frame.visible(*spec.cursor))
        dashedLine(frame.pen, {frame.px(*spec.cursor), frame.min.y}, {frame.px(*spec.cursor), frame.max.y},
                   theme.colors.text, theme.px(4), theme.px(1));
}

void drawNotes(const PlotFrame& frame) {
    const PlotSpec& spec = frame.spec;
    const UiTheme& theme = frame.theme;
    for (std::size_t k = 0; k < spec.notes.size(); ++k) {
        const PlotNote& note = spec.notes[k];
        if (note.to < spec.xMin || note.from > spec.xMax) continue;
        if (note.ends) {
            const ImVec2 at = frame.crossAt(note.from);
            cross(frame.pen, at, theme.ink(hue::kStress), theme.px(PlotFrame::kMark), theme.px(1.6f));
            frame.layout.words(fmt::format("{}.note/{}", spec.id, k), note.words);
            continue;
        }
        const float from = std::max(frame.px(note.from), frame.min.x), to = std::min(frame.px(note.to), frame.max.x),
                    foot = theme.px(4);
        if (to - from > 2) frame.pen.box({from, frame.min.y}, {to, frame.max.y}, withAlpha(theme.colors.pin, 28));
        frame.pen.line({from, frame.min.y}, {from, frame.max.y}, withAlpha(theme.colors.pin, 110), theme.px(1));
        const ImVec2 corners[] = {
            {from - foot, frame.max.y}, {from + foot, frame.max.y}, {from, frame.max.y - 1.6f * foot}};
        frame.pen.polygon(corners, theme.colors.pin);
        frame.layout.mark(fmt::format("{}.note/{}", spec.id, k), {from - foot, frame.max.y - 2 * foot},
                          {from + foot, frame.max.y});
        frame.layout.words(fmt::format("{}.note/{}", spec.id, k), note.words);
    }
}

void drawNoteWords(const PlotFrame& frame) {
    const PlotSpec& spec = frame.spec;
    const UiTheme& theme = frame.theme;
    int row = 0;
    for (const PlotNote& note : spec.notes) {
        if (note.to < spec.xMin || note.from > spec.xMax) continue;
        const float x = std::max(frame.px(note.from), frame.min.x) + theme.px(4);
        const ImVec2 at{x, frame.min.y + theme.px(3) + frame.lineHeight * float(row++ % 4)};
        const std::string words = fitted(note.words, frame.max.x - x);
        const ImVec2 size = ImGui::CalcTextSize(words.c_str());
        frame.pen.box(at, {at.x + size.x, at.y + size.y}, withAlpha(theme.colors.plotGround, 215));
        frame.pen.words(at, theme.colors.quiet, words);
    }
}

void drawCaption(const PlotFrame& frame) {
    const PlotSpec& spec = frame.spec;
    const UiTheme& theme = frame.theme;
    float y = frame.min.y + theme.px(3);
    for (std::size_t i = 0; i < spec.caption.size() && y + frame.lineHeight < frame.max.y; ++i, y += frame.lineHeight) {
        const std::string words = fitted(spec.caption[i], frame.max.x - frame.min.x - theme.px(PlotFrame::kCaptionRim));
        const float x = frame.max.x - theme.px(6) - ImGui::CalcTextSize(words.c_str()).x;
        frame.pen.words({x, y}, theme.colors.text, words);
        if (i == 0 && !frame.curves.empty())
            drawSwatch(frame.pen, {x - theme.px(PlotFrame::kSwatch + 6), y + frame.lineHeight * 0.5f - theme.px(3.5f)},
                       {theme.px(PlotFrame::kSwatch), theme.px(7)}, frame.curves[0].style, frame.theme);
    }
}

void drawCentred(const PlotFrame& frame, std::string_view text) {
    const std::string words(text);
    const ImVec2 size = ImGui::CalcTextSize(words.c_str());
    frame.pen.words({(frame.min.x + frame.max.x - size.x) / 2, (frame.min.y + frame.max.y - size.y) / 2},
                    frame.theme.colors.quiet, words.c_str());
}

}  // namespace clothlab::app::widgets
