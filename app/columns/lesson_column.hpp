#pragma once

#include "columns/setting_rows.hpp"

namespace clothlab::app::columns {

/// The current lesson, in the place of the controls: its text, its own controls, its claims and their results, and the
/// buttons to other steps.
class LessonColumn : panels::WindowPart {
public:
    explicit LessonColumn(const panels::PanelContext& context);
    /// Within the window of the left column, above the controls.
    void build();
    /// The control that the step points at, in the whole window; after everything else of a frame.
    void point() const;

private:
    void buildForRoom();
    void heading();
    void headingForRoom();
    void stepTitle();
    void controls();
    void claims();
    void numbers(const lessons::LessonStep& step);
    void frame(const std::string& id) const;
    void wayOn();
    float wayOnHeight() const;

    SettingRows settings_;
    float claimsHeight_ = 0;  ///< pixels, in the last frame
};

}  // namespace clothlab::app::columns
