#include "widgets/gallery.hpp"

#include <algorithm>
#include <cmath>

#include "widgets/imgui_keys.hpp"
#include "widgets/scopes.hpp"

namespace clothlab::app::widgets {
namespace {

constexpr float kLeastCard = 196, kGap = 14, kInset = 8;  // points
constexpr float kShape = 9.0f / 16;                       // height of a picture over its width
constexpr int kLines = 3;                                 // of the sentence

}  // namespace

Gallery::Grid Gallery::lay(std::span<const GalleryCard> cards, float width) const {
    Grid grid;
    const float gap = theme_.px(kGap);
    const float columns = std::max(1.0f, std::floor((width + gap) / (theme_.px(kLeastCard) + gap)));
    grid.card.x = std::floor((width - (columns - 1) * gap) / columns);
    const bool sentences = std::ranges::any_of(cards, [](const GalleryCard& card) { return !card.line.empty(); });
    const FontScope strong(theme_.strong);
    for (const GalleryCard& card : cards)
        if (ImGui::CalcTextSize(card.title.c_str()).x > grid.card.x - 2 * theme_.px(kInset)) grid.titleLines = 2;
    grid.notes = std::ranges::any_of(cards, [](const GalleryCard& card) { return !card.note.empty(); });
    grid.card.y = grid.card.x * kShape + float(grid.titleLines) * theme_.strong->FontSize + 2 * theme_.px(kInset) +
                  (grid.notes ? theme_.small->FontSize + theme_.px(3) : 0) +
                  (sentences ? float(kLines) * (theme_.small->FontSize + theme_.px(2)) + theme_.px(3) : 0);
    float x = 0, y = 0;
    std::size_t row = 0;
    for (std::size_t i = 0; i < cards.size(); ++i) {
        const bool begins = i == 0 || cards[i].group != cards[i - 1].group;
        if (i > 0 && (begins || x + grid.card.x > width + 0.5f)) {
            x = 0;
            y += grid.card.y + gap;
            ++row;
        }
        if (begins && !cards[i].group.empty()) {
            grid.headings.push_back({y, cards[i].group});
            y += theme_.strong->FontSize + theme_.px(kInset);
        }
        grid.places.push_back({{x, y}, row});
        x += grid.card.x + gap;
    }
    grid.height = cards.empty() ? 0 : y + grid.card.y;
    return grid;
}

/// The card of a row that stands nearest to x.
std::size_t Gallery::cardInRow(const Grid& grid, std::size_t row, float x) const {
    std::size_t best = marked_;
    float least = FLT_MAX;
    for (std::size_t i = 0; i < grid.places.size(); ++i) {
        if (grid.places[i].row != row || std::abs(grid.places[i].min.x - x) >= least) continue;
        least = std::abs(grid.places[i].min.x - x);
        best = i;
    }
    return best;
}

/// The mark stays on its card when the list changes; until the user has moved it, a first card takes it.
void Gallery::followMark(std::span<const GalleryCard> cards) {
    auto card = cards.end();
    if (!moved_) card = std::ranges::find_if(cards, &GalleryCard::first);
    if (card == cards.end()) card = std::ranges::find(cards, markedId_, &GalleryCard::id);
    if (card == cards.end()) card = std::ranges::find_if(cards, &GalleryCard::current);
    marked_ = card == cards.end() ? 0 : std::size_t(card - cards.begin());
}

/// True when the mark has moved.
bool Gallery::moveMark(std::span<const GalleryCard> cards, const Grid& grid, float page) {
    const std::size_t shown = marked_;
    followMark(cards);
    const std::size_t before = marked_, last = cards.size() - 1;
    const Place& at = grid.places[marked_];
    const auto rows = std::size_t(std::max(1.0f, std::floor(page / (grid.card.y + theme_.px(kGap)))));
    const auto goTo = [&](std::size_t row) {
        marked_ = cardInRow(grid, std::min(row, grid.places[last].row), at.min.x);
    };
    if (keyPressed(Key::Left) && marked_ > 0) --marked_;
    if (keyPressed(Key::Right) && marked_ < last) ++marked_;
    if (keyPressed(Key::Up) && at.row > 0) goTo(at.row - 1);
    if (keyPressed(Key::Down)) goTo(at.row + 1);
    if (keyPressed(Key::PageUp)) goTo(at.row - std::min(at.row, rows));
    if (keyPressed(Key::PageDown)) goTo(at.row + rows);
    if (keyPressed(Key::Home)) marked_ = 0;
    if (keyPressed(Key::End)) marked_ = last;
    moved_ = moved_ || marked_ != before;
    markedId_ = cards[marked_].id;
    return marked_ != shown;
}

void Gallery::scrollToMark(const Grid& grid) const {
    const ImVec2 min = grid.places[marked_].min;
    const float top = min.y - theme_.px(30), bottom = min.y + grid.card.y + theme_.px(kInset),
                height = ImGui::GetWindowHeight();
    if (bottom > ImGui::GetScrollY() + height) ImGui::SetScrollY(bottom - height);
    if (top < ImGui::GetScrollY()) ImGui::SetScrollY(std::max(top, 0.0f));
}

void Gallery::picture(const GalleryCard& card, ImVec2 min, ImVec2 max) const {
    ImDrawList* draw = ImGui::GetWindowDrawList();
    const float round = theme_.px(5);
    const bool refused = !card.refusal.empty();
    if (card.picture != nullptr)
        draw->AddImageRounded(card.picture, min, max, {0, 0}, {1, 1}, refused ? withAlpha(kUntinted, 90) : kUntinted,
                              round, ImDrawFlags_RoundCornersTop);
    else
        draw->AddRectFilled(min, max, theme_.colors.groove, round, ImDrawFlags_RoundCornersTop);
}

void Gallery::words(const GalleryCard& card, ImVec2 min, float width, const Grid& grid) const {
    ImDrawList* draw = ImGui::GetWindowDrawList();
    const bool refused = !card.refusal.empty();
    {
        const FontScope font(theme_.strong);
        float y = min.y;
        for (const std::string& line : wrapped(card.title, width, grid.titleLines)) {
            draw->AddText({min.x, y}, refused ? theme_.colors.quiet : theme_.colors.text, line.c_str());
            y += theme_.strong->FontSize;
        }
    }
    const FontScope font(theme_.small);
    float y = min.y + float(grid.titleLines) * theme_.strong->FontSize + theme_.px(3);
    if (grid.notes) {
        draw->AddText({min.x, y}, theme_.colors.text, fitted(card.note, width).c_str());
        y += theme_.small->FontSize + theme_.px(3);
    }
    for (const std::string& line : wrapped(refused ? card.refusal : card.line, width, kLines)) {
        draw->AddText({min.x, y}, theme_.colors.quiet, line.c_str());
        y += theme_.small->FontSize + theme_.px(2);
    }
}

/// True when it was clicked.
bool Gallery::card(const std::string& id, const GalleryCard& card, ImVec2 min, const Grid& grid, bool marked) {
    const ImVec2 size = grid.card;
    ImGui::SetCursorScreenPos(min);
    const bool clicked = ImGui::InvisibleButton(id.c_str(), size), hovered = ImGui::IsItemHovered();
    layout_.markLast(id);
    layout_.words(id, card.title);
    if (!ImGui::IsItemVisible()) return clicked;
    const ImVec2 max(min.x + size.x, min.y + size.y);
    const float round = theme_.px(5), inset = theme_.px(kInset);
    ImDrawList* draw = ImGui::GetWindowDrawList();
    draw->AddRectFilled(min, max, hovered ? theme_.colors.fieldHover : theme_.colors.field, round);
    picture(card, min, {max.x, min.y + std::floor(size.x * kShape)});
    words(card, {min.x + inset, min.y + std::floor(size.x * kShape) + inset}, size.x - 2 * inset, grid);
    if (marked)
        draw->AddRect(min, max, theme_.colors.knob, round, 0, theme_.px(2));
    else if (card.current)
        draw->AddRect(min, max, theme_.colors.track, round, 0, theme_.px(2));
    widgets_.tooltip(id, hovered, [&] { return card.refusal.empty() ? card.line : card.refusal; });
    return clicked;
}

std::optional<std::size_t> Gallery::build(std::string_view id, std::span<const GalleryCard> cards) {
    std::optional<std::size_t> chosen;
    const std::string name(id);
    if (ImGui::GetFrameCount() > frame_ + 1) marked_ = kNone, moved_ = false, markedId_.clear();
    frame_ = ImGui::GetFrameCount();
    ImGui::BeginChild(("##" + name).c_str(), {0, 0}, false, ImGuiWindowFlags_NoNav);
    if (!cards.empty()) {
        // Room for the outline of the first and the last column, and for the bar whether it is there or not.
        const float rim = theme_.px(2);
        const float width = ImGui::GetWindowWidth() - ImGui::GetStyle().ScrollbarSize - 3 * rim;
        const Grid grid = lay(cards, width);
        const ImVec2 at = ImGui::GetCursorScreenPos(), origin(at.x + rim, at.y + rim);
        const bool keysFree = !ImGui::GetIO().WantTextInput && !widgets_.focus.isOn();
        if (keysFree && moveMark(cards, grid, ImGui::GetWindowHeight())) scrollToMark(grid);
        for (const Heading& heading : grid.headings) {
            const FontScope font(theme_.strong);
            ImGui::GetWindowDrawList()->AddText({origin.x, origin.y + heading.y}, theme_.colors.text,
                                                std::string(heading.text).c_str());
        }
        for (std::size_t i = 0; i < cards.size(); ++i) {
            const ImVec2 min(origin.x + grid.places[i].min.x, origin.y + grid.places[i].min.y);
            if (card(name + "/" + cards[i].id, cards[i], min, grid, i == marked_)) {
                chosen = marked_ = i;
                markedId_ = cards[i].id;
                moved_ = true;
            }
        }
        if (keysFree && (keyPressed(Key::Enter) || keyPressed(Key::KeypadEnter))) chosen = marked_;
        ImGui::SetCursorScreenPos({origin.x, origin.y + grid.height});
        ImGui::Dummy({width, theme_.px(4)});
        if (chosen && !cards[*chosen].refusal.empty()) chosen.reset();
    }
    ImGui::EndChild();
    return chosen;
}

}  // namespace clothlab::app::widgets
