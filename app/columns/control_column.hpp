#pragma once

#include <initializer_list>
#include <string_view>
#include <vector>

#include "columns/lesson_column.hpp"
#include "columns/setting_rows.hpp"

namespace clothlab::app::columns {

/// The left column: the settings of the motion, in the order of a step. Material, contact, wind and threads are in
/// cloth_sections.cpp, the search over all of them in search_rows.cpp.
class ControlColumn : panels::WindowPart {
public:
    explicit ControlColumn(const panels::PanelContext& context);
    void build(const panels::Region& region);
    /// After everything else of a frame.
    void point() const { lesson_.point(); }

private:
    void sections();
    void sceneSection();
    void galleryButton();
    void gridFields();
    std::vector<std::string_view> gridKeys() const;
    void applyButton();
    void searchField();
    void foundRows();
    std::string bestFound() const;
    void restoreButtons();
    void integratorSection();
    void factorTimes(const worker::Snapshot& now);
    void passes(const worker::Snapshot& now);
    struct ExplicitStep {
        double dt;     ///< s; 0: not known before the step
        double limit;  ///< s, stability limit of its explicit part
        bool taken;    ///< true: it is the step shown
    };
    static ExplicitStep explicitStep(const worker::Snapshot& now);
    void explicitShare(const worker::Snapshot& now);
    void solverSection();
    void decomposition(const worker::Snapshot& now);
    void preconditionerSection();
    void materialSection();
    void contactSection();
    void layerRows();
    void pinRows();
    void brushRows();
    void windSection();
    void threadsSection();
    void takeAwaySection();
    void papersButton();
    bool row(std::string_view key, bool wide = false) { return settings_.row(key, wide); }
    bool rows(std::initializer_list<std::string_view> keys);

    LessonColumn lesson_;
    SettingRows settings_;
    model::PinTool usualPins_;
    scene::Brush usualBrush_;
    model::PictureSettings usualPictures_;
    FieldList patchFields_, patchDefaults_, pinFields_, pinDefaults_, brushFields_, brushDefaults_, pictureFields_,
        pictureDefaults_;
};

}  // namespace clothlab::app::columns
