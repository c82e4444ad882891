#include "actions/play_actions.hpp"

#include "widgets/palette.hpp"

namespace clothlab::app::actions {

using model::PlayTool;
using model::UiModel;

namespace {

template <auto Function>
bool apply(UiModel& model) {
    Function(model);
    return true;
}

template <PlayTool Tool>
bool take(UiModel& model) {
    model.playground.tool = Tool;
    return true;
}

std::string onlyInPlayground(const UiModel& model) {
    return model.playground.on ? "" : "This is a control of the playground (playground.toggle).";
}

bool nextColor(UiModel& model) {
    model.playground.color = (model.playground.color + 1) % int(std::size(widgets::kClothColors));
    return true;
}

}  // namespace

std::vector<Action> playActions() {
    return {
        {.name = "playground.toggle",
         .label = "Playground",
         .help = "the playground: a few large controls, or back to the laboratory",
         .run = apply<model::togglePlayground>,
         .refusal =
             [](const UiModel& model) {
                 return std::string(model.lessons.isOn() ? "A lesson is on: end it first." : "");
             }},
        {.name = "play.hand",
         .label = "Hand",
         .help = "playground: a left drag takes the cloth",
         .run = take<PlayTool::Hand>,
         .refusal = onlyInPlayground},
        {.name = "play.scissors",
         .label = "Scissors",
         .help = "playground: a left drag cuts the cloth",
         .run = take<PlayTool::Scissors>,
         .refusal = onlyInPlayground},
        {.name = "play.ball",
         .label = "Ball",
         .help = "playground: a left click throws a ball there",
         .run = take<PlayTool::Ball>,
         .refusal = onlyInPlayground},
        {.name = "play.pins",
         .label = "Pins",
         .help = "playground: a left click pins the cloth, or lets it go",
         .run = take<PlayTool::Pins>,
         .refusal = onlyInPlayground},
        {.name = "play.tear",
         .label = "Tear",
         .help = "playground: whether the cloth tears where it is pulled hard",
         .run = apply<model::toggleTearing>,
         .refusal = onlyInPlayground},
        {.name = "play.fan",
         .label = "Fan",
         .help = "playground: wind from the camera, on and off",
         .run = apply<model::toggleFan>,
         .refusal = onlyInPlayground},
        {.name = "play.again",
         .label = "Start again",
         .help = "restarts the motion and plays it",
         .run = apply<model::startAgain>},
        {.name = "motion.slower",
         .label = "Slower",
         .help = "shows the motion slower",
         .run = [](UiModel& model) { return changeSpeed(model, false); }},
        {.name = "motion.faster",
         .label = "Faster",
         .help = "shows the motion faster",
         .run = [](UiModel& model) { return changeSpeed(model, true); }},
        {.name = "cloth.color", .label = "Colour", .help = "the cloth in the next colour", .run = nextColor},
    };
}

}  // namespace clothlab::app::actions
