#pragma once

#include "render/mark_batch.hpp"
#include "render/renderer.hpp"
#include "render/scene_colors.hpp"

namespace clothlab::app::render {

/// Draws the lines and points of an overlay; false if the snapshot has no data for it.
using OverlayMarks = bool (*)(const worker::Snapshot& snapshot, const ViewState& view, const SceneColors& colors,
                              MarkBatch& batch);
bool strainMarks(const worker::Snapshot& snapshot, const ViewState& view, const SceneColors& colors, MarkBatch& batch);
bool stressMarks(const worker::Snapshot& snapshot, const ViewState& view, const SceneColors& colors, MarkBatch& batch);
bool springStateMarks(const worker::Snapshot& snapshot, const ViewState& view, const SceneColors& colors,
                      MarkBatch& batch);
bool contactMarks(const worker::Snapshot& snapshot, const ViewState& view, const SceneColors& colors, MarkBatch& batch);
bool nearMarks(const worker::Snapshot& snapshot, const ViewState& view, const SceneColors& colors, MarkBatch& batch);
bool intersectionMarks(const worker::Snapshot& snapshot, const ViewState& view, const SceneColors& colors,
                       MarkBatch& batch);
/// The function of an overlay, from the table in overlays.cpp; null = none.
OverlayMarks overlayMarks(OverlayKind kind);

/// Marks that lie on the cloth: springs, contacts, the edges of the mesh. The cloth hides those behind it.
void collectOverlay(const worker::Snapshot& snapshot, const ViewState& view, const SceneColors& colors,
                    MarkBatch& batch);

/// Marks of pins, the grab and its target, and the hovered particle. Seen faintly through the cloth.
void collectHandles(const worker::Snapshot& snapshot, const ViewState& view, const SceneColors& colors,
                    MarkBatch& batch);

}  // namespace clothlab::app::render
