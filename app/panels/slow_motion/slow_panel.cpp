#include "panels/slow_motion/slow_panel.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "actions/actions.hpp"
#include "actions/showing.hpp"
#include "integrators/methods/catalogue.hpp"
#include "model/method_styles.hpp"
#include "solvers/catalogue.hpp"
#include "widgets/numbers.hpp"
#include "widgets/plots/plot_strokes.hpp"
#include "widgets/scopes.hpp"

namespace clothlab::app::panels {

using actions::actionKey;
using model::SlowState;
using model::StepNote;
using widgets::formatNumber;

namespace {

using experiments::Contestant;
using Measure = SlowState::Measure;

constexpr float kSecondsAFrame = 0.12f;
constexpr float kBeside = 940, kControls = 0.48f;  // points of width from which the plots stand beside; share of it
constexpr float kPlots = 142, kHighPlots = 0.22f;  // points of height; share of a high picture
constexpr float kLeastCloth = 230;                 // points that plots under the controls leave of it
constexpr float kSlowBeside = 700, kSlowControls = 0.38f, kSlowPlots = 180, kSlowCloth = 90;  // the same for a room
constexpr double kExaggerations[] = {1, 10, 100};

struct MeasureChoice {
    Measure measure;
    const char* name;
    const char* help;
};
constexpr MeasureChoice kMeasures[] = {
    {Measure::Error, "error", "|dv_k - dv| of each particle, against a direct solve of the same system."},
    {Measure::Residual, "residual",
     "|S(b - A dv_k)| of each particle: the residual of the iterate, measured alike for both systems."},
};

/// The system that a solver iterates on, which groups the list of solvers.
std::string systemName(const Contestant& who) { return std::string(solvers::entryFor(who.method.solver.kind).system); }

}  // namespace

float SlowPanel::build(const Region& centre, float bottom) {
    const float margin = theme_.px(14), padding = theme_.px(10);
    if (height_ == 0) height_ = theme_.px(150);
    widgets::FloatingPanel panel("slow", {centre.x + margin, bottom - height_}, {centre.width - 2 * margin, height_},
                                 theme_, layout_);
    if (panel.heading("Slow motion", widgets_,
                      fmt::format("Back to the moving cloth (key {}).", actionKey("slow.toggle"))))
        model_.closePanel();
    advance();
    const float right = ImGui::GetWindowPos().x + ImGui::GetWindowWidth() - theme_.px(14);
    heading(right - theme_.px(34));
    if (!model_.slow.shown() && !integrators::usesSolver(model_.snapshot->settings.integrator.kind))
        return std::exchange(height_, ImGui::GetCursorPosY() + padding);  // the heading says that there is nothing
    const ImVec2 inner = ImGui::GetContentRegionAvail();
    const bool room = model_.looks.presenter, beside = inner.x >= theme_.px(room ? kSlowBeside : kBeside);
    const float top = ImGui::GetCursorPosY(), before = ImGui::GetCursorPosX(), gap = theme_.px(20);
    const float width = beside ? (room ? kSlowControls : kControls) * inner.x : inner.x;
    if (!actions::controlsFolded(model_)) choices(ImGui::GetCursorScreenPos().x + width);
    slider(width);
    float end = sides(width, room && beside);
    const float leastCloth = theme_.px(room ? kSlowCloth : kLeastCloth);
    if (beside) {
        const float least = theme_.px(room ? kSlowPlots : kPlots);
        const float height = std::max({end - top, least, kHighPlots * (bottom - centre.y)});
        ImGui::SetCursorPos({before + width + gap, top});
        plots({inner.x - width - gap, height});
        end = top + height;
    } else if (bottom - centre.y > end + theme_.px(kPlots) + leastCloth) {
        ImGui::SetCursorPos({before, end + theme_.px(4)});
        plots({inner.x, theme_.px(kPlots)});
        end += theme_.px(kPlots + 8);
    }
    return std::exchange(height_, end + padding);
}

/// The two methods next to each other, or one over the other. Returns where they end.
float SlowPanel::sides(float width, bool stacked) {
    const float left = ImGui::GetCursorPosX(), gap = theme_.px(20), half = (width - gap) / 2;
    if (stacked) {
        for (std::size_t which = 0; which < 2; ++which) side(which, left, width);
        return ImGui::GetCursorPosY() - ImGui::GetStyle().ItemSpacing.y;
    }
    const float y = ImGui::GetCursorPosY();
    float end = y;
    for (std::size_t which = 0; which < 2; ++which) {
        ImGui::SetCursorPosY(y);
        side(which, left + float(which) * (half + gap), half);
        end = std::max(end, ImGui::GetCursorPosY());
    }
    return end - ImGui::GetStyle().ItemSpacing.y;
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

/// Which step it is of, or why there is none.
std::string SlowPanel::words() const {
    const SlowState& slow = model_.slow;
    if (std::string problem = slow.problem(); !problem.empty()) return problem;
    const worker::SlowMotionResult* shown = slow.shown();
    if (!shown) return "freezing the step …";
    if (!note_.words.empty()) return note_.words;
    return fmt::format("step {}, its solve from zero", shown->motion.step);
}

void SlowPanel::heading(float right) {
    const worker::SlowMotionResult* shown = model_.slow.shown();
    note_ = shown ? stepNote(shown->origin, model_) : StepNote();
    ImGui::SameLine(0, theme_.px(10));
    const widgets::FontScope font(theme_.small);
    if (actions::controlsFolded(model_)) {  // it stands with the choices otherwise
        thisStep();
        ImGui::SameLine(0, theme_.px(10));
    }
    const std::string text = words();
    if (text == note_.words && !text.empty()) {
        widgets_.warning("slow/note", text, note_.help + " This step freezes the step shown.", false);
        return;
    }
    ImGui::TextColored(theme_.quiet(), "%s", widgets::fitted(text, right - ImGui::GetCursorScreenPos().x).c_str());
    layout_.markLast("slow/note");
    layout_.words("slow/note", text);
    widgets_.tooltip("slow/note", ImGui::IsItemHovered(), [&] { return text; });
}

void SlowPanel::choices(float right) {
    SlowState& slow = model_.slow;
    const widgets::FontScope font(theme_.small);
    const auto name = [&](const char* text, bool first) {
        if (!first) widgets_.flow(text, theme_.px(14), right - theme_.px(60));  // its first choice stands beside it
        ImGui::AlignTextToFramePadding();
        ImGui::TextColored(theme_.quiet(), "%s", text);
    };
    name("drawn ×", true);
    for (const double factor : kExaggerations) {
        const std::string text = formatNumber(factor, 3);
        widgets_.flow(text.c_str(), theme_.px(4), right);
        if (widgets_.toggle("slow/exaggerate/" + text, text.c_str(), slow.exaggeration == factor,
                            "The cloth at x + h (v + dv + factor (dv_k - dv)): with 1 where the iterate puts it, with "
                            "more the error made large."))
            slow.exaggeration = factor;
    }
    name("colour", false);
    for (const MeasureChoice& choice : kMeasures) {
        widgets_.flow(choice.name, theme_.px(4), right);
        if (widgets_.toggle(std::string("slow/colour/") + choice.name, choice.name, slow.measure == choice.measure,
                            choice.help))
            slow.measure = choice.measure;
    }
    widgets_.flow("This step", theme_.px(14), right);
    thisStep();
}

void SlowPanel::thisStep() { actionButton("slow/again", "slow.start", "Freezes the step that is shown now."); }

void SlowPanel::slider(float width) {
    ImGui::BeginChild("##slider", {width, ImGui::GetFrameHeight()}, false, ImGuiWindowFlags_NoScrollbar);
    SlowState& slow = model_.slow;
    const std::size_t frames = slow.frames();
    if (widgets_.button("slow/play", slow.playing ? "pause" : "play", theme_.px(54), "Runs through the iterates.") &&
        frames > 1) {
        slow.playing = !slow.playing;
        if (slow.playing && slow.frame + 1 >= frames) slow.frame = 0;
    }
    ImGui::SameLine(0, theme_.px(10));
    if (widgets_.frames("slow/iterate", frames, slow.frame, "The iterate of conjugate gradients that is drawn."))
        slow.playing = false;
    ImGui::EndChild();
}

void SlowPanel::groupName(const Contestant& first) const {
    const std::string name = systemName(first);
    ImGui::TextColored(theme_.quiet(), "%s", name.empty() ? "The solver of the step" : name.c_str());
}

/// Every entry names its solver, and both systems are there whatever is chosen.
bool SlowPanel::methodCombo(std::size_t which, float width) {
    Contestant& who = model_.slow.methods[which];
    bool changed = false;
    ImGui::SetNextItemWidth(width);
    const std::string id = "slow/method/" + std::to_string(which), chosen = who.fullLabel();
    const bool open = ImGui::BeginCombo(("##" + id).c_str(), widgets::fitted(chosen, width - theme_.px(40)).c_str(),
                                        ImGuiComboFlags_HeightLargest);
    if (!open) {
        layout_.markLast(id);
        widgets_.tooltip(id, ImGui::IsItemHovered(), [&] { return chosen + "\n" + systemName(who); });
        return false;
    }
    const std::vector<Contestant> all = model_.slow.choices();
    const std::string own = model_.slow.own.fullLabel();
    for (std::size_t i = 0; i < all.size(); ++i) {
        const Contestant& c = all[i];
        if (i == 0 || all[i - 1].method.solver.kind != c.method.solver.kind) {
            if (i > 0) ImGui::Separator();
            groupName(c);
        }
        const std::string label = c.fullLabel();
        const bool preconditioned = solvers::usesPreconditioner(c.method.solver.kind);
        const std::string item =
            id + "/" + c.solverKey() + (preconditioned ? "/" + std::string(enumKey(c.method.preconditioner.kind)) : "");
        const std::string shown = fmt::format("{}{}##{}/{}", label, label == own ? "   (of the step)" : "", item, i);
        if (ImGui::Selectable(shown.c_str(), label == chosen) && label != chosen) {
            who = label == own ? model_.slow.own : c;
            changed = true;
        }
        layout_.markLast(item);
        widgets_.tooltip(item, ImGui::IsItemHovered(), [&] {
            return std::string(preconditioned ? enumEntry(c.method.preconditioner.kind).help
                                              : enumEntry(c.method.solver.kind).help);
        });
    }
    ImGui::EndCombo();
    return changed;
}

/// How far a side has come.
std::vector<std::string> SlowPanel::progressLines(std::size_t which) const {
    const SlowState& slow = model_.slow;
    const worker::SlowMotionResult* shown = slow.shown();
    if (shown && model_.snapshot->mesh && model_.snapshot->mesh->revision != shown->origin.mesh && !slow.pending())
        return {"press This step"};
    if (slow.pending() && shown && which < shown->motion.methods.size())
        return {"solving …", "shown: " + shown->motion.methods[which].who.fullLabel()};
    if (!shown || which >= shown->motion.methods.size()) return {};
    const auto& method = shown->motion.methods[which];
    if (method.frames() == 0) return {std::string(enumLabel(method.status)) + ". " + method.message};
    const std::size_t frame = slow.sideFrame(which);
    std::vector<std::string> out;
    if (solvers::usesPreconditioner(method.who.method.solver.kind))
        out.push_back(fmt::format("iterate {} of {}", method.iteration[frame], method.iteration.back()));
    else
        out.push_back("the solution: no iterates");
    if (!solvers::converged(method.status)) out.back() += ", " + std::string(enumLabel(method.status));
    out.push_back("residual " + formatNumber(method.residuals[frame], 2));
    out.push_back(fmt::format("largest error {} mm/s", formatNumber(1e3 * slow.largestError[which], 2)));
    return out;
}

void SlowPanel::side(std::size_t which, float x, float width) {
    const widgets::FontScope font(theme_.small);
    ImGui::SetCursorPosX(x);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float indent = theme_.px(18), end = at.x + width;
    widgets::drawSwatch(*ImGui::GetWindowDrawList(), {at.x - theme_.px(4), at.y + theme_.px(8)},
                        {theme_.px(17), theme_.px(10)}, stylesWanted()[which], theme_);
    ImGui::SetCursorPosX(x + indent);
    if (methodCombo(which, width - indent)) solveSlowMotion(model_);
    const std::string id = "slow/words/" + std::to_string(which);
    const std::vector<std::string> all = progressLines(which);
    float line = 0;  // where the present one ends
    for (std::size_t i = 0; i < all.size(); ++i) {
        const std::string text = (i > 0 && line > 0 ? " · " : "") + all[i];
        if (line > 0 && line + ImGui::CalcTextSize(text.c_str()).x <= end) {
            ImGui::SameLine(0, 0);
            ImGui::TextColored(theme_.quiet(), "%s", text.c_str());
        } else {
            ImGui::SetCursorPosX(x + indent);
            ImGui::PushTextWrapPos(x + width);
            ImGui::PushStyleColor(ImGuiCol_Text, theme_.quiet());
            ImGui::TextUnformatted(all[i].c_str());
            ImGui::PopStyleColor();
            ImGui::PopTextWrapPos();
        }
        line = ImGui::GetItemRectMax().x;
        layout_.markLast(id + "/" + std::to_string(i));
        layout_.words(id + "/" + std::to_string(i), all[i]);
        widgets_.tooltip(id, ImGui::IsItemHovered(), [] {
            return std::string(
                "The iterate that is drawn and the last one; its true relative residual; the largest |dv_k - dv| of a "
                "particle, dv being the solution.");
        });
    }
}

}  // namespace clothlab::app::panels
