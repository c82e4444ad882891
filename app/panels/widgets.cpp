#include "panels/widgets.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "panels/numbers.hpp"

namespace clothlab::app {
namespace {

constexpr float kTooltipDelay = 0.45f;  // s

double numberOf(const FieldRef& ref) {
    if (const auto* i = std::get_if<int*>(&ref)) return **i;
    if (const auto* d = std::get_if<double*>(&ref)) return **d;
    return 0;
}

}  // namespace

void textRight(const char* text, ImU32 color, ImFont* font, float rightX, float y) {
    ImGui::PushFont(font);
    const ImVec2 size = ImGui::CalcTextSize(text);
    ImGui::GetWindowDrawList()->AddText({rightX - size.x, y}, color, text);
    ImGui::PopFont();
}

void Widgets::section(std::string_view title, std::string_view note, bool error) {
    ImGui::Dummy({0, theme_.px(rows.tight ? 2.0f : 7.0f)});
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float right = at.x + ImGui::GetContentRegionAvail().x;
    ImGui::PushFont(theme_.strong);
    ImGui::TextUnformatted(title.data(), title.data() + title.size());
    ImGui::PopFont();
    if (!note.empty())
        textRight(std::string(note).c_str(), error ? palette::kError : palette::kQuiet, theme_.small, right,
                  at.y + theme_.px(2));
}

void Widgets::note(std::string_view text, bool error) {
    ImGui::PushFont(theme_.small);
    ImGui::PushStyleColor(ImGuiCol_Text, error ? palette::kError : palette::kQuiet);
    ImGui::PushTextWrapPos(0);
    ImGui::TextUnformatted(text.data(), text.data() + text.size());
    ImGui::PopTextWrapPos();
    ImGui::PopStyleColor();
    ImGui::PopFont();
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
    hoverSeconds_ += ImGui::GetIO().DeltaTime;
    if (hoverSeconds_ < kTooltipDelay || ImGui::IsMouseDown(0)) return;
    const std::string words = text();
    if (words.empty()) return;
    ImGui::PushFont(theme_.small);
    ImGui::BeginTooltip();
    ImGui::PushTextWrapPos(theme_.px(290));
    ImGui::TextUnformatted(words.c_str());
    ImGui::PopTextWrapPos();
    ImGui::EndTooltip();
    ImGui::PopFont();
    layout_.mark("tooltip:" + std::string(id), {0, 0}, {0, 0});
}

std::string Widgets::help(const Field& field, const FieldRef& standard) const {
    std::string text(field.meta.help);
    if (const auto* e = std::get_if<EnumRef>(&field.ref)) {
        for (const EnumEntry& entry : e->table)
            if (entry.value == e->value() && !entry.help.empty())
                text += "\n\n" + std::string(entry.label) + ": " + std::string(entry.help);
        return text;
    }
    if (std::holds_alternative<bool*>(field.ref)) return text;
    const std::string range = rangeText(field.meta);
    if (!range.empty()) text += "\n\nRange: " + range;
    if (!std::holds_alternative<Vec3*>(field.ref))
        text += "\nDouble click: " + formatValue(field.meta, numberOf(standard)) + " (default)";
    else
        text += "\nDouble click: default";
    return text + "\nCtrl+click: type a number";
}

bool Widgets::row(const Field& field, const FieldRef& standard) {
    if (std::holds_alternative<EnumRef>(field.ref)) return combo(field, {});
    if (std::holds_alternative<bool*>(field.ref)) return checkbox(field);
    if (std::holds_alternative<Vec3*>(field.ref)) return vector(field, standard);
    return slider(field, standard);
}

bool Widgets::slider(const Field& field, const FieldRef& standard) {
    const bool integer = std::holds_alternative<int*>(field.ref);
    const Number number{field.key, std::string(field.meta.label), field.meta, numberOf(field.ref), numberOf(standard),
                        integer};
    const bool changed = numberRow(number, ImGui::GetContentRegionAvail().x,
                                   [&](double v) { return assignNumber(field, v, integer).has_value(); });
    tooltip(field.key, ImGui::IsItemHovered(), [&] { return help(field, standard); });
    return changed;
}

bool Widgets::vector(const Field& field, const FieldRef& standard) {
    Vec3& value = **std::get_if<Vec3*>(&field.ref);
    const Vec3& usual = **std::get_if<Vec3*>(&standard);
    ImGui::PushFont(theme_.small);
    const std::string unit = displayUnit(field.meta);
    const std::string label = std::string(field.meta.label) + (unit.empty() ? "" : ", " + unit);
    ImGui::TextColored(ImGui::ColorConvertU32ToFloat4(palette::kQuiet), "%s", label.c_str());
    ImGui::PopFont();
    FieldMeta bare = field.meta;
    bare.unit = {};
    bare.display = {displayScale(field.meta), {}};
    if (bare.sliderMin == bare.sliderMax && bare.max > 1e3) bare.sliderMin = -20, bare.sliderMax = 20;
    const float gap = theme_.px(12);
    const float width = (ImGui::GetContentRegionAvail().x - 2 * gap) / 3;
    bool changed = false;
    for (int axis = 0; axis < 3; ++axis) {
        const char name[] = {static_cast<char>('x' + axis), 0};
        const std::string id = field.key + "." + name;
        if (axis > 0) ImGui::SameLine(0, gap);
        changed |= numberRow({id, name, bare, value[axis], usual[axis], false}, width, [&](double v) {
            Vec3 next = value;
            next[axis] = v;
            return assignVector(field, next).has_value();
        });
        tooltip(id, ImGui::IsItemHovered(), [&] { return help(field, standard); });
    }
    return changed;
}

/// Label and value over a track with a knob. The whole row is the handle.
bool Widgets::numberRow(const Number& number, float width, const std::function<bool(double)>& assign) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const ImVec2 size(width, theme_.px(rows.tight ? 22.0f : 33.0f));
    if (editing_ == number.id) return edit(number, at, size, assign);

    ImGui::InvisibleButton(number.id.c_str(), size);
    layout_.markLast(number.id);
    const SliderScale scale = SliderScale::of(number.meta, number.integer);
    const float inset = theme_.px(6), left = at.x + inset, right = at.x + size.x - inset;
    double value = number.value;
    bool changed = false;
    const bool active = ImGui::IsItemActive(), hovered = ImGui::IsItemHovered();
    if (hovered && ImGui::IsMouseDoubleClicked(0)) {
        changed = assign(value = number.standard);
        resetId_ = number.id;  // until the button goes up, the second click is no drag
    } else if (ImGui::IsItemActivated() && ImGui::GetIO().KeyCtrl) {
        editing_ = number.id;
        focusEdit_ = true;
        const std::string text = formatNumber(number.value * displayScale(number.meta), 9);
        std::string plain;
        for (char c : text)
            if (c != ',') plain += c;
        std::snprintf(text_, sizeof text_, "%s", plain.c_str());
    } else if (active && resetId_ != number.id) {
        const double wanted = scale.value((ImGui::GetIO().MousePos.x - left) / (right - left));
        if (wanted != number.value && (ImGui::IsItemActivated() || ImGui::GetIO().MouseDelta.x != 0))
            changed = assign(value = wanted);
    }
    if (!active && resetId_ == number.id) resetId_.clear();

    ImDrawList* draw = ImGui::GetWindowDrawList();
    const float trackY = at.y + theme_.px(rows.tight ? 18.5f : 24.0f),
                knobX = left + static_cast<float>(scale.position(value)) * (right - left);
    ImGui::PushFont(theme_.small);
    draw->AddText({at.x, at.y}, palette::kQuiet, number.label.c_str());
    ImGui::PopFont();
    textRight(formatValue(number.meta, value).c_str(), palette::kText, theme_.small, at.x + size.x, at.y);
    const float half = theme_.px(2);
    draw->AddRectFilled({left - inset, trackY - half}, {right + inset, trackY + half}, rgb(0x262d37), half);
    draw->AddRectFilled({left - inset, trackY - half}, {knobX, trackY + half}, palette::kTrack, half);
    draw->AddCircleFilled({knobX, trackY},
                          theme_.px(rows.tight          ? 4.0f
                                    : hovered || active ? 6.5f
                                                        : 5.5f),
                          palette::kKnob, 20);
    return changed;
}

bool Widgets::edit(const Number& number, ImVec2 at, ImVec2 size, const std::function<bool(double)>& assign) {
    ImGui::PushFont(theme_.small);
    ImGui::GetWindowDrawList()->AddText(at, palette::kQuiet, number.label.c_str());
    const std::string unit = displayUnit(number.meta);
    const float unitWidth = unit.empty() ? 0 : ImGui::CalcTextSize(unit.c_str()).x + theme_.px(6);
    const float fieldWidth = std::min(size.x * 0.5f, theme_.px(110));
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {theme_.px(6), theme_.px(3)});
    ImGui::SetCursorScreenPos({at.x + size.x - fieldWidth - unitWidth, at.y + theme_.px(8)});
    ImGui::SetNextItemWidth(fieldWidth);
    if (focusEdit_) ImGui::SetKeyboardFocusHere();
    const bool entered = ImGui::InputText(
        ("##edit" + number.id).c_str(), text_, sizeof text_,
        ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll | ImGuiInputTextFlags_CharsScientific);
    layout_.markLast(number.id + ".edit");
    const bool left = !focusEdit_ && !ImGui::IsItemActive();
    focusEdit_ = false;
    ImGui::PopStyleVar();
    if (!unit.empty())
        ImGui::GetWindowDrawList()->AddText({at.x + size.x - unitWidth + theme_.px(6), at.y + theme_.px(11)},
                                            palette::kQuiet, unit.c_str());
    ImGui::PopFont();
    ImGui::SetCursorScreenPos(at);
    ImGui::Dummy(size);
    if (!entered && !left) return false;
    editing_.clear();
    if (ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_Escape), false)) return false;
    char* end = nullptr;
    const double typed = std::strtod(text_, &end);
    if (end == text_) return false;
    const double clamped = std::clamp(typed / displayScale(number.meta), number.meta.min, number.meta.max);
    return clamped != number.value && assign(clamped);
}

bool Widgets::checkbox(const Field& field) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float box = theme_.px(16);
    const ImVec2 size(ImGui::GetContentRegionAvail().x, theme_.px(rows.tight ? 18.0f : 22.0f));
    bool& value = **std::get_if<bool*>(&field.ref);
    const bool clicked = ImGui::InvisibleButton(field.key.c_str(), size);
    layout_.markLast(field.key);
    if (clicked) value = !value;
    ImDrawList* draw = ImGui::GetWindowDrawList();
    const bool hovered = ImGui::IsItemHovered();
    const ImVec2 p(at.x + size.x - box, at.y + theme_.px(2));
    ImGui::PushFont(theme_.small);
    draw->AddText({at.x, at.y + theme_.px(3)}, palette::kQuiet, std::string(field.meta.label).c_str());
    ImGui::PopFont();
    draw->AddRectFilled(p, {p.x + box, p.y + box},
                        value     ? palette::kTrack
                        : hovered ? palette::kFieldHover
                                  : palette::kField,
                        theme_.px(4));
    if (value) {
        const ImVec2 tick[] = {{p.x + box * 0.24f, p.y + box * 0.52f},
                               {p.x + box * 0.43f, p.y + box * 0.71f},
                               {p.x + box * 0.77f, p.y + box * 0.30f}};
        draw->AddPolyline(tick, 3, palette::kKnob, 0, theme_.px(1.8f));
    }
    tooltip(field.key, hovered, [&] { return help(field, field.ref); });
    return clicked;
}

bool Widgets::combo(const Field& field, const ComboStyle& style) {
    const EnumRef& choice = *std::get_if<EnumRef>(&field.ref);
    const EnumEntry* current = &choice.table.front();
    for (const EnumEntry& entry : choice.table)
        if (entry.value == choice.value()) current = &entry;

    const float width = ImGui::GetContentRegionAvail().x;
    if (!style.wide) {
        const ImVec2 at = ImGui::GetCursorScreenPos();
        ImGui::PushFont(theme_.small);
        ImGui::GetWindowDrawList()->AddText({at.x, at.y + theme_.px(4)}, palette::kQuiet,
                                            std::string(field.meta.label).c_str());
        ImGui::Dummy({0, 0});
        ImGui::SetCursorScreenPos({at.x + width * 0.42f, at.y});
        ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {theme_.px(8), theme_.px(3)});
        ImGui::SetNextItemWidth(width * 0.58f);
    } else {
        ImGui::SetNextItemWidth(width);
    }
    const bool disabled = !style.disabled.empty();
    if (disabled) ImGui::BeginDisabled();
    bool changed = false;
    const ImVec2 min = ImGui::GetCursorScreenPos();
    const ImVec2 max(min.x + ImGui::CalcItemWidth(), min.y + ImGui::GetFrameHeight());
    layout_.mark(field.key, min, max);
    const bool open =
        ImGui::BeginCombo(("##" + field.key).c_str(), std::string(current->label).c_str(), ImGuiComboFlags_HeightLarge);
    const bool hovered = ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled);
    if (!open) {
        const ImU32 chip = style.color ? style.color(current->value) : 0;
        const float middle = (min.y + max.y) / 2, right = max.x - (max.y - min.y) - theme_.px(4);
        if (chip != 0)
            ImGui::GetWindowDrawList()->AddRectFilled(
                {right - theme_.px(16), middle - theme_.px(5)}, {right, middle + theme_.px(5)},
                disabled ? ImGui::GetColorU32(ImGuiCol_TextDisabled) : chip, theme_.px(2));
    } else {
        for (const EnumEntry& entry : choice.table) {
            const std::string reason =
                style.refusal && entry.value != current->value ? style.refusal(entry.value) : std::string();
            const std::string id = field.key + "/" + std::string(entry.key);
            const ImVec2 at = ImGui::GetCursorScreenPos();
            const ImU32 chip = style.color ? style.color(entry.value) : 0;
            const std::string label = (chip != 0 ? "      " : "") + std::string(entry.label) + "##" + id;
            if (ImGui::Selectable(label.c_str(), entry.value == current->value,
                                  reason.empty() ? 0 : ImGuiSelectableFlags_Disabled) &&
                entry.value != current->value) {
                choice.assign(entry.value);
                changed = true;
            }
            layout_.markLast(id);
            if (chip != 0) {
                const float middle = (ImGui::GetItemRectMin().y + ImGui::GetItemRectMax().y) / 2;
                ImGui::GetWindowDrawList()->AddRectFilled({at.x, middle - theme_.px(4.5f)},
                                                          {at.x + theme_.px(14), middle + theme_.px(4.5f)}, chip,
                                                          theme_.px(2));
            }
            tooltip(id, ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled),
                    [&] { return reason.empty() ? std::string(entry.help) : reason; });
        }
        ImGui::EndCombo();
    }
    if (disabled) ImGui::EndDisabled();
    if (!style.wide) {
        ImGui::PopStyleVar();
        ImGui::PopFont();
    }
    if (!open) tooltip(field.key, hovered, [&] { return disabled ? style.disabled : help(field, field.ref); });
    return changed;
}

bool Widgets::button(std::string_view id, const char* text, float width, std::string_view help) {
    ImGui::PushFont(theme_.small);
    const bool clicked = ImGui::Button((std::string(text) + "##" + std::string(id)).c_str(), {width, 0});
    layout_.markLast(id);
    ImGui::PopFont();
    tooltip(id, ImGui::IsItemHovered(), [&] { return std::string(help); });
    return clicked;
}

bool Widgets::toggle(std::string_view id, const char* text, bool chosen, std::string_view help) {
    ImGui::PushStyleColor(ImGuiCol_Text, chosen ? palette::kKnob : palette::kQuiet);
    ImGui::PushStyleColor(ImGuiCol_Button, chosen ? rgb(0x333d4a) : 0);
    const bool pressed = button(id, text, 0, help);
    ImGui::PopStyleColor(2);
    return pressed;
}

FloatingPanel::FloatingPanel(std::string_view id, ImVec2 min, ImVec2 size, const Theme& theme, LayoutMap& layout)
    : id_(id), theme_(theme) {
    ImGui::SetNextWindowPos(min);
    ImGui::SetNextWindowSize(size);
    ImGui::PushStyleColor(ImGuiCol_WindowBg, rgb(0x1b1f26, 242));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, theme.px(6));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1.0f);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {theme.px(14), theme.px(10)});
    ImGui::Begin(("##" + id_).c_str(), nullptr, ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoNav |
                                                    ImGuiWindowFlags_NoSavedSettings);
    layout.mark(id, min, {min.x + size.x, min.y + size.y});
}

FloatingPanel::~FloatingPanel() {
    ImGui::End();
    ImGui::PopStyleVar(3);
    ImGui::PopStyleColor();
}

bool FloatingPanel::heading(const char* name, Widgets& widgets, std::string_view closeHelp) {
    const float right = ImGui::GetWindowWidth() - ImGui::GetStyle().WindowPadding.x;
    const ImVec2 at = ImGui::GetCursorPos();
    ImGui::SetCursorPos({right - theme_.px(26), at.y});
    const bool closed = widgets.button(id_ + "/close", "×", theme_.px(26), closeHelp);
    ImGui::SetCursorPos(at);
    ImGui::PushFont(theme_.strong);
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted(name);
    ImGui::PopFont();
    return closed;
}

bool Widgets::fold(std::string_view id, const char* text, bool& open) {
    if (!rows.folds) return open;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const ImVec2 size(ImGui::GetContentRegionAvail().x, theme_.px(20));
    if (ImGui::InvisibleButton(std::string(id).c_str(), size)) open = !open;
    layout_.markLast(id);
    const ImU32 color = ImGui::IsItemHovered() ? palette::kText : palette::kQuiet;
    ImDrawList* draw = ImGui::GetWindowDrawList();
    const float r = theme_.px(4), y = at.y + theme_.px(9), x = at.x + r;
    if (open)
        draw->AddTriangleFilled({x - r, y - r * 0.6f}, {x + r, y - r * 0.6f}, {x, y + r * 0.8f}, color);
    else
        draw->AddTriangleFilled({x - r * 0.6f, y - r}, {x + r * 0.8f, y}, {x - r * 0.6f, y + r}, color);
    ImGui::PushFont(theme_.small);
    draw->AddText({at.x + theme_.px(14), at.y + theme_.px(1)}, color, text);
    ImGui::PopFont();
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

}  // namespace clothlab::app
