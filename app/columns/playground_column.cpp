#include "columns/playground_column.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

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

constexpr float kBig = 48, kMostBig = 64;             // points, height of a button
constexpr float kWindSlider = 30, kButtonGap = 6;     // points
constexpr float kLeastWidth = 290, kMostWidth = 400;  // points, of the column
constexpr float kLeastWithPictures = 700;             // points of height, below which scenes have no pictures
constexpr float kPictureShape = 9.0f / 16;

/// How strong a wind is, in words.
const char* windWords(double speed) {
    return speed < 3 ? "a breath" : speed < 6 ? "a breeze" : speed < 9 ? "a strong wind" : "a storm";
}

/// "a fifth of real speed", "0.37 of real speed", "1.5 times real speed".
std::string shareWords(double share) {
    constexpr std::pair<double, const char*> kShares[] = {
        {0.1, "a tenth of"}, {0.2, "a fifth of"},        {0.25, "a quarter of"},     {1.0 / 3, "a third of"},
        {0.5, "half of"},    {2.0 / 3, "two thirds of"}, {0.75, "three quarters of"}};
    for (const auto& [value, words] : kShares)
        if (std::abs(share - value) < 0.06 * value) return std::string(words) + " real speed";
    return fmt::format("{} {} real speed", widgets::formatNumber(share, 2), share < 1 ? "of" : "times");
}

}  // namespace

PlaygroundColumn::PlaygroundColumn(const panels::PanelContext& context)
    : WindowPart(context), gallery_(panels::makePanel(Panel::Gallery, context)) {}

Region PlaygroundColumn::build(ImVec2 window) {
    const float width = std::clamp(window.x * 0.23f, theme_.px(kLeastWidth), theme_.px(kMostWidth));
    ImGui::SetNextWindowPos({0, 0});
    ImGui::SetNextWindowSize({width, window.y});
    {
        widgets::StyleScope style;
        style.measure(ImGuiStyleVar_WindowPadding, {theme_.px(14), theme_.px(10)});
        style.measure(ImGuiStyleVar_ItemSpacing, {theme_.px(kButtonGap), theme_.px(kButtonGap)});
        style.measure(ImGuiStyleVar_FrameRounding, theme_.px(6));
        ImGui::Begin("##playground", nullptr,
                     (ImGuiWindowFlags_NoDecoration & ~ImGuiWindowFlags_NoScrollbar) | ImGuiWindowFlags_NoMove |
                         ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoNav);
        layout_.mark("playground", {0, 0}, {width, window.y});
        fill(window.y);
        ImGui::End();
    }
    ImGui::GetBackgroundDrawList()->AddLine({width, 0}, {width, window.y}, theme_.colors.line);
    Region cloth{width, 0, std::max(window.x - width, 1.0f), window.y};
    if (!model_.isOpen(Panel::Gallery)) return cloth;
    gallery_->build(cloth, window.y - theme_.px(14));
    cloth.height = 1;
    return cloth;
}

/// The groups share what is left of the height, as it was in the last frame: no part of the column stays empty.
void PlaygroundColumn::fill(float height) {
    using Group = void (PlaygroundColumn::*)();
    constexpr Group kGroups[] = {&PlaygroundColumn::scenes, &PlaygroundColumn::tools, &PlaygroundColumn::colors,
                                 &PlaygroundColumn::motion};
    big_ = std::clamp(height / 15, theme_.px(kBig), theme_.px(kMostBig));
    withPictures_ = height >= theme_.px(kLeastWithPictures);
    const float gaps = float(std::size(kGroups)), leave = height - ImGui::GetCursorPosY() - big_;
    for (const Group group : kGroups) {
        (this->*group)();
        ImGui::SetCursorPosY(ImGui::GetCursorPosY() + spread_);
    }
    const float end = ImGui::GetCursorPosY();
    ImGui::SetCursorPosY(std::max(end, leave));
    spread_ = std::max(0.0f, std::floor(spread_ + (leave - end) / gaps));
    if (bigButton("playground/leave", "Back to the laboratory", ImGui::GetContentRegionAvail().x, false,
                  "All settings, plots and methods. The cloth stays as it is."))
        actions::runAction(model_, "playground.toggle");
}

/// `refusal`: why it cannot be pressed, or empty.
bool PlaygroundColumn::bigButton(std::string_view id, const char* text, float width, bool lit, std::string_view help,
                                 const std::string& refusal) {
    widgets::StyleScope style;
    style.color(ImGuiCol_Text, !refusal.empty() ? theme_.colors.quiet
                               : lit            ? theme_.colors.toggleText
                                                : theme_.colors.text);
    if (lit) style.color(ImGuiCol_Button, theme_.colors.toggleOn).color(ImGuiCol_ButtonHovered, theme_.colors.toggleOn);
    layout_.wants(id, ImGui::CalcTextSize(text).x, width - theme_.px(4));
    const bool clicked = ImGui::Button((std::string(text) + "##" + std::string(id)).c_str(), {width, big_});
    layout_.markLast(id);
    widgets_.tooltip(id, ImGui::IsItemHovered(), [&] { return refusal.empty() ? std::string(help) : refusal; });
    return clicked && refusal.empty();
}

float PlaygroundColumn::share(int count) const {
    return std::floor((ImGui::GetContentRegionAvail().x - float(count - 1) * theme_.px(kButtonGap)) / float(count));
}

/// Buttons of actions side by side, across the column.
void PlaygroundColumn::actionRow(std::initializer_list<ActionButton> buttons) {
    const float width = share(int(buttons.size()));
    for (const ActionButton& button : buttons) {
        const actions::Action* action = actions::findAction(button.action);
        assert(action && "an action of the register");
        if (&button != buttons.begin()) ImGui::SameLine();
        const std::string refusal = action->refusal ? action->refusal(model_) : "";
        if (bigButton(button.action, action->label.c_str(), width, button.lit, button.help, refusal))
            actions::runAction(model_, button.action);
    }
}

void PlaygroundColumn::scenes() {
    const float width = share(2);
    bool second = false;
    for (const model::PlayScene& scene : model::kPlayScenes) {
        if (std::exchange(second, !second)) ImGui::SameLine();
        sceneButton(scene, width);
    }
    if (bigButton("playground/scenes", model_.load != 0 ? "It is coming ..." : "Choose another scene",
                  ImGui::GetContentRegionAvail().x, model_.isOpen(Panel::Gallery), ""))
        actions::runAction(model_, "gallery.toggle");
}

/// With its picture where the column is high enough.
void PlaygroundColumn::sceneButton(const model::PlayScene& scene, float width) {
    const std::string id = std::string("playground/scene/") + scene.name;
    const bool current = model_.scene.name == scene.name && model_.load == 0;
    const auto open = [&] {
        model_.closePanel();
        model_.files.request = scene.name;
    };
    const ImTextureID picture =
        withPictures_ && model_.pictures ? model_.pictures(std::string("scenes/") + scene.name) : nullptr;
    if (!picture) {
        if (bigButton(id, scene.label, width, current, "")) open();
        return;
    }
    const float shape = width * kPictureShape, words = ImGui::GetFontSize() + theme_.px(8);
    if (ImGui::InvisibleButton(id.c_str(), {width, shape + words})) open();
    layout_.markLast(id);
    layout_.wants(id, ImGui::CalcTextSize(scene.label).x, width - theme_.px(4));
    const ImVec2 min = ImGui::GetItemRectMin(), max = ImGui::GetItemRectMax();
    ImDrawList* draw = ImGui::GetWindowDrawList();
    const float round = theme_.px(6);
    draw->AddRectFilled(min, max, ImGui::IsItemHovered() ? theme_.colors.fieldHover : theme_.colors.field, round);
    draw->AddImageRounded(picture, min, {max.x, min.y + shape}, {0, 0}, {1, 1}, widgets::kUntinted, round,
                          ImDrawFlags_RoundCornersTop);
    const float text = ImGui::CalcTextSize(scene.label).x;
    draw->AddText({(min.x + max.x - text) / 2, min.y + shape + theme_.px(3)}, theme_.colors.text, scene.label);
    if (current) draw->AddRect(min, max, theme_.colors.knob, round, 0, theme_.px(2));
}

void PlaygroundColumn::tools() {
    const Playground& play = model_.playground;
    const bool tears = model_.settings.material.tearStrain > 0;
    actionRow({{"play.hand", play.tool == PlayTool::Hand},
               {"play.ball", play.tool == PlayTool::Ball},
               {"play.scissors", play.tool == PlayTool::Scissors}});
    actionRow({{"play.pins", play.tool == PlayTool::Pins},
               {"play.tear", tears, "The cloth tears where it is pulled hard, or no longer does."},
               {"play.fan", play.fan.has_value(), "Blows into the picture, wherever you look from."}});
    widgets_.note(play.tool == PlayTool::Scissors ? "Drag across the cloth to cut it."
                  : play.tool == PlayTool::Ball   ? "Click where the ball should fly."
                  : play.tool == PlayTool::Pins   ? "Click the cloth to pin it, or to let it go."
                  : tears                         ? "Pull hard, and the cloth tears."
                                                  : "Drag the cloth. Drag beside it to look around.");
    wind();
    actionRow({{"undo", false, undoHelp()}, {"play.again", false}});
}

std::string PlaygroundColumn::undoHelp() const {
    const model::Change* last = model_.editor.changes.last();
    return last ? fmt::format("Takes back {}.", last->words()) : "";
}

void PlaygroundColumn::colors() {
    constexpr int kInRow = int(std::size(widgets::kClothColors));
    const ImVec2 size(share(kInRow), big_);
    ImDrawList* draw = ImGui::GetWindowDrawList();
    for (int k = 0; k < kInRow; ++k) {
        const widgets::ClothColor& dye = widgets::kClothColors[k];
        const std::string id = std::string("playground/") + dye.key;
        if (k != 0) ImGui::SameLine();
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

/// How hard the fan blows.
void PlaygroundColumn::wind() {
    Playground& play = model_.playground;
    widgets::StyleScope style;
    style.color(ImGuiCol_SliderGrab, theme_.colors.knob).color(ImGuiCol_SliderGrabActive, theme_.colors.knob);
    style.measure(ImGuiStyleVar_FramePadding, {theme_.px(8), (theme_.px(kWindSlider) - ImGui::GetFontSize()) / 2});
    const cloth::WindSettings& wind = model_.settings.wind;
    const bool own = !play.fan && wind.dragCoefficient > 0 && !wind.velocity.isZero(0.0);
    const std::string words = own ? "The scene's wind" : fmt::format("Fan: {}", windWords(play.wind));
    const float left = ImGui::GetCursorPosX(), half = share(2);
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted(words.c_str());
    ImGui::SameLine(left + half + theme_.px(kButtonGap));
    ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x);
    auto speed = float(play.wind);
    if (ImGui::SliderFloat("##wind", &speed, float(Playground::kLeastWind), float(Playground::kMostWind), "",
                           ImGuiSliderFlags_AlwaysClamp | ImGuiSliderFlags_NoInput))
        play.wind = double(speed);
    layout_.markLast("playground/wind");
    layout_.words("playground/wind", words);
    widgets_.tooltip("playground/wind", ImGui::IsItemHovered(), [&] {
        return std::string(own ? "The scene has a wind of its own; the fan takes its place."
                               : "How hard the fan blows, once it is on.");
    });
}

void PlaygroundColumn::motion() {
    const float third = share(3);
    if (bigButton("playground/slower", "Slower", third, false, "")) actions::runAction(model_, "motion.slower");
    ImGui::SameLine();
    if (bigButton("playground/play", model_.playing ? "Pause" : "Play", third, !model_.playing, ""))
        actions::runAction(model_, "motion.play");
    ImGui::SameLine();
    if (bigButton("playground/faster", "Faster", third, false, "")) actions::runAction(model_, "motion.faster");
    // They come and go, and nothing else is to move: the lines are kept free.
    const float top = ImGui::GetCursorPosY(), lines = withPictures_ ? 3.0f : 2.0f;
    const bool stopped = !model_.snapshot->problem.empty();
    const std::string words = stopped ? "That was too much: the cloth has stopped. Start again!" : speedWords();
    layout_.words("playground/speed", words);
    if (!stopped && !model_.said.text.empty() && model_.said.seconds > 0)
        widgets_.note(model_.said.text, model_.said.isError);
    else
        widgets_.note(words, stopped);
    ImGui::SetCursorPosY(std::max(ImGui::GetCursorPosY(), top + lines * (theme_.small->FontSize + theme_.px(2))));
}

/// What it is, as it was measured, and not what was asked for; and where it is slower, who is in the way.
std::string PlaygroundColumn::speedWords() const {
    if (!model_.playing) return "Paused.";
    const worker::Snapshot& now = *model_.snapshot;
    const double wanted = model_.speed, reached = now.realTimeFactor;
    constexpr double kLate = 0.95, kSame = 0.05;  // of what is asked for; of real speed
    if (reached <= 0) return "Playing.";          // not measured yet
    const std::string share = shareWords(reached);
    if (wanted > 0 && reached < kLate * wanted) {
        const bool steps = now.report.stepMs * 1e-3 * wanted > kLate * now.report.dt;
        return fmt::format("At {}: {}", share,
                           steps ? "each step takes this computer that long." : "this computer is busy otherwise.");
    }
    if (std::abs(reached - 1) < kSame || (wanted == 1 && reached < 1)) return "At real speed.";
    return fmt::format("{}: {}.", wanted <= 0 ? "As fast as it goes" : reached < 1 ? "Slow motion" : "Fast", share);
}

}  // namespace clothlab::app::columns
