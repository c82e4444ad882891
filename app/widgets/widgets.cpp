#include "widgets/widgets.hpp"

#include <imgui_internal.h>

#include <algorithm>

#include "base/text.hpp"
#include "widgets/scopes.hpp"

namespace clothlab::app::widgets {
namespace {

constexpr float kTooltipDelay = 0.45f;  // s

/// ImGui breaks lines after a full stop too, in the middle of "section 4.2".
std::string brokenAtBlanks(std::string_view text, float width) {
    std::string lines, line;
    for (const std::string& word : splitText(text, ' ')) {
        const std::string longer = line.empty() ? word : line + ' ' + word;
        if (!line.empty() && ImGui::CalcTextSize(longer.c_str()).x > width) {
            lines += line + '\n';
            line = word;
        } else {
            line = longer;
        }
    }
    return lines + line;
}

}  // namespace

void textRight(const char* text, ImU32 color, ImFont* font, float rightX, float y) {
    const FontScope scope(font);
    const ImVec2 size = ImGui::CalcTextSize(text);
    ImGui::GetWindowDrawList()->AddText({rightX - size.x, y}, color, text);
}

bool Widgets::section(std::string_view title, std::string_view note, std::string_view help, bool& open) {
    ImGui::Dummy({0, 0});
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x, indent = theme_.px(folds ? 13.0f : 0.0f);
    const std::string name(title), id = "section:" + name;
    ImGui::PushFont(theme_.strong);
    const ImVec2 size = ImGui::CalcTextSize(name.c_str());
    if (ImGui::InvisibleButton(id.c_str(), {width, size.y})) open = !open;
    ImGui::GetWindowDrawList()->AddText({at.x + indent, at.y}, theme_.colors.text, name.c_str());
    ImGui::PopFont();
    layout_.markLast(id);
    const bool hovered = ImGui::IsItemHovered();
    tooltip(id, hovered, [&] { return std::string(help); });
    if (folds)
        foldMark({at.x + theme_.px(4), at.y + size.y / 2}, open, hovered ? theme_.colors.text : theme_.colors.quiet);
    if (!note.empty()) {
        const std::string text(note);
        ImGui::PushFont(theme_.small);
        layout_.wants(id, indent + size.x + theme_.px(8) + ImGui::CalcTextSize(text.c_str()).x, width);
        ImGui::PopFont();
        textRight(text.c_str(), theme_.colors.quiet, theme_.small, at.x + width, at.y + theme_.px(2));
    }
    return open || !folds;
}

/// A triangle that points down over what is open, and right where something can be opened.
void Widgets::foldMark(ImVec2 c, bool open, ImU32 color) const {
    ImDrawList* draw = ImGui::GetWindowDrawList();
    const float r = theme_.px(4);
    if (open)
        draw->AddTriangleFilled({c.x - r, c.y - r * 0.6f}, {c.x + r, c.y - r * 0.6f}, {c.x, c.y + r * 0.8f}, color);
    else
        draw->AddTriangleFilled({c.x - r * 0.6f, c.y - r}, {c.x + r * 0.8f, c.y}, {c.x - r * 0.6f, c.y + r}, color);
}

float Widgets::progress(std::string_view mark, ImDrawList* draw, ImVec2 at, float width, double share) {
    const float height = theme_.px(4);
    draw->AddRectFilled(at, {at.x + width, at.y + height}, theme_.colors.field, theme_.px(2));
    draw->AddRectFilled(at, {at.x + width * float(share), at.y + height}, theme_.colors.knob, theme_.px(2));
    layout_.mark(mark, at, {at.x + width, at.y + height});
    return height;
}

void Widgets::note(std::string_view text, bool error, std::string_view help) {
    const FontScope font(theme_.small);
    ImGui::PushStyleColor(ImGuiCol_Text, error ? theme_.colors.error : theme_.colors.quiet);
    const std::string lines = brokenAtBlanks(text, ImGui::GetContentRegionAvail().x);
    ImGui::TextUnformatted(lines.c_str());
    ImGui::PopStyleColor();
    if (!help.empty()) explain(help);
}

bool Widgets::warning(std::string_view id, const std::string& words, std::string_view help, bool beside) {
    const float gap = theme_.px(10), width = ImGui::CalcTextSize(words.c_str()).x;
    const float end = ImGui::GetCursorScreenPos().x + ImGui::GetContentRegionAvail().x;
    if (beside && ImGui::GetItemRectMax().x + gap + width <= end) ImGui::SameLine(0, gap);
    const std::string lines = brokenAtBlanks(words, ImGui::GetContentRegionAvail().x);
    ImGui::PushStyleColor(ImGuiCol_Text, theme_.colors.pin);
    ImGui::TextUnformatted(lines.c_str());
    ImGui::PopStyleColor();
    layout_.markLast(id);
    layout_.words(id, words);
    explain(help);
    return lines == words;
}

void Widgets::explain(std::string_view help) {
    tooltip(help, ImGui::IsItemHovered(), [&] { return std::string(help); });
}

/// Whether a widget has the button that is down: not one that is disabled, whose words are why.
static bool takesPress() {
    const ImGuiContext& g = *ImGui::GetCurrentContext();
    return g.ActiveId != 0 && (g.ActiveIdWindow == nullptr || g.ActiveId != g.ActiveIdWindow->MoveId);
}

void Widgets::tooltip(std::string_view id, bool hovered, const std::function<std::string()>& text) {
    if (!hovered) {
        if (hoveredId_ == id) hoveredId_.clear();
        return;
    }
    if (hoveredId_ != id) {
        hoveredId_ = id;
        hoverSeconds_ = 0;
    }
    // Whoever has just pressed it knows what it does, and looks at what came of it.
    const ImGuiIO& io = ImGui::GetIO();
    if (ImGui::IsMouseDown(0) && takesPress()) pressedAt_ = io.MousePos;
    if (pressedAt_.x == io.MousePos.x && pressedAt_.y == io.MousePos.y) hoverSeconds_ = 0;
    hoverSeconds_ += io.DeltaTime;
    if (hoverSeconds_ < kTooltipDelay || ImGui::IsMouseDown(0)) return;
    const std::string words = text();
    if (words.empty()) return;
    const FontScope font(theme_.small);
    ImGui::BeginTooltip();
    ImGui::PushTextWrapPos(theme_.px(290));
    ImGui::TextUnformatted(words.c_str());
    ImGui::PopTextWrapPos();
    ImGui::EndTooltip();
    layout_.mark("tooltip:" + std::string(id), {0, 0}, {0, 0});
    layout_.words("tooltip:" + std::string(id), words);
}

bool Widgets::row(const Field& field, const FieldRef& standard) {
    if (std::holds_alternative<EnumRef>(field.ref)) return combo(field, {});
    if (std::holds_alternative<bool*>(field.ref)) return checkbox(field);
    if (std::holds_alternative<Vec3*>(field.ref)) return vector(field, standard);
    return slider(field, standard);
}

bool Widgets::checkbox(const Field& field) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float box = rowPx(16);
    const ImVec2 size(ImGui::GetContentRegionAvail().x, rowPx(20));
    bool& value = **std::get_if<bool*>(&field.ref);
    bool clicked = ImGui::InvisibleButton(field.key.c_str(), size);
    layout_.markLast(field.key);
    const RowFocus::Asked keys = focus.row(field.key, at, {at.x + size.x, at.y + size.y}, theme_, layout_);
    clicked |= keys.enter || (keys.steps < 0 && value) || (keys.steps > 0 && !value);
    if (clicked) value = !value;
    ImDrawList* draw = ImGui::GetWindowDrawList();
    const bool hovered = ImGui::IsItemHovered();
    const ImVec2 p(at.x + size.x - box, at.y + theme_.px(2));
    ImGui::PushFont(rowFont());
    draw->AddText({at.x, at.y + theme_.px(3)}, theme_.colors.quiet, std::string(field.meta.label).c_str());
    ImGui::PopFont();
    draw->AddRectFilled(p, {p.x + box, p.y + box},
                        value     ? theme_.colors.track
                        : hovered ? theme_.colors.fieldHover
                                  : theme_.colors.field,
                        theme_.px(4));
    draw->AddRect(p, {p.x + box, p.y + box}, theme_.colors.track, theme_.px(4));
    if (value) {
        const ImVec2 tick[] = {{p.x + box * 0.24f, p.y + box * 0.52f},
                               {p.x + box * 0.43f, p.y + box * 0.71f},
                               {p.x + box * 0.77f, p.y + box * 0.30f}};
        draw->AddPolyline(tick, 3, theme_.colors.knob, 0, theme_.px(1.8f));
    }
    tooltip(field.key, hovered, [&] { return help(field, field.ref); });
    return clicked;
}

/// Where a combo behind its label begins: it takes more than its share where its longest choice needs it.
float Widgets::comboStart(const Field& field, float width) const {
    float longest = 0;
    for (const EnumEntry& entry : std::get_if<EnumRef>(&field.ref)->table)
        longest = std::max(longest, ImGui::CalcTextSize(entry.label.data(), entry.label.data() + entry.label.size()).x);
    const float needed = longest + 2 * theme_.px(8) + ImGui::GetTextLineHeight() + 2 * theme_.px(3);
    const float label =
        ImGui::CalcTextSize(field.meta.label.data(), field.meta.label.data() + field.meta.label.size()).x +
        theme_.px(8);
    return std::max(label, std::min(width * 0.42f, width - needed));
}

bool Widgets::combo(const Field& field, const ComboStyle& style) {
    const EnumRef& choice = *std::get_if<EnumRef>(&field.ref);
    const EnumEntry* current = &choice.table.front();
    for (const EnumEntry& entry : choice.table)
        if (entry.value == choice.value()) current = &entry;

    const float width = ImGui::GetContentRegionAvail().x;
    if (!style.wide) ImGui::PushFont(rowFont());
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {theme_.px(style.wide ? 10.0f : 8.0f), theme_.px(3)});
    if (!style.wide) {
        const ImVec2 at = ImGui::GetCursorScreenPos();
        const std::string label(field.meta.label);
        float start = comboStart(field, width);
        const float arrow = ImGui::GetFrameHeight() + ImGui::GetStyle().FramePadding.x + theme_.px(4);
        if (ImGui::CalcTextSize(std::string(current->label).c_str()).x + arrow > width - start) {
            ImGui::TextColored(theme_.quiet(), "%s", label.c_str());  // a line of its own, or the choice is cut
            start = 0;
        } else {
            ImGui::GetWindowDrawList()->AddText({at.x, at.y + theme_.px(4)}, theme_.colors.quiet, label.c_str());
            ImGui::Dummy({0, 0});
            ImGui::SetCursorScreenPos({at.x + start, at.y});
        }
        ImGui::SetNextItemWidth(width - start);
    } else {
        ImGui::SetNextItemWidth(width);
    }
    const bool disabled = !style.disabled.empty();
    if (disabled) ImGui::BeginDisabled();
    bool changed = false;
    const ImVec2 min = ImGui::GetCursorScreenPos();
    const ImVec2 max(min.x + ImGui::CalcItemWidth(), min.y + ImGui::GetFrameHeight());
    layout_.mark(field.key, min, max);
    const std::string shown(current->label);
    const ImU32 chip = style.color ? theme_.ink(style.color(current->value)) : 0;
    const float beside = theme_.px(chip != 0 ? 24.0f : 4.0f),
                room = max.x - min.x - (max.y - min.y) - ImGui::GetStyle().FramePadding.x;
    layout_.wants(field.key, ImGui::CalcTextSize(shown.c_str()).x + beside, room);
    const bool open = ImGui::BeginCombo(("##" + field.key).c_str(), fitted(shown, room - beside).c_str(),
                                        ImGuiComboFlags_HeightLarge);
    const bool hovered = ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled);
    if (open) {
        changed = comboEntries(field, style, current->value);
        ImGui::EndCombo();
    } else if (chip != 0) {
        const float middle = (min.y + max.y) / 2, right = max.x - (max.y - min.y) - theme_.px(4);
        ImGui::GetWindowDrawList()->AddRectFilled(
            {right - theme_.px(16), middle - theme_.px(5)}, {right, middle + theme_.px(5)},
            disabled ? ImGui::GetColorU32(ImGuiCol_TextDisabled) : chip, theme_.px(2));
    }
    if (disabled) ImGui::EndDisabled();
    ImGui::PopStyleVar();
    if (!style.wide) ImGui::PopFont();
    changed |= comboByKeys(field, style, min, max);
    if (!open)
        tooltip(field.key, hovered, [&] {
            return disabled ? style.disabled : help(field, field.ref) + style.tooltipSource(current->value);
        });
    return changed;
}

/// Left and right go through the choices that can be taken.
bool Widgets::comboByKeys(const Field& field, const ComboStyle& style, ImVec2 min, ImVec2 max) {
    const RowFocus::Asked keys = focus.row(field.key, min, max, theme_, layout_);
    if (keys.steps == 0 || !style.disabled.empty()) return false;
    const EnumRef& choice = *std::get_if<EnumRef>(&field.ref);
    const auto now = std::ranges::find(choice.table, choice.value(), &EnumEntry::value);
    for (auto at = now - choice.table.begin() + keys.steps; at >= 0 && at < std::ssize(choice.table);
         at += keys.steps) {
        const int value = (choice.table.begin() + at)->value;
        if (style.refusal && !style.refusal(value).empty()) continue;
        choice.assign(value);
        return true;
    }
    return false;
}

/// The list of an open combo; true when another entry was chosen.
bool Widgets::comboEntries(const Field& field, const ComboStyle& style, int current) {
    const EnumRef& choice = *std::get_if<EnumRef>(&field.ref);
    bool changed = false;
    for (const EnumEntry& entry : choice.table) {
        const std::string reason = style.refusal && entry.value != current ? style.refusal(entry.value) : std::string();
        const std::string id = field.key + "/" + std::string(entry.key);
        const ImVec2 at = ImGui::GetCursorScreenPos();
        const ImU32 chip = style.color ? theme_.ink(style.color(entry.value)) : 0;
        const std::string label = (chip != 0 ? "      " : "") + std::string(entry.label) + "##" + id;
        if (ImGui::Selectable(label.c_str(), entry.value == current,
                              reason.empty() ? 0 : ImGuiSelectableFlags_Disabled) &&
            entry.value != current) {
            choice.assign(entry.value);
            changed = true;
        }
        layout_.markLast(id);
        if (chip != 0) {
            const float middle = (ImGui::GetItemRectMin().y + ImGui::GetItemRectMax().y) / 2;
            ImGui::GetWindowDrawList()->AddRectFilled(
                {at.x, middle - theme_.px(4.5f)}, {at.x + theme_.px(14), middle + theme_.px(4.5f)}, chip, theme_.px(2));
        }
        tooltip(id, ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled),
                [&] { return (reason.empty() ? std::string(entry.help) : reason) + style.tooltipSource(entry.value); });
    }
    return changed;
}

bool Widgets::button(std::string_view id, const char* text, float width, std::string_view help) {
    ImGui::PushFont(theme_.small);
    if (width > 0) layout_.wants(id, ImGui::CalcTextSize(text).x, width);
    const bool clicked = ImGui::Button((std::string(text) + "##" + std::string(id)).c_str(), {width, 0});
    layout_.markLast(id);
    ImGui::PopFont();
    tooltip(id, ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled), [&] { return std::string(help); });
    return clicked;
}

bool Widgets::rowButton(std::string_view id, const char* text, float width, std::string_view help) {
    const bool clicked = button(id, text, width, help);
    return focus.row(id, ImGui::GetItemRectMin(), ImGui::GetItemRectMax(), theme_, layout_).enter || clicked;
}

bool Widgets::toggle(std::string_view id, const char* text, bool chosen, std::string_view help) {
    StyleScope style;
    style.color(ImGuiCol_Text, chosen ? theme_.colors.toggleText : theme_.colors.text);
    style.color(ImGuiCol_Button, chosen ? theme_.colors.toggleOn : 0);
    if (chosen) style.color(ImGuiCol_ButtonHovered, theme_.colors.knob);
    style.color(ImGuiCol_Border, theme_.colors.track).measure(ImGuiStyleVar_FrameBorderSize, theme_.px(1));
    return button(id, text, 0, help);
}

FloatingPanel::FloatingPanel(std::string_view id, ImVec2 min, ImVec2 size, const UiTheme& theme, LayoutMap& layout)
    : id_(id), theme_(theme) {
    ImGui::SetNextWindowPos(min);
    ImGui::SetNextWindowSize(size);
    style_.color(ImGuiCol_WindowBg, theme.colors.floating).measure(ImGuiStyleVar_WindowRounding, theme.px(6));
    style_.measure(ImGuiStyleVar_WindowBorderSize, 1.0f);
    style_.measure(ImGuiStyleVar_WindowPadding, {theme.px(14), theme.px(10)});
    ImGui::Begin(("##" + id_).c_str(), nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoNav |
                     ImGuiWindowFlags_NoSavedSettings);
    layout.mark(id, min, {min.x + size.x, min.y + size.y});
}

FloatingPanel::~FloatingPanel() { ImGui::End(); }

bool FloatingPanel::heading(const char* name, Widgets& widgets, std::string_view closeHelp) {
    const float right = ImGui::GetWindowWidth() - ImGui::GetStyle().WindowPadding.x;
    const ImVec2 at = ImGui::GetCursorPos();
    ImGui::SetCursorPos({right - theme_.px(26), at.y});
    const bool closed = widgets.button(id_ + "/close", "×", theme_.px(26), closeHelp);
    ImGui::SetCursorPos(at);
    const FontScope font(theme_.strong);
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted(name);
    return closed;
}

bool Widgets::fold(std::string_view id, const char* text, bool& open) {
    if (!folds) return open;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const ImVec2 size(ImGui::GetContentRegionAvail().x, theme_.px(17));
    if (ImGui::InvisibleButton(std::string(id).c_str(), size)) open = !open;
    layout_.markLast(id);
    const ImU32 color = ImGui::IsItemHovered() ? theme_.colors.text : theme_.colors.quiet;
    foldMark({at.x + theme_.px(4), at.y + theme_.px(8)}, open, color);
    const FontScope font(theme_.small);
    ImGui::GetWindowDrawList()->AddText({at.x + theme_.px(13), at.y}, color, text);
    layout_.wants(id, theme_.px(13) + ImGui::CalcTextSize(text).x, size.x);
    return open;
}

std::string fitted(std::string text, float width) {
    if (ImGui::CalcTextSize(text.c_str()).x <= width) return text;
    while (!text.empty() && ImGui::CalcTextSize((text + "...").c_str()).x > width) {
        while (!text.empty() && (text.back() & 0xc0) == 0x80) text.pop_back();
        if (!text.empty()) text.pop_back();
    }
    return text + "...";
}

std::vector<std::string> wrapped(std::string_view text, float width, int most) {
    std::vector<std::string> lines;
    const ImFont* font = ImGui::GetFont();
    const char* at = text.data();
    const char* end = at + text.size();
    while (at < end && int(lines.size()) < most) {
        const bool last = int(lines.size()) == most - 1;
        const char* stop = last ? end : font->CalcWordWrapPositionA(1, at, end, width);
        if (stop == at) stop = end;  // a word that is wider than the card
        lines.push_back(fitted(std::string(at, stop), width));
        for (at = stop; at < end && *at == ' ';) ++at;
    }
    return lines;
}

}  // namespace clothlab::app::widgets
