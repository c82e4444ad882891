#include "actions/lesson_actions.hpp"

namespace clothlab::app::actions {

using model::UiModel;
using widgets::Key;

std::vector<Action> lessonActions() {
    const auto needsLesson = [](const UiModel& model) {
        return std::string(model.lessons.isOn() ? "" : "No lesson is on.");
    };
    return {
        {.name = "lesson.next",
         .label = "Next",
         .help = "lesson: next step",
         .key = Key::PageDown,
         .run = [](UiModel& model) { return model.lessons.next(model); },
         .refusal = [](const UiModel& model) -> std::string {
             if (!model.lessons.isOn()) return "No lesson is on.";
             const bool last = model.lessons.index() + 1 >= model.lessons.lesson().steps.size();
             return last ? "This is the last step." : "";
         },
         .group = "lesson"},
        {.name = "lesson.back",
         .label = "Back",
         .help = "the one before",
         .key = Key::PageUp,
         .run = [](UiModel& model) { return model.lessons.back(model); },
         .refusal = [](const UiModel& model) -> std::string {
             if (!model.lessons.isOn()) return "No lesson is on.";
             return model.lessons.index() == 0 ? "This is the first step." : "";
         },
         .group = "lesson"},
        {.name = "lesson.again",
         .label = "Again",
         .help = "lesson: this step from its beginning",
         .run = [](UiModel& model) { return model.lessons.again(model); },
         .refusal = needsLesson},
        {.name = "lesson.end",
         .label = "End the lesson",
         .help = "ends the lesson and restores your work",
         .run = [](UiModel& model) { return model.lessons.end(model); },
         .refusal = needsLesson},
    };
}

}  // namespace clothlab::app::actions
