#include "widgets/markdown.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "base/text.hpp"
#include "widgets/scopes.hpp"

namespace clothlab::app::widgets {
namespace {

/// A part of a line that looks the same.
struct Run {
    std::string_view text;
    bool strong = false;
    std::string_view link = {};
};

/// Takes marks apart; a mark that is not closed is a character like any other.
std::vector<Run> splitRuns(std::string_view line) {
    std::vector<Run> runs;
    std::size_t plain = 0, at = 0;
    const auto flush = [&](std::size_t end) {
        if (end > plain) runs.push_back({line.substr(plain, end - plain)});
    };
    const auto enclosed = [&](std::string_view mark) {
        const std::size_t end = line.find(mark, at + mark.size());
        if (end == line.npos || end == at + mark.size()) return false;
        flush(at);
        runs.push_back({line.substr(at + mark.size(), end - at - mark.size()), true});
        at = plain = end + mark.size();
        return true;
    };
    while (at < line.size()) {
        if (line.substr(at).starts_with("**") && enclosed("**")) continue;
        if ((line[at] == '*' || line[at] == '`') && enclosed(line.substr(at, 1))) continue;
        if (line[at] == '[') {
            const std::size_t middle = line.find("](", at), end = line.find(')', at);
            if (middle != line.npos && end != line.npos && middle < end) {
                flush(at);
                runs.push_back(
                    {line.substr(at + 1, middle - at - 1), false, line.substr(middle + 2, end - middle - 2)});
                at = plain = end + 1;
                continue;
            }
        }
        ++at;
    }
    flush(line.size());
    return runs;
}

/// Paragraphs and items of lists: lines that follow each other belong together.
std::vector<std::string> splitBlocks(std::string_view text) {
    std::vector<std::string> blocks;
    bool open = false;
    for (std::string& line : splitText(text, '\n')) {
        const bool item = line.starts_with("- ");
        if (line.empty()) {
            open = false;
        } else if (open && !item) {
            blocks.back() += " " + line.substr(std::min(line.size(), line.find_first_not_of(' ')));
        } else {
            blocks.push_back(std::move(line));
            open = true;
        }
    }
    return blocks;
}

/// Sets words one after the other and breaks lines between them.
class Setter {
public:
    Setter(std::string_view id, const UiTheme& theme, LayoutMap& layout, ImU32 ink, float indent)
        : id_(id),
          ink_(ink != 0 ? ink : theme.colors.text),
          theme_(theme),
          layout_(layout),
          start_(ImGui::GetCursorScreenPos()),
          lineHeight_(theme.text->FontSize) {
        start_.x += indent;
        right_ = start_.x + std::max(ImGui::GetContentRegionAvail().x - indent, theme.px(40));
        pen_ = start_;
    }

    void set(const Run& run) {
        ImFont* font = run.strong ? theme_.strong : theme_.text;
        std::size_t at = 0;
        while (at < run.text.size()) {
            const std::size_t blank = std::min(run.text.find(' ', at), run.text.size());
            const std::string_view word = run.text.substr(at, blank - at);
            if (!word.empty()) setWord(word, font, run.link);
            if (blank < run.text.size()) space_ = true;
            at = blank + 1;
        }
    }

    void end() { ImGui::Dummy({right_ - start_.x, pen_.y + lineHeight_ - start_.y}); }

private:
    void setWord(std::string_view word, ImFont* font, std::string_view link) {
        const char *first = word.data(), *last = first + word.size();
        const float width = font->CalcTextSizeA(font->FontSize, FLT_MAX, 0, first, last).x;
        const float blank = space_ ? font->CalcTextSizeA(font->FontSize, FLT_MAX, 0, " ").x : 0;
        if (pen_.x > start_.x && pen_.x + blank + width > right_)
            pen_ = {start_.x, pen_.y + lineHeight_ + theme_.px(3)};
        else
            pen_.x += blank;
        space_ = false;
        ImDrawList* draw = ImGui::GetWindowDrawList();
        draw->AddText(font, font->FontSize, pen_, ink_, first, last);
        if (!link.empty()) linkAt({pen_.x, pen_.y}, {pen_.x + width, pen_.y + lineHeight_}, link);
        pen_.x += width;
    }

    void linkAt(ImVec2 min, ImVec2 max, std::string_view link) {
        layout_.mark(std::string(id_) + "/link/" + std::string(link), min, max);
        ImGui::GetWindowDrawList()->AddLine({min.x, max.y}, max, theme_.colors.quiet);
        if (!ImGui::IsWindowHovered() || !ImGui::IsMouseHoveringRect(min, max)) return;
        ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
        ImGui::SetTooltip("%s\nPress to copy the address.", std::string(link).c_str());
        if (ImGui::IsMouseClicked(0)) ImGui::SetClipboardText(std::string(link).c_str());
    }

    std::string_view id_;
    ImU32 ink_;
    const UiTheme& theme_;
    LayoutMap& layout_;
    ImVec2 start_, pen_;
    float right_ = 0, lineHeight_;
    bool space_ = false;
};

}  // namespace

void markdown(std::string_view id, std::string_view text, const UiTheme& theme, LayoutMap& layout, ImU32 ink) {
    for (const std::string& block : splitBlocks(text)) {
        const bool item = block.starts_with("- ");
        if (item) {
            const ImVec2 at = ImGui::GetCursorScreenPos();
            ImGui::GetWindowDrawList()->AddCircleFilled({at.x + theme.px(5), at.y + theme.text->FontSize * 0.55f},
                                                        theme.px(2), theme.colors.quiet);
        }
        Setter setter(id, theme, layout, ink, item ? theme.px(14) : 0);
        for (const Run& run : splitRuns(std::string_view(block).substr(item ? 2 : 0))) setter.set(run);
        setter.end();
        ImGui::Dummy({0, theme.px(item ? 1 : 5)});
    }
}

}  // namespace clothlab::app::widgets
