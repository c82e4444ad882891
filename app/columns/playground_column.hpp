#pragma once

#include <memory>
#include <string>

#include "panels/panel_context.hpp"

namespace clothlab::app::columns {

/// The playground's side of the window, in place of both columns and the bars: a few large controls in plain words.
class PlaygroundColumn : panels::WindowPart {
public:
    explicit PlaygroundColumn(const panels::PanelContext& context);
    /// Returns the part of the window left for the cloth.
    panels::Region build(ImVec2 window);

private:
    struct ActionButton {
        std::string_view action;
        bool lit = false;
        std::string help = {};
    };
    void fill(float height);
    void scenes();
    void sceneButton(const model::PlayScene& scene, float width);
    void tools();
    void colors();
    void wind();
    void motion();
    std::string speedWords() const;
    std::string undoHelp() const;
    bool bigButton(std::string_view id, const char* text, float width, bool lit, std::string_view help,
                   const std::string& refusal = {});
    void actionRow(std::initializer_list<ActionButton> buttons);
    /// Width of one of `count` items in a row.
    float share(int count) const;

    std::unique_ptr<panels::ClothPanel> gallery_;
    float big_ = 0;     ///< pixels, height of a button
    float spread_ = 0;  ///< pixels, between groups
    bool withPictures_ = true;
};

}  // namespace clothlab::app::columns
