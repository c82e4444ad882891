#include "model/requests/paint_requests.hpp"

#include "model/ui_model.hpp"

namespace clothlab::app::model {

void paint(UiModel& model, const BrushTouch& touch) {
    const Touched touched = touchedBy(touch, model.brushTool.brush.radius, *model.snapshot);
    if (touched.cloth < 0 || touched.cloth >= int(model.scene.cloths.size())) return;
    const auto& base = model.scene.cloths[touched.cloth].material;
    scene::Painting next = scene::paint(model.brushTool.painting, model.brushTool.brush, touched.cloth,
                                        touched.particles, base.value_or(model.settings.material));
    if (touch.begins) model.editor.changes.letGo();
    if (next == model.brushTool.painting) return;
    model.brushTool.painting = std::move(next);
    if (model.looks.overlay == scene::OverlayKind::None) model.looks.overlay = scene::OverlayKind::Regions;
    postPainting(model);
}

void postPainting(UiModel& model) {
    model.editor.post(
        worker::Apply{simulation::edits::Paint{model.brushTool.painting}, model.snapshot->mesh->revision});
}

bool undoPaint(UiModel& model) {
    return model.snapshot->mesh && model.editor.changes.bringStrokeForward() && model.editor.undo();
}

bool clearPaint(UiModel& model) {
    if (model.brushTool.painting.empty() || !model.snapshot->mesh) return false;
    model.editor.changes.letGo();
    model.brushTool.painting = {};
    postPainting(model);
    return true;
}

}  // namespace clothlab::app::model
