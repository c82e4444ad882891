#pragma once

#include <imgui.h>

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "widgets/layout_map.hpp"
#include "widgets/ui_theme.hpp"
#include "widgets/widgets.hpp"

namespace clothlab::app::widgets {

/// An entry of a gallery, with its picture.
struct GalleryCard {
    std::string id;                 ///< of its widget, behind that of the gallery: "gallery/flag"
    std::string title;              ///< one line
    std::string line = {};          ///< a description of one sentence; two lines of it are shown
    std::string note = {};          ///< a few words under the title: how long it takes; may be empty
    std::string group = {};         ///< heading over the cards that follow each other with the same one; may be empty
    ImTextureID picture = nullptr;  ///< 16 : 9; null: a plain card
    std::string refusal = {};       ///< why it cannot be chosen, or empty
    bool current = false;           ///< it is what there is already
    bool first = false;             ///< Enter takes it when the gallery opens; else it takes the current one
};

/// A grid of cards that scrolls, in what is left of the window that is being built. The pointer or the keys choose:
/// arrows, Home, End and the pages move a mark from card to card, Enter takes the marked one.
class Gallery {
public:
    Gallery(const UiTheme& theme, LayoutMap& layout, Widgets& widgets)
        : theme_(theme), layout_(layout), widgets_(widgets) {}

    /// The card chosen in this frame. Cards are marked in the layout as ID/CARD.
    std::optional<std::size_t> build(std::string_view id, std::span<const GalleryCard> cards);
    /// The card that Enter would take.
    std::size_t marked() const { return marked_; }

private:
    static constexpr std::size_t kNone = std::size_t(-1);
    struct Place {
        ImVec2 min;  ///< within the grid
        std::size_t row;
    };
    struct Heading {
        float y;
        std::string_view text;
    };
    /// The layout for a width.
    struct Grid {
        std::vector<Place> places;
        std::vector<Heading> headings;
        ImVec2 card;
        float height = 0;
        int titleLines = 1;
        bool notes = false;
    };
    Grid lay(std::span<const GalleryCard> cards, float width) const;
    bool moveMark(std::span<const GalleryCard> cards, const Grid& grid, float page);
    std::size_t cardInRow(const Grid& grid, std::size_t row, float x) const;
    void scrollToMark(const Grid& grid) const;
    bool card(const std::string& id, const GalleryCard& card, ImVec2 min, const Grid& grid, bool marked);
    void picture(const GalleryCard& card, ImVec2 min, ImVec2 max) const;
    void words(const GalleryCard& card, ImVec2 min, float width, const Grid& grid) const;

    const UiTheme& theme_;
    LayoutMap& layout_;
    Widgets& widgets_;
    void followMark(std::span<const GalleryCard> cards);

    std::size_t marked_ = kNone;
    std::string markedId_;  ///< its card: others may come and go before it
    bool moved_ = false;    ///< by the user, since it opened
    int frame_ = -1;        ///< in which it was shown last: where one is missing in between, it opens anew
};

}  // namespace clothlab::app::widgets
