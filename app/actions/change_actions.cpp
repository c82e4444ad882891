#include "actions/change_actions.hpp"

namespace clothlab::app::actions {

using model::UiModel;
using widgets::Key;

namespace {

std::string whyNoUndo(const UiModel& model) {
    return model.editor.changes.last() ? "" : "Nothing was changed yet: there is nothing to take back.";
}

std::string whyNoRedo(const UiModel& model) {
    return model.editor.changes.next() ? "" : "Nothing was taken back: there is nothing to do again.";
}

/// Degrees, as render::Camera has them.
template <int Azimuth, int Elevation>
bool lookFrom(UiModel& model) {
    render::Camera camera = model.view.camera;
    camera.azimuth = Azimuth;
    camera.elevation = Elevation;
    model.view.wanted = camera;
    return model.view.wholeInView = true;
}

}  // namespace

std::vector<Action> changeActions() {
    return {
        {.name = "undo",
         .label = "Undo",
         .help = "takes back the last change of settings, scene or pins",
         .key = Key::Z,
         .run = [](UiModel& model) { return model.editor.undo(); },
         .refusal = whyNoUndo,
         .group = "undo",
         .control = true,
         .withShift = "redo",
         .inPlayground = true},
        {.name = "redo",
         .label = "Redo",
         .help = "does it again (Ctrl + Shift + Z, too)",
         .key = Key::Y,
         .run = [](UiModel& model) { return model.editor.redo(); },
         .refusal = whyNoRedo,
         .group = "undo",
         .control = true,
         .inPlayground = true},
    };
}

std::vector<Action> cameraActions() {
    return {
        {.name = "view.front",
         .label = "Front",
         .help = "from the front",
         .key = Key::Digit1,
         .run = lookFrom<0, 0>,
         .group = "view",
         .control = true},
        {.name = "view.side",
         .label = "Side",
         .help = "from the right",
         .key = Key::Digit2,
         .run = lookFrom<90, 0>,
         .group = "view",
         .control = true},
        {.name = "view.top",
         .label = "Top",
         .help = "from above",
         .key = Key::Digit3,
         .run = lookFrom<0, 89>,
         .group = "view",
         .control = true},
        {.name = "looks.usual",
         .label = "Reset appearance",
         .help = "the window's default size, columns, type and theme; forgets the remembered ones",
         .run = [](UiModel& model) { return model.looks.usual = true; }},
    };
}

}  // namespace clothlab::app::actions
