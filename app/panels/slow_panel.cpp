#include "panels/slow_panel.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "panels/numbers.hpp"
#include "panels/ui.hpp"

namespace clothlab::app {
namespace {

constexpr float kSecondsAFrame = 0.12f;
constexpr double kExaggerations[] = {1, 10, 100};

}  // namespace

float SlowPanel::build(const Region& centre, float bottom) {
    const float margin = theme_.px(14), height = theme_.px(122);
    FloatingPanel panel("slow", {centre.x + margin, bottom - height}, {centre.width - 2 * margin, height}, theme_, layout_);
    if (panel.heading("Slow motion", widgets_, "Back to the moving cloth (key K).")) model_.slow.open = false;
    advance();
    heading();
    slider();
    const float left = ImGui::GetCursorPosX(), half = (ImGui::GetContentRegionAvail().x - theme_.px(20)) / 2;
    const float y = ImGui::GetCursorPosY();
    for (std::size_t side = 0; side < 2; ++side) {
        ImGui::SetCursorPosY(y);
        sideLine(side, left + static_cast<float>(side) * (half + theme_.px(20)), half);
    }
    return height;
}

/// While it plays, the next iterate every now and then; at the end it stops.
void SlowPanel::advance() {
    SlowState& slow = model_.slow;
    if (!slow.playing) return;
    since_ += ImGui::GetIO().DeltaTime;
    if (since_ < kSecondsAFrame) return;
    since_ = 0;
    if (slow.frame + 1 < slow.frames())
        ++slow.frame;
    else
        slow.playing = false;
}

void SlowPanel::heading() {
    SlowState& slow = model_.slow;
    ImGui::SameLine(0, theme_.px(10));
    ImGui::PushFont(theme_.small);
    const std::string note = !slow.result                   ? "freezing the step …"
                             : !slow.result->problem.empty() ? slow.result->problem
                                                             : fmt::format("step {} · error ×", slow.result->motion.step);
    ImGui::TextColored(ImGui::ColorConvertU32ToFloat4(palette::kQuiet), "%s", note.c_str());
    ImGui::PopFont();
    for (const double factor : kExaggerations) {
        ImGui::SameLine(0, theme_.px(4));
        const std::string text = formatNumber(factor, 3);
        if (widgets_.toggle("slow/exaggerate/" + text, text.c_str(), slow.exaggeration == factor,
                            "The cloth at x + h (v + dv + factor (dv_k - dv)): with 1 where the iterate puts it, with more the error made large."))
            slow.exaggeration = factor;
    }
    ImGui::SameLine(0, theme_.px(10));
    if (widgets_.button("slow/again", "This step", 0, "Freezes the step that is on show now.")) model_.startSlowMotion();
}

void SlowPanel::slider() {
    SlowState& slow = model_.slow;
    const std::size_t frames = slow.frames();
    if (widgets_.button("slow/play", slow.playing ? "pause" : "play", theme_.px(54), "Runs through the iterates.") && frames > 1) {
        slow.playing = !slow.playing;
        if (slow.playing && slow.frame + 1 >= frames) slow.frame = 0;
    }
    ImGui::SameLine(0, theme_.px(10));
    if (widgets_.frames("slow/iterate", frames, slow.frame, "The iterate of conjugate gradients that is drawn.")) slow.playing = false;
}

bool SlowPanel::methodCombo(std::size_t side, float width) {
    simulation::Contestant& who = model_.slow.methods[side];
    bool changed = false;
    ImGui::SetNextItemWidth(width);
    const std::string id = "slow/method/" + std::to_string(side);
    if (ImGui::BeginCombo(("##" + id).c_str(), who.label().c_str(), ImGuiComboFlags_HeightLarge)) {
        for (const EnumEntry& entry : preconditioners::kPreconditionerKinds) {
            const auto kind = preconditioners::PreconditionerKind(entry.value);
            if (!solvers::refusal(solvers::SolverKind::ReducedPcg, {.kind = kind}).empty()) continue;
            const bool chosen = solvers::usesPreconditioner(who.solver.kind) && who.preconditioner.kind == kind;
            if (ImGui::Selectable(std::string(entry.label).c_str(), chosen)) {
                who.solver.kind = solvers::SolverKind::ReducedPcg;
                who.preconditioner = {.kind = kind};
                changed = true;
            }
            layout_.markLast(id + "/" + std::string(entry.key));
        }
        ImGui::EndCombo();
    } else {
        layout_.markLast(id);
    }
    return changed;
}

void SlowPanel::sideLine(std::size_t side, float x, float width) {
    const SlowState& slow = model_.slow;
    ImGui::PushFont(theme_.small);
    ImGui::SetCursorPosX(x);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const simulation::Contestant& who = slow.methods[side];
    ImGui::GetWindowDrawList()->AddRectFilled({at.x, at.y + theme_.px(8)}, {at.x + theme_.px(10), at.y + theme_.px(18)},
                                              methodColor(who.solver.kind, who.preconditioner.kind), theme_.px(2));
    ImGui::SetCursorPosX(x + theme_.px(18));
    if (methodCombo(side, width - theme_.px(18))) model_.startSlowMotion();
    ImGui::SetCursorPosX(x + theme_.px(18));
    std::string text = " ";
    if (slow.result && side < slow.result->motion.methods.size()) {
        const auto& method = slow.result->motion.methods[side];
        if (method.frames() > 0) {
            const std::size_t frame = slow.frameOf(side);
            text = fmt::format("iterate {} of {} · residual {} · largest error {} mm/s", method.iteration[frame], method.iteration.back(),
                               formatNumber(method.residuals[frame], 2), formatNumber(1e3 * slow.largestError[side], 2));
        } else {
            text = std::string(enumLabel(method.status)) + ". " + method.message;
        }
    }
    ImGui::TextColored(ImGui::ColorConvertU32ToFloat4(palette::kQuiet), "%s", text.c_str());
    ImGui::PopFont();
}

}  // namespace clothlab::app
