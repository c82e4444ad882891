#include "columns/playground_column.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>

#include "actions/actions.hpp"
#include "panels/panel_makers.hpp"
#include "widgets/numbers.hpp"
#include "widgets/scopes.hpp"

namespace clothlab::app::columns {

using model::Panel;
using model::Playground;
using model::PlayTool;
using panels::Region;

namespace {

constexpr float kBig = 38;  // points, height of a button

/// How strong a wind is, in words.
const char* windWords(double speed) {
    return speed < 3 ? "a breath" : speed < 6 ? "a breeze" : speed < 9 ? "a strong wind" : "a storm";
}

}  // namespace

PlaygroundColumn::PlaygroundColumn(const panels::PanelContext& context)
    : WindowPart(context), gallery_(panels::makePanel(Panel::Gallery, context)) {}

Region PlaygroundColumn::build(ImVec2 window) {
    const float width = std::clamp(window.x * 0.2f, theme_.px(264), theme_.px(320));
    ImGui::SetNextWindowPos({0, 0});
    ImGui::SetNextWindowSize({width, window.y});
    {
        widgets::StyleScope style;
        style.measure(ImGuiStyleVar_WindowPadding, {theme_.px(16), theme_.px(14)});
        style.measure(ImGuiStyleVar_ItemSpacing, {theme_.px(8), theme_.px(8)});
        style.measure(ImGuiStyleVar_FrameRounding, theme_.px(6));
        ImGui::Begin("##playground", nullptr,
                     (ImGuiWindowFlags_NoDecoration & ~ImGuiWindowFlags_NoScrollbar) | ImGuiWindowFlags_NoMove |
                         ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoNav);
        layout_.mark("playground", {0, 0}, {width, window.y});
        scenes();
        tools();
        colors();
        fan();
        motion();
        ImGui::Dummy({0, theme_.px(2)});
        if (bigButton("playground/leave", "Back to the laboratory", ImGui::GetContentRegionAvail().x, false,
                      "All settings, plots and methods. The cloth stays as it is."))
            actions::runAction(model_, "playground.toggle");
        ImGui::End();
    }
    ImGui::GetBackgroundDrawList()->AddLine({width, 0}, {width, window.y}, theme_.colors.line);
    Region cloth{width, 0, std::max(window.x - width, 1.0f), window.y};
    if (!model_.isOpen(Panel::Gallery)) return cloth;
    gallery_->build(cloth, window.y - theme_.px(14));
    cloth.height = 1;
    return cloth;
}

void PlaygroundColumn::heading(const char* text) {
    ImGui::Dummy({0, theme_.px(2)});
    const widgets::FontScope font(theme_.strong);
    ImGui::TextUnformatted(text);
}

bool PlaygroundColumn::bigButton(std::string_view id, const char* text, float width, bool lit, std::string_view help) {
    widgets::StyleScope style;
    style.color(ImGuiCol_Text, lit ? theme_.colors.toggleText : theme_.colors.text);
    if (lit) style.color(ImGuiCol_Button, theme_.colors.toggleOn).color(ImGuiCol_ButtonHovered, theme_.colors.toggleOn);
    layout_.wants(id, ImGui::CalcTextSize(text).x, width - theme_.px(4));
    const bool clicked = ImGui::Button((std::string(text) + "##" + std::string(id)).c_str(), {width, theme_.px(kBig)});
    layout_.markLast(id);
    widgets_.tooltip(id, ImGui::IsItemHovered(), [&] { return std::string(help); });
    return clicked;
}

/// Buttons of actions side by side, across the column; one may be lit.
void PlaygroundColumn::actionRow(std::initializer_list<std::string_view> actions, std::string_view lit) {
    const float gap = ImGui::GetStyle().ItemSpacing.x, count = float(actions.size());
    const float width = (ImGui::GetContentRegionAvail().x - (count - 1) * gap) / count;
    for (const std::string_view& name : actions) {
        const actions::Action* action = actions::findAction(name);
        assert(action && "an action of the register");
        if (&name != actions.begin()) ImGui::SameLine();
        if (bigButton(name, action->label.c_str(), width, name == lit, "")) actions::runAction(model_, name);
    }
}

void PlaygroundColumn::scenes() {
    {
        const widgets::FontScope font(theme_.strong);
        const std::string& title = model_.scene.title;
        ImGui::PushTextWrapPos(0);
        ImGui::TextUnformatted(title.empty() ? "The playground" : title.c_str());
        ImGui::PopTextWrapPos();
    }
    if (bigButton("playground/scenes", "Choose a scene", ImGui::GetContentRegionAvail().x,
                  model_.isOpen(Panel::Gallery), ""))
        actions::runAction(model_, "gallery.toggle");
    if (model_.load != 0) widgets_.note("It is coming ...");
}

void PlaygroundColumn::tools() {
    heading("Your hand");
    const PlayTool tool = model_.playground.tool;
    actionRow({"play.hand", "play.scissors", "play.ball"}, tool == PlayTool::Scissors ? "play.scissors"
                                                           : tool == PlayTool::Ball   ? "play.ball"
                                                                                      : "play.hand");
    widgets_.note(tool == PlayTool::Scissors ? "Drag across the cloth to cut it."
                  : tool == PlayTool::Ball   ? "Click where the ball should fly."
                                             : "Drag the cloth. Drag beside it to look around.");
}

void PlaygroundColumn::colors() {
    heading("Colour");
    constexpr int kInRow = 4;
    const float gap = ImGui::GetStyle().ItemSpacing.x;
    const ImVec2 size((ImGui::GetContentRegionAvail().x - (kInRow - 1) * gap) / kInRow, theme_.px(30));
    ImDrawList* draw = ImGui::GetWindowDrawList();
    for (int k = 0; k < int(std::size(widgets::kClothColors)); ++k) {
        const widgets::ClothColor& dye = widgets::kClothColors[k];
        const std::string id = std::string("playground/") + dye.key;
        if (k % kInRow != 0) ImGui::SameLine();
        if (ImGui::InvisibleButton(id.c_str(), size)) model_.playground.color = k;
        layout_.markLast(id);
        const ImVec2 min = ImGui::GetItemRectMin(), max = ImGui::GetItemRectMax();
        const bool chosen = model_.playground.color == k, hovered = ImGui::IsItemHovered();
        draw->AddRectFilled(min, max, dye.color, theme_.px(6));
        if (chosen || hovered)
            draw->AddRect(min, max, chosen ? theme_.colors.knob : theme_.colors.track, theme_.px(6), 0, theme_.px(3));
        else if (theme_.colors.swatchRim != 0)
            draw->AddRect(min, max, theme_.colors.swatchRim, theme_.px(6));
        widgets_.tooltip(id, hovered, [&] { return std::string(dye.name); });
    }
}

void PlaygroundColumn::fan() {
    heading("Wind");
    Playground& play = model_.playground;
    const float width = ImGui::GetContentRegionAvail().x, button = std::min(theme_.px(70), width / 3);
    if (bigButton("play.fan", "Fan", button, play.fan.has_value(), "Blows into the picture, wherever you look from."))
        actions::runAction(model_, "play.fan");
    ImGui::SameLine();
    widgets::StyleScope style;
    style.color(ImGuiCol_SliderGrab, theme_.colors.knob).color(ImGuiCol_SliderGrabActive, theme_.colors.knob);
    style.measure(ImGuiStyleVar_FramePadding, {theme_.px(8), (theme_.px(kBig) - ImGui::GetFontSize()) / 2});
    ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x);
    auto speed = float(play.wind);
    if (ImGui::SliderFloat("##wind", &speed, float(Playground::kLeastWind), float(Playground::kMostWind), "",
                           ImGuiSliderFlags_AlwaysClamp | ImGuiSliderFlags_NoInput))
        play.wind = double(speed);
    layout_.markLast("playground/wind");
    const cloth::WindSettings& wind = model_.settings.wind;
    const bool own = !play.fan && wind.dragCoefficient > 0 && !wind.velocity.isZero(0.0);
    widgets_.note(own ? "The scene has a wind of its own; the fan takes its place." : windWords(play.wind));
    layout_.words("playground/wind", own ? "own" : windWords(play.wind));
}

void PlaygroundColumn::motion() {
    heading("Motion");
    actionRow({"play.again"}, "");
    const float gap = ImGui::GetStyle().ItemSpacing.x, third = (ImGui::GetContentRegionAvail().x - 2 * gap) / 3;
    if (bigButton("playground/slower", "Slower", third, false, "")) actions::runAction(model_, "motion.slower");
    ImGui::SameLine();
    if (bigButton("playground/play", model_.playing ? "Pause" : "Play", third, !model_.playing, ""))
        actions::runAction(model_, "motion.play");
    ImGui::SameLine();
    if (bigButton("playground/faster", "Faster", third, false, "")) actions::runAction(model_, "motion.faster");
    if (!model_.said.text.empty() && model_.said.seconds > 0) widgets_.note(model_.said.text, model_.said.isError);
    const bool stopped = !model_.snapshot->problem.empty();
    const std::string words = stopped ? "That was too much: the cloth has stopped. Start again!" : speedWords();
    widgets_.note(words, stopped);
    layout_.words("playground/speed", words);
}

/// What it is, not what was asked for: a large cloth may take longer than that.
std::string PlaygroundColumn::speedWords() const {
    if (!model_.playing) return "Paused.";
    const double wanted = model_.speed, reached = model_.snapshot->realTimeFactor;
    constexpr double kLate = 0.85;  // of what is asked for
    if (wanted > 0 && reached > 0 && reached < kLate * wanted)
        return fmt::format("At {} of real speed: each step takes this computer that long.",
                           widgets::formatNumber(reached, 2));
    return wanted <= 0 ? "As fast as it goes." : wanted < 1 ? "Slow motion." : wanted > 1 ? "Fast." : "At real speed.";
}

}  // namespace clothlab::app::columns
