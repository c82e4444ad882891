#include <fmt/format.h>

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <cstring>
#include <utility>

#include "base/text.hpp"
#include "widgets/imgui_keys.hpp"
#include "widgets/numbers.hpp"
#include "widgets/scopes.hpp"
#include "widgets/widgets.hpp"

// A number in the left column: label and value over a track with a knob; a click with Ctrl makes it a text field.
namespace clothlab::app::widgets {
namespace {

constexpr float kComplaintSeconds = 4;

bool enterDown() { return keyDown(Key::Enter) || keyDown(Key::KeypadEnter); }

double toNumber(const FieldRef& ref) {
    if (const auto* i = std::get_if<int*>(&ref)) return **i;
    if (const auto* d = std::get_if<double*>(&ref)) return **d;
    return 0;
}

std::string withoutThousands(const std::string& text) {
    std::string plain;
    std::copy_if(text.begin(), text.end(), std::back_inserter(plain), [](char c) { return c != ','; });
    return plain;
}

}  // namespace

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
        text += "\nDouble click: " + formatValue(field.meta, toNumber(standard)) + " (default)";
    else
        text += "\nDouble click: default";
    return text + "\nCtrl+click: type a number";
}

bool Widgets::slider(const Field& field, const FieldRef& standard) {
    const bool integer = std::holds_alternative<int*>(field.ref);
    const Number number{field.key, std::string(field.meta.label), field.meta, toNumber(field.ref), toNumber(standard),
                        integer};
    const bool changed = numberRow(number, ImGui::GetContentRegionAvail().x,
                                   [&](double v) { return assignNumber(field, v, integer).has_value(); });
    tooltip(field.key, ImGui::IsItemHovered(), [&] { return help(field, standard); });
    return changed;
}

bool Widgets::vector(const Field& field, const FieldRef& standard) {
    Vec3& value = **std::get_if<Vec3*>(&field.ref);
    const Vec3& usual = **std::get_if<Vec3*>(&standard);
    ImGui::PushFont(rowFont());
    const std::string unit = displayUnit(field.meta);
    const std::string label = std::string(field.meta.label) + (unit.empty() ? "" : ", " + unit);
    ImGui::TextColored(theme_.quiet(), "%s", label.c_str());
    ImGui::PopFont();
    FieldMeta bare = field.meta;
    bare.unit = {};
    bare.display = {displayScale(field.meta), {}};
    if (bare.sliderMin == bare.sliderMax && bare.max > 1e3) bare.sliderMin = -20, bare.sliderMax = 20;
    const float gap = theme_.px(12);
    const float width = (ImGui::GetContentRegionAvail().x - 2 * gap) / 3;
    bool changed = false;
    for (int axis = 0; axis < 3; ++axis) {
        const char name[] = {char('x' + axis), 0};
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

/// The whole row is the handle.
bool Widgets::numberRow(const Number& number, float width, const std::function<bool(double)>& assign) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const ImVec2 size(width, rowPx(kRowHeight));
    if (editing_ == number.id) {
        focus.row(number.id, at, {at.x + size.x, at.y + size.y}, theme_, layout_, true);
        return edit(number, at, size, assign);
    }

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
        beginEdit(number);
    } else if (active && resetId_ != number.id) {
        const double wanted = scale.value((ImGui::GetIO().MousePos.x - left) / (right - left));
        if (wanted != number.value && (ImGui::IsItemActivated() || ImGui::GetIO().MouseDelta.x != 0))
            changed = assign(value = wanted);
    }
    if (!active && resetId_ == number.id) resetId_.clear();
    changed |= byKeys(number, at, size, assign);
    drawNumber(number, value, at, size, active || hovered);
    complaint(number.id, {at.x, at.y + size.y});
    return changed;
}

void Widgets::beginEdit(const Number& number) {
    editing_ = number.id;
    focusEdit_ = true;
    enterOpened_ = enterDown();
    fieldAsked_ = ImGui::GetFrameCount();
    std::snprintf(text_, sizeof text_, "%s",
                  withoutThousands(formatNumber(number.value * displayScale(number.meta), 9)).c_str());
}

void Widgets::focusField() {
    focusNextField();
    fieldAsked_ = ImGui::GetFrameCount();
}

bool Widgets::fieldComing() const { return ImGui::GetFrameCount() - fieldAsked_ < 2; }

/// Arrows change it, Enter types it, Delete takes the default.
bool Widgets::byKeys(const Number& number, ImVec2 at, ImVec2 size, const std::function<bool(double)>& assign) {
    const RowFocus::Asked keys = focus.row(number.id, at, {at.x + size.x, at.y + size.y}, theme_, layout_);
    if (keys.enter) beginEdit(number);
    if (keys.reset) return number.value != number.standard && assign(number.standard);
    if (keys.steps == 0) return false;
    const double next = keyStepped(number.meta, number.integer, number.value, keys.steps, keyStepNow());
    return next != number.value && assign(next);
}

void Widgets::drawNumber(const Number& number, double value, ImVec2 at, ImVec2 size, bool lively) {
    const float inset = theme_.px(6), left = at.x + inset, right = at.x + size.x - inset;
    const SliderScale scale = SliderScale::of(number.meta, number.integer);
    const float trackY = at.y + rowPx(kTrackDepth), knobX = left + float(scale.position(value)) * (right - left);
    const std::string text = formatValue(number.meta, value);
    ImDrawList* draw = ImGui::GetWindowDrawList();
    ImGui::PushFont(rowFont());
    draw->AddText({at.x, at.y}, theme_.colors.quiet, number.label.c_str());
    layout_.wants(number.id,
                  ImGui::CalcTextSize(number.label.c_str()).x + theme_.px(4) + ImGui::CalcTextSize(text.c_str()).x,
                  size.x);
    ImGui::PopFont();
    textRight(text.c_str(), theme_.colors.text, rowFont(), at.x + size.x, at.y);
    const float half = theme_.px(2);
    draw->AddRectFilled({left - inset, trackY - half}, {right + inset, trackY + half}, theme_.colors.rowGroove, half);
    draw->AddRectFilled({left - inset, trackY - half}, {knobX, trackY + half}, theme_.colors.track, half);
    draw->AddCircleFilled({knobX, trackY}, rowPx(lively ? 5.5f : 4.5f), theme_.colors.knob, 20);
}

bool Widgets::edit(const Number& number, ImVec2 at, ImVec2 size, const std::function<bool(double)>& assign) {
    ImGui::PushFont(rowFont());
    ImGui::GetWindowDrawList()->AddText(at, theme_.colors.quiet, number.label.c_str());
    const std::string unit = displayUnit(number.meta);
    const float unitWidth = unit.empty() ? 0 : ImGui::CalcTextSize(unit.c_str()).x + theme_.px(6);
    const float fieldWidth = std::min(size.x * 0.5f, theme_.px(110));
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {theme_.px(6), theme_.px(2)});
    const float fieldY = at.y + (size.y - ImGui::GetFrameHeight()) / 2;
    ImGui::SetCursorScreenPos({at.x + size.x - fieldWidth - unitWidth, fieldY});
    ImGui::SetNextItemWidth(fieldWidth);
    if (focusEdit_) focusField();
    // The Enter that opened the field does not close it, however long it is held.
    enterOpened_ &= enterDown();
    const float delay =
        std::exchange(ImGui::GetIO().KeyRepeatDelay, enterOpened_ ? FLT_MAX : ImGui::GetIO().KeyRepeatDelay);
    const bool entered = ImGui::InputText(("##edit" + number.id).c_str(), text_, sizeof text_,
                                          ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll);
    ImGui::GetIO().KeyRepeatDelay = delay;
    layout_.markLast(number.id + ".edit");
    const bool left = !focusEdit_ && !ImGui::IsItemActive();
    focusEdit_ = false;
    ImGui::PopStyleVar();
    if (!unit.empty())
        ImGui::GetWindowDrawList()->AddText({at.x + size.x - unitWidth + theme_.px(6), fieldY + theme_.px(2)},
                                            theme_.colors.quiet, unit.c_str());
    ImGui::PopFont();
    ImGui::SetCursorScreenPos(at);
    ImGui::Dummy(size);
    if (!entered && !left) return false;
    editing_.clear();
    if (keyPressed(Key::Escape, false)) return false;
    return take(number, assign);
}

/// The typed number, rounded where it has to be whole. Other words, and a number out of range, are reported and change
/// nothing.
bool Widgets::take(const Number& number, const std::function<bool(double)>& assign) {
    const std::string typed = withoutThousands(text_);
    const std::optional<double> read = parseNumber(typed);
    if (!number.meta.autoWord.empty() && typed == number.meta.autoWord) return number.value != 0 && assign(0);
    if (!read || !std::isfinite(*read)) {
        complain(number.id,
                 fmt::format("\"{}\" is not a number. It stays {}.", text_, formatValue(number.meta, number.value)));
        return false;
    }
    const double wanted = *read / displayScale(number.meta);
    if (!within(wanted, number.meta.min, number.meta.max)) {
        complain(number.id, fmt::format("{} is outside of {}. It stays {}.", text_, rangeText(number.meta),
                                        formatValue(number.meta, number.value)));
        return false;
    }
    const double taken = number.integer ? std::round(wanted) : wanted;
    if (taken != wanted)
        complain(number.id, fmt::format("A whole number is needed: {}.", formatValue(number.meta, taken)));
    return taken != number.value && assign(taken);
}

void Widgets::complain(const std::string& id, std::string text) {
    complaintId_ = id;
    complaint_ = std::move(text);
    complaintSeconds_ = kComplaintSeconds;
}

/// Under its row, for some seconds.
void Widgets::complaint(const std::string& id, ImVec2 below) {
    if (complaintId_ != id || complaintSeconds_ <= 0) return;
    complaintSeconds_ -= ImGui::GetIO().DeltaTime;
    const FontScope font(theme_.small);
    ImGui::SetNextWindowPos(below);
    ImGui::PushStyleColor(ImGuiCol_PopupBg, theme_.colors.errorGround);
    ImGui::BeginTooltip();
    ImGui::PushTextWrapPos(theme_.px(250));
    ImGui::TextUnformatted(complaint_.c_str());
    ImGui::PopTextWrapPos();
    ImGui::EndTooltip();
    ImGui::PopStyleColor();
    layout_.mark("complaint:" + id, {0, 0}, {0, 0});
}

}  // namespace clothlab::app::widgets
