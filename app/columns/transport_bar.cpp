#include "columns/transport_bar.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "actions/actions.hpp"
#include "actions/showing.hpp"
#include "base/text.hpp"
#include "columns/regions.hpp"
#include "model/speeds.hpp"
#include "widgets/numbers.hpp"
#include "widgets/scopes.hpp"

namespace clothlab::app::columns {

using actions::actionKey;
using model::kSpeeds;
using model::Speed;
using model::UiModel;
using worker::Snapshot;

namespace {

constexpr float kLean = 700;  // points

/// Its point lies `tip` below the centre, or above.
void drawChevron(ImDrawList* draw, ImVec2 c, float r, float tip, ImU32 color) {
    const ImVec2 points[] = {{c.x - 0.8f * r, c.y - tip}, {c.x, c.y + tip}, {c.x + 0.8f * r, c.y - tip}};
    draw->AddPolyline(points, 3, color, 0, r * 0.26f);
}

std::string speedHelp(double factor) {
    if (factor == 0) return "Steps follow each other as fast as they are computed.";
    return fmt::format("A second of the clock shows {} s of the motion.", widgets::formatNumber(factor, 3));
}

std::string whereText(const Snapshot& now) { return fmt::format("step {} · {:.2f} s", now.step, now.timeSeconds); }

std::string paceText(const UiModel& model) {
    const Snapshot& now = *model.snapshot;
    if (!model.playing && model.laterSteps() > 0)
        return fmt::format("playing drops {} later step{}", model.laterSteps(), plural(model.laterSteps()));
    std::string pace = now.step == 0 ? "at the start" : widgets::formatNumber(now.report.stepMs, 3) + " ms per step";
    if (now.playing && now.realTimeFactor > 0)
        pace += fmt::format(" · {:.{}f}× real time", now.realTimeFactor, now.realTimeFactor < 10 ? 2 : 0);
    return pace;
}

}  // namespace

void TransportBar::drawIcon(ImDrawList* draw, Icon icon, ImVec2 c, float r, ImU32 color) {
    const auto bar = [&](float x0, float x1) {
        draw->AddRectFilled({c.x + x0 * r, c.y - r}, {c.x + x1 * r, c.y + r}, color, r * 0.12f);
    };
    const auto triangle = [&](float tip, float base) {
        draw->AddTriangleFilled({c.x + base * r, c.y - r}, {c.x + tip * r, c.y}, {c.x + base * r, c.y + r}, color);
    };
    switch (icon) {
        case Icon::Play:
            triangle(1.0f, -0.7f);
            break;
        case Icon::Pause:
            bar(-0.75f, -0.2f), bar(0.2f, 0.75f);
            break;
        case Icon::Back:
            triangle(-0.9f, 0.55f), bar(0.65f, 0.95f);
            break;
        case Icon::Forward:
            triangle(0.9f, -0.55f), bar(-0.95f, -0.65f);
            break;
        case Icon::Branch:
            draw->AddLine({c.x - r, c.y}, {c.x - 0.25f * r, c.y}, color, r * 0.24f);
            for (const float side : {-1.0f, 1.0f}) {
                draw->AddLine({c.x - 0.25f * r, c.y}, {c.x + 0.45f * r, c.y + side * 0.62f * r}, color, r * 0.24f);
                draw->AddCircleFilled({c.x + 0.7f * r, c.y + side * 0.68f * r}, r * 0.3f, color, 16);
            }
            break;
        case Icon::More:
            draw->AddLine({c.x - 0.8f * r, c.y}, {c.x + 0.8f * r, c.y}, color, r * 0.26f);
            draw->AddLine({c.x, c.y - 0.8f * r}, {c.x, c.y + 0.8f * r}, color, r * 0.26f);
            break;
        case Icon::Beside:
            for (const float side : {-1.0f, 1.0f})
                draw->AddRect({c.x + (side < 0 ? -r : 0.15f * r), c.y - 0.8f * r},
                              {c.x + (side < 0 ? -0.15f * r : r), c.y + 0.8f * r}, color, r * 0.12f, 0, r * 0.24f);
            break;
        case Icon::Unfold:
            drawChevron(draw, c, r, -0.45f * r, color);
            break;
        case Icon::Fold:
            drawChevron(draw, c, r, 0.45f * r, color);
            break;
        case Icon::Undo:
        case Icon::Redo: {
            const float side = icon == Icon::Undo ? -1.0f : 1.0f;
            const auto at = [&](float x, float y) { return ImVec2(c.x + side * x * r, c.y + y * r); };
            draw->AddBezierCubic(at(-0.75f, 0.75f), at(-1.15f, -0.7f), at(0.1f, -0.75f), at(0.55f, -0.25f), color,
                                 r * 0.24f, 24);
            draw->AddTriangleFilled(at(0.95f, -0.75f), at(0.95f, 0.3f), at(-0.05f, 0.2f), color);
            break;
        }
        case Icon::Restart:
            draw->PathArcTo(c, r * 0.85f, -0.9f, 3.9f, 28);
            draw->PathStroke(color, 0, r * 0.24f);
            const ImVec2 tip(c.x + r * 0.85f * std::cos(-0.9f), c.y + r * 0.85f * std::sin(-0.9f));
            draw->AddTriangleFilled({tip.x - r * 0.55f, tip.y - r * 0.12f}, {tip.x + r * 0.32f, tip.y - r * 0.45f},
                                    {tip.x + r * 0.15f, tip.y + r * 0.45f}, color);
            break;
    }
}

void TransportBar::iconButton(std::string_view id, Icon icon, std::string_view action, std::string_view help, bool lit,
                              bool pale) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float size = theme_.px(34);
    if (ImGui::InvisibleButton(std::string(id).c_str(), {size, size})) actions::runAction(model_, action);
    layout_.markLast(id);
    const bool hovered = ImGui::IsItemHovered();
    ImDrawList* draw = ImGui::GetWindowDrawList();
    if (hovered || lit) draw->AddRectFilled(at, {at.x + size, at.y + size}, theme_.colors.field, theme_.px(4));
    drawIcon(draw, icon, {at.x + size / 2, at.y + size / 2}, theme_.px(8),
             pale      ? theme_.colors.track
             : hovered ? theme_.colors.knob
                       : theme_.colors.text);
    widgets_.tooltip(id, hovered, [&] { return std::string(help); });
}

/// Its tooltip says what would be taken back or done again; pale where there is nothing.
void TransportBar::changeButton(std::string_view action, Icon icon, const model::Change* change) {
    const actions::Action& does = *actions::findAction(action);
    const std::string key = actionKey(action);
    const std::string help = change ? fmt::format("{}: {} ({})", does.label, change->words(), key)
                                    : fmt::format("{} ({}): {}", does.label, key, does.refusal(model_));
    iconButton(action, icon, action, help, false, change == nullptr);
}

void TransportBar::buttons(bool changes, bool branching) {
    const Snapshot& now = *model_.snapshot;
    const std::int64_t later = model_.laterSteps();
    const std::string playKey = actionKey("motion.play"), stepKey = actionKey("motion.step");
    const std::string dropped = later == 1 ? "the step after it" : fmt::format("the {} steps after it", later);
    const std::string play =
        model_.playing ? fmt::format("Pause ({})", playKey)
        : later > 0    ? fmt::format("Play ({}) continues from step {} and drops {}.", playKey, now.step, dropped)
                       : fmt::format("Play ({})", playKey);
    const std::string step =
        later > 0 ? fmt::format("One step forward ({}) from step {}; drops {}.", stepKey, now.step, dropped)
                  : fmt::format("One step forward ({})", stepKey);
    const std::string branchKey = actionKey("branch.toggle");
    const std::string branch = now.ghost.present
                                   ? fmt::format("End the ghost ({})", branchKey)
                                   : fmt::format(
                                         "Branch ({}): a ghost continues from here with the present settings. Change "
                                         "them, and see how far the two part.",
                                         branchKey);
    const float gap = theme_.px(2);
    iconButton("play", model_.playing ? Icon::Pause : Icon::Play, "motion.play", play);
    ImGui::SameLine(0, gap);
    iconButton("step_back", Icon::Back, "motion.back", fmt::format("One step back ({})", actionKey("motion.back")));
    ImGui::SameLine(0, gap);
    iconButton("step_forward", Icon::Forward, "motion.step", step);
    ImGui::SameLine(0, gap);
    iconButton("restart", Icon::Restart, "motion.restart",
               fmt::format("Restart the motion ({}); settings and pins stay", actionKey("motion.restart")));
    if (!branching) return;
    ImGui::SameLine(0, gap);
    iconButton("branch", Icon::Branch, "branch.toggle", branch, now.ghost.present);
    if (now.ghost.present) {
        ImGui::SameLine(0, gap);
        const actions::Action& beside = *actions::findAction("branch.beside");
        if (!model_.looks.presenter) {  // large type leaves the timeline no room for it
            iconButton("branch/further", Icon::More, "branch.further",
                       "Another ghost, of at most four, continues from here with the present settings.", false,
                       now.ghosts() == worker::kMostGhosts);
            ImGui::SameLine(0, gap);
        }
        iconButton("branch/beside", Icon::Beside, beside.name, beside.label + ": " + beside.help,
                   model_.looks.ghostBeside);
    }
    if (changes) {
        ImGui::SameLine(0, gap);
        changeButton("undo", Icon::Undo, model_.editor.changes.last());
        ImGui::SameLine(0, gap);
        changeButton("redo", Icon::Redo, model_.editor.changes.next());
    }
}

/// Room for the two lines, in steps of 20 points, so that the timeline does not tremble with the digits.
float TransportBar::motionWidth() const {
    const float where = ImGui::CalcTextSize(whereText(*model_.snapshot).c_str()).x;
    ImGui::PushFont(theme_.small);
    const float pace = ImGui::CalcTextSize(paceText(model_).c_str()).x;
    ImGui::PopFont();
    const float grain = theme_.px(20);
    return std::max(theme_.px(170), std::ceil(std::max(where, pace) / grain) * grain);
}

/// Which step is shown and how fast the motion is, in two lines.
void TransportBar::motionWords(ImVec2 at) {
    const float width = motionWidth(), height = theme_.px(34);
    const bool drops = !model_.playing && model_.laterSteps() > 0;
    ImGui::SetCursorScreenPos(at);
    ImGui::Dummy({width, height});
    layout_.markLast("motion");
    layout_.words("motion", whereText(*model_.snapshot) + "\n" + paceText(model_));
    const bool hovered = ImGui::IsItemHovered();
    ImDrawList* draw = ImGui::GetWindowDrawList();
    draw->AddText({at.x, at.y - theme_.px(1)}, theme_.colors.text, whereText(*model_.snapshot).c_str());
    ImGui::PushFont(theme_.small);
    draw->AddText({at.x, at.y + theme_.px(19)}, drops ? theme_.colors.pin : theme_.colors.quiet,
                  paceText(model_).c_str());
    ImGui::PopFont();
    widgets_.tooltip("motion", hovered, [drops] {
        return drops ? std::string(
                           "An earlier step is shown. Playing or stepping from here computes the later steps again "
                           "and drops the old ones.")
                     : std::string(
                           "Step and simulated time shown; milliseconds that the last step took to compute; simulated "
                           "seconds per second of the clock while it plays: below 1× a step takes longer than the "
                           "time that it simulates.");
    });
}

/// Beside a lesson, which sets speed and ghost itself, a room sees the timeline in their place.
bool TransportBar::lean(float width) const {
    return actions::toolsFolded(model_) && model_.lessons.isOn() && width < theme_.px(kLean);
}

/// One line where there is room, else the timeline under the buttons.
void TransportBar::build(const panels::Region& region) {
    const bool oneLine =
        region.width >= theme_.px(model_.looks.presenter ? Regions::kOneLinePresenting : Regions::kOneLine);
    const bool folds = actions::findAction("presenter.controls")->refusal(model_).empty(),
               lean = this->lean(region.width);
    const float button = theme_.px(34), margin = theme_.px(10), gap = theme_.px(12), words = motionWidth();
    const float choice = lean ? 0 : theme_.px(76), speed = choice + (folds ? button : 0);  // at the right end
    ImGui::SetNextWindowPos({region.x, region.y});
    ImGui::SetNextWindowSize({region.width, region.height});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {margin, oneLine ? (region.height - button) / 2 : theme_.px(4)});
    ImGui::Begin("##bottom", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoScrollWithMouse |
                     ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoNav);
    ImGui::PopStyleVar();
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const float right = region.x + region.width - margin;
    const float leastForChanges = theme_.px(oneLine ? Regions::kOneLine + 20 : 400);  // keys do the same
    buttons(model_.looks.interactive && !model_.looks.presenter && region.width >= leastForChanges, !lean);
    ImGui::SameLine(0, gap);
    const ImVec2 behind = ImGui::GetCursorScreenPos();
    if (folds) {
        ImGui::SetCursorScreenPos({right - button, start.y});
        const bool out = model_.looks.controlsOut;
        iconButton("controls", out ? Icon::Fold : Icon::Unfold, "presenter.controls",
                   out ? "Folds the controls: the room is the panel's." : "Controls, overlays and panels.");
    }
    ImGui::SetCursorScreenPos({right - speed, start.y + theme_.px(4)});
    if (!lean) speedCombo(choice - (folds ? theme_.px(4) : 0));
    const float second = start.y + button + theme_.px(2);
    if (oneLine) {
        motionWords({right - speed - gap - words, start.y});
        ImGui::SetCursorScreenPos(behind);
        timeline(right - speed - words - 2 * gap - behind.x);
    } else if (behind.x + words + gap + speed <= right) {
        motionWords({right - speed - gap - words, start.y});
        ImGui::SetCursorScreenPos({start.x, second});
        timeline(right - start.x);
    } else {
        motionWords({right - words, second});
        ImGui::SetCursorScreenPos({start.x, second});
        timeline(right - words - gap - start.x);
    }
    ImGui::End();
    ImGui::GetBackgroundDrawList()->AddLine({region.x, region.y}, {region.x + region.width, region.y},
                                            theme_.colors.line);
}

void TransportBar::timeline(float width) {
    const Snapshot& now = *model_.snapshot;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float height = theme_.px(34);
    ImGui::InvisibleButton("timeline", {width, height});
    layout_.markLast("timeline");
    const bool active = ImGui::IsItemActive(), hovered = ImGui::IsItemHovered();
    const double first = double(now.historyFirst);
    const double last = double(std::max(now.historyLast, now.historyFirst + 1));
    const float inset = theme_.px(7), x0 = at.x + inset, x1 = at.x + width - inset;
    const auto stepAt = [&](float x) {
        const double t = std::clamp((x - x0) / (x1 - x0), 0.0f, 1.0f);
        return std::min(std::int64_t(std::llround(first + t * (last - first))), now.historyLast);
    };
    const float mouseX = ImGui::GetIO().MousePos.x;
    if (ImGui::IsItemActivated() || (active && stepAt(mouseX) != scrub_)) {
        scrub_ = stepAt(mouseX);
        seek(model_, scrub_);
    }
    drawTimeline({x0, at.y + height / 2}, x1 - x0, double(active ? scrub_ : now.step), active || hovered);
    if (hovered && !active) {
        const widgets::FontScope font(theme_.small);
        ImGui::BeginTooltip();
        ImGui::Text("step %lld", static_cast<long long>(stepAt(mouseX)));
        ImGui::TextColored(theme_.quiet(), "remembered: %lld .. %lld", static_cast<long long>(now.historyFirst),
                           static_cast<long long>(now.historyLast));
        if (!model_.playing && model_.laterSteps() > 0)
            ImGui::TextColored(ImGui::ColorConvertU32ToFloat4(theme_.colors.pin),
                               "dashed: steps that playing from here drops");
        ImGui::EndTooltip();
    }
}

/// From `at` on, to the right; the knob stands at the step shown.
void TransportBar::drawTimeline(ImVec2 at, float width, double shown, bool lively) const {
    const Snapshot& now = *model_.snapshot;
    const auto first = double(now.historyFirst), last = double(std::max(now.historyLast, now.historyFirst + 1));
    const float end = at.x + width, knob = at.x + float((shown - first) / (last - first)) * width;
    const float half = theme_.px(2.5f), y = at.y;
    ImDrawList* draw = ImGui::GetWindowDrawList();
    draw->AddRectFilled({at.x, y - half}, {end, y + half}, theme_.colors.groove, half);
    draw->AddRectFilled({at.x, y - half}, {knob, y + half}, theme_.colors.track, half);
    if (!model_.playing && shown < double(now.historyLast))  // what playing on from here drops
        for (float x = knob; x < end; x += theme_.px(8))
            draw->AddRectFilled({x, y - half}, {std::min(x + theme_.px(4), end), y + half},
                                widgets::withAlpha(theme_.colors.pin, 150));
    draw->AddCircleFilled({knob, y}, theme_.px(lively ? 7.5f : 6.5f), theme_.colors.knob, 24);
}

void TransportBar::speedCombo(float width) {
    const char* label = "1×";
    for (const Speed& speed : kSpeeds)
        if (speed.factor == model_.speed) label = speed.label;
    const widgets::FontScope font(theme_.small);
    const ImVec2 min = ImGui::GetCursorScreenPos();
    layout_.mark("speed", min, {min.x + width, min.y + ImGui::GetFrameHeight()});
    ImGui::SetNextItemWidth(width);
    if (ImGui::BeginCombo("##speed", label, ImGuiComboFlags_HeightLarge)) {
        for (const Speed& speed : kSpeeds) {
            if (ImGui::Selectable(speed.label, speed.factor == model_.speed)) setSpeed(model_, speed.factor);
            const std::string id = std::string("speed/") + speed.label;
            layout_.markLast(id);
            widgets_.tooltip(id, ImGui::IsItemHovered(), [&] { return speedHelp(speed.factor); });
        }
        ImGui::EndCombo();
    } else {
        widgets_.tooltip("speed", ImGui::IsItemHovered(), [] {
            return std::string("Simulated seconds per second of the clock. A late simulation does not catch up.");
        });
    }
}

}  // namespace clothlab::app::columns
