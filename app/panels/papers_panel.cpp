#include "panels/papers_panel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "actions/actions.hpp"
#include "base/text.hpp"
#include "widgets/scopes.hpp"

namespace clothlab::app::panels {

using actions::actionKey;
using model::PapersState;
using papers::PaperTable;
using Origin = papers::ReproductionGrid::Origin;

namespace {

constexpr float kList = 0.36f, kLeastList = 190, kMostList = 330;           // share of the width; points
constexpr float kFigures = 0.42f, kLeastFigures = 170, kMostFigures = 340;  // share of the height; points
constexpr float kLeastGrid = 120;                                           // points of height
constexpr const char* kClaims = "claims";                                   // in place of the name of a table
constexpr const char* kScene = "scene";
constexpr std::size_t kMostColumns = 64;  // that ImGui 1.86 takes

/// "40 s", "3 min"
std::string durationText(double seconds) {
    if (seconds < 1) return "under 1 s";
    if (seconds < 90) return fmt::format("{:.0f} s", seconds);
    if (seconds < 5400) return fmt::format("{:.0f} min", seconds / 60);
    return fmt::format("{:.1f} h", seconds / 3600);
}

/// Splits "Ye, table 2: ..." into "Ye" and the rest.
std::pair<std::string_view, std::string_view> authorAndRest(std::string_view title) {
    const std::size_t comma = title.find(',');
    if (comma == title.npos) return {title, title};
    return {title.substr(0, comma), title.substr(comma + 2)};
}

}  // namespace

const papers::PaperTime* PapersPanel::findTime(std::string_view table) {
    if (!times_) times_ = papers::paperTimes(model_.lessons.assets).value_or(papers::PaperTimes());
    const auto known = times_->of.find(table);
    return known == times_->of.end() ? nullptr : &known->second;
}

std::string PapersPanel::displayTitle(std::string_view table) {
    const papers::TableText* text = findText(table);
    return text ? text->title : std::string(table);
}

const papers::TableText* PapersPanel::findText(std::string_view table) {
    if (!texts_) texts_ = papers::paperTexts(model_.lessons.assets);
    if (!*texts_) return nullptr;
    const auto known = (*texts_)->find(table);
    return known == (*texts_)->end() ? nullptr : &known->second;
}

std::string PapersPanel::quickText(std::string_view table) {
    const papers::PaperTime* time = findTime(table);
    return time ? durationText(time->quick) : "";
}

std::string PapersPanel::lasts(const PaperTable& table) {
    const papers::PaperTime* known = findTime(table.name);
    if (!known) return "Quick: within a minute. As in the paper: minutes to hours.";
    using Full = papers::PaperTime::Full;
    const papers::PaperTime& time = *known;
    const std::string full =
        time.what == Full::TenSets
            ? fmt::format(
                  "500 random sets; the first ten, the smallest, {}, all of them hours: stop at any time, what is "
                  "finished is kept",
                  durationText(time.full))
            : fmt::format("{}{}", time.what == Full::AtLeast ? "more than " : "", durationText(time.full));
    return fmt::format("Quick: {}. As in the paper: {}. On one thread of {}.", durationText(time.quick), full,
                       times_->machine);
}

float PapersPanel::build(const Region& centre, float bottom) {
    const float margin = theme_.px(14), top = centre.y + theme_.px(60);
    const ImVec2 size{centre.width - 2 * margin, bottom - top};
    widgets::FloatingPanel panel("papers", {centre.x + margin, top}, size, theme_, layout_);
    if (panel.heading("Papers", widgets_,
                      fmt::format("Back to the cloth (key {}); computations continue.", actionKey("papers.toggle"))))
        model_.closePanel();
    const auto tables = papers::paperTables();
    if (model_.papers.chosen.empty() || (model_.papers.chosen == kScene && !model_.scene.paper))
        model_.papers.chosen = kClaims;
    const auto chosenTable = std::ranges::find(tables, model_.papers.chosen, &PaperTable::name);
    const float gap = theme_.px(16), inner = ImGui::GetContentRegionAvail().x;
    const float width = std::clamp(kList * inner, std::min(theme_.px(kLeastList), 0.5f * inner), theme_.px(kMostList));
    ImGui::BeginChild("##list", {width, 0}, false, ImGuiWindowFlags_NoNav);
    list();
    ImGui::EndChild();
    ImGui::SameLine(0, gap);
    ImGui::BeginChild("##table", {0, 0}, false, ImGuiWindowFlags_NoNav);
    if (chosenTable != tables.end())
        chosen(*chosenTable);
    else if (model_.papers.chosen == kScene)
        values_.build(model_.scene, model_.settings);
    else if (const std::string table = claims_.build(model_.lessons.assets); !table.empty())
        model_.papers.chosen = table;
    ImGui::EndChild();
    return size.y;
}

void PapersPanel::list() {
    const widgets::FontScope font(theme_.small);
    pages();
    std::string author;
    for (const PaperTable& table : papers::paperTables()) {
        const std::string title = displayTitle(table.name);
        if (const auto [who, rest] = authorAndRest(title); who != author && rest != title) {
            if (!author.empty()) ImGui::Dummy({0, theme_.px(3)});
            const widgets::FontScope strong(theme_.strong);
            author = std::string(who);
            ImGui::TextUnformatted(author.c_str());
        }
        entry(table);
    }
}

/// The entries above all tables.
void PapersPanel::pages() {
    page(kClaims, "What held up",
         "The papers' claims, the values measured here, and the reasons where a claim does not hold.\n"
         "clothlab reproduce --claims");
    if (model_.scene.paper)
        page(kScene, "The scene that moves",
             fmt::format("Which of its values are those of {}, and which are ours.\nclothlab check {}",
                         model_.scene.paper.source, model_.scene.name));
    ImGui::Dummy({0, theme_.px(3)});
}

void PapersPanel::page(const char* name, const char* title, const std::string& help) {
    const std::string widget = fmt::format("papers/{}", name);
    if (ImGui::Selectable(title, model_.papers.chosen == name)) model_.papers.chosen = name;
    layout_.markLast(widget);
    widgets_.tooltip(widget, ImGui::IsItemHovered(), [&] { return help; });
}

/// Its number in the paper, and how long it took, or how long quick it would.
void PapersPanel::entry(const PaperTable& table) {
    const std::string name(table.name), title = displayTitle(name), rest(authorAndRest(title).second);
    const PapersState::SharedTable done = model_.papers.shown(name);
    const bool runs = model_.papers.running() && model_.papers.progress()->name == name;
    const std::string state = runs   ? fmt::format("{:.0f} %", 100 * model_.papers.progress()->share)
                              : done ? durationText(done->seconds)
                                     : quickText(name);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float right = at.x + ImGui::GetContentRegionAvail().x - theme_.px(4);
    if (ImGui::Selectable(("##" + name).c_str(), model_.papers.chosen == name)) model_.papers.chosen = name;
    layout_.markLast("papers/" + name);
    widgets_.tooltip("papers/" + name, ImGui::IsItemHovered(),
                     [&] { return fmt::format("{}\nclothlab reproduce {}\n{}", title, name, lasts(table)); });
    const float taken = state.empty() ? 0 : ImGui::CalcTextSize(state.c_str()).x + theme_.px(8);
    ImGui::GetWindowDrawList()->AddText({at.x + theme_.px(6), at.y}, theme_.colors.text,
                                        widgets::fitted(rest, right - at.x - theme_.px(6) - taken).c_str());
    const ImU32 ink = runs || done ? theme_.colors.knob : theme_.colors.quiet;
    if (!state.empty()) widgets::textRight(state.c_str(), ink, theme_.small, right, at.y);
}

void PapersPanel::chosen(const PaperTable& table) {
    ImGui::PushTextWrapPos(0);
    ImGui::TextUnformatted(displayTitle(table.name).c_str());
    ImGui::PopTextWrapPos();
    buttons(table);
    if (model_.papers.running()) progress();
    const worker::TableProgress* last = model_.papers.progress();
    const bool meant = last && last->name == table.name;
    const std::string untitled = *texts_ ? std::string() : texts_->error().text();
    for (const std::string& problem : {meant ? last->problem : std::string(), model_.papers.problem, untitled})
        if (!problem.empty()) {
            widgets_.note(problem, true);
            layout_.markLast("papers/problem");
        }
    if (meant && last->stopped && !last->table) widgets_.note("Stopped before it had anything.");
    if (const PapersState::SharedTable done = model_.papers.shown(table.name)) return result(table, done);
    if (model_.papers.running() && meant) return;
    widgets_.note(
        "Computed here, with the paper's value beside it where both are "
        "the same thing. Quick has smaller sizes and fewer runs.");
    widgets_.note(lasts(table));
    layout_.markLast("papers/lasts");
}

void PapersPanel::buttons(const PaperTable& table) {
    const widgets::FontScope font(theme_.small);
    if (model_.papers.running()) {
        if (widgets_.button("papers/stop", "Stop", 0, "Ends it. A table of random sets has those that are finished."))
            model_.editor.outbox.push_back(worker::StopTable{});
    } else {
        const std::string lasting = lasts(table);
        if (widgets_.button(
                "papers/quick", "Quick", 0,
                "Smaller sizes and fewer runs: to see what it is. The motion is paused meanwhile. " + lasting))
            run(table, true);
        ImGui::SameLine(0, theme_.px(6));
        if (widgets_.button(
                "papers/full", "As in the paper", 0,
                "The paper's own sizes. The motion is paused meanwhile; other panels can be looked at. " + lasting))
            run(table, false);
    }
    resultButtons(table);
}

/// What to do with a result, and which of two.
void PapersPanel::resultButtons(const PaperTable& table) {
    PapersState& state = model_.papers;
    const PapersState::SharedTable done = state.shown(table.name);
    if (!done) return;
    ImGui::SameLine(0, theme_.px(6));
    if (widgets_.button("papers/copy", "Copy", 0, "The table with its notes, as text."))
        model_.copy(papers::reproductionText(done->table, findText(table.name)), "The table is copied.");
    if (!state.done(table.name, !done->quick)) return;
    for (const bool quick : {true, false}) {
        ImGui::SameLine(0, theme_.px(quick ? 14 : 4));
        if (widgets_.toggle(quick ? "papers/shown/quick" : "papers/shown/full", quick ? "quick result" : "full result",
                            done->quick == quick, "Both were computed; this one is shown."))
            state.chosenQuick = quick;
    }
}

void PapersPanel::run(const PaperTable& table, bool quick) {
    if (model_.playing) togglePlaying(model_);
    const std::string& folder = model_.papers.folder;
    model_.editor.outbox.push_back(worker::StartTable{
        std::string(table.name),
        {.assetsFolder = model_.lessons.assets,
         .quick = quick,
         .threads = 1,
         .setsFile = table.ofSets && !folder.empty() ? papers::keptSetsFile(folder, table.name, quick) : ""}});
}

void PapersPanel::progress() {
    const worker::TableProgress& now = *model_.papers.progress();
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x;
    const float height =
        widgets_.progress("papers/progress", ImGui::GetWindowDrawList(), {at.x, at.y + theme_.px(3)}, width, now.share);
    ImGui::Dummy({width, height + theme_.px(6)});
    widgets_.note(fmt::format("{} · {} · {}", now.name, now.now, durationText(now.seconds)));
}

void PapersPanel::result(const PaperTable& entry, const PapersState::SharedTable& kept) {
    const papers::Reproduction& table = kept->table;
    widgets_.note(fmt::format("{} · {} thread{} · {} · {} · took {}{}{}{}", table.machine, table.threads,
                              plural(table.threads), table.build, kept->when, durationText(kept->seconds),
                              kept->quick ? " · quick: not the paper's sizes" : "", kept->stopped ? " · stopped" : "",
                              kept->disturbed ? " · the cloth moved meanwhile: times are disturbed" : ""));
    layout_.markLast("papers/machine");
    if (entry.ofSets && !model_.papers.folder.empty())
        widgets_.note("Finished sets are kept and not run again: " +
                      papers::keptSetsFile(model_.papers.folder, entry.name, kept->quick));
    if (shown_ != kept) {
        shown_ = kept;
        grid_ = papers::toGrid(table);
        headings_.clear(), notes_ = table.notes, plots_.clear();
        const papers::TableText* text = findText(entry.name);
        const std::vector<std::string> keys = papers::listKeys(grid_);
        for (const std::string& key : keys) headings_.push_back(text ? text->heading(key) : key);
        if (text) {
            for (const papers::TableText::Claim& claim : text->claims)
                if (const auto outcome = papers::evaluateClaim(claim, table))
                    notes_.push_back(fmt::format("{}: \"{}\" Here {} ({}): {}. {}", claim.at, claim.says,
                                                 outcome->numbers(), claim.measured, papers::verdictText(*outcome),
                                                 outcome->verdict == papers::Verdict::Held ? "" : claim.why));
            for (std::string& note : notes_) note = text->withHeadings(std::move(note), keys);
            for (papers::PaperFigure& figure : papers::makeFigures(table, *text))
                plots_.push_back(
                    std::make_unique<PaperPlot>(std::move(figure), fmt::format("papers.plot.{}", plots_.size())));
        }
    }
    const bool pictured = !table.picture.rows.empty();
    float below = theme_.px(8);
    {
        const widgets::FontScope font(theme_.small);
        for (const std::string& note : notes_)
            below += ImGui::CalcTextSize(note.c_str(), nullptr, false, ImGui::GetContentRegionAvail().x).y +
                     ImGui::GetStyle().ItemSpacing.y;
    }
    if (!plots_.empty())
        figures(kept, std::clamp(kFigures * ImGui::GetContentRegionAvail().y, theme_.px(kLeastFigures),
                                 theme_.px(kMostFigures)));
    const float room = ImGui::GetContentRegionAvail().y;
    grid(table, pictured ? theme_.px(kLeastGrid) : std::max(room - below, std::min(theme_.px(kLeastGrid), room)));
    if (pictured) picture(table.picture);
    for (const std::string& note : notes_) widgets_.note(note);
}

/// Beside each other.
void PapersPanel::figures(const PapersState::SharedTable& kept, float height) {
    const float gap = theme_.px(14), count = float(plots_.size()),
                width = (ImGui::GetContentRegionAvail().x - gap * (count - 1)) / count;
    for (std::size_t k = 0; k < plots_.size(); ++k) {
        if (k > 0) ImGui::SameLine(0, gap);
        widgets::PlotSpec spec = plots_[k]->spec();
        spec.source = [&kept] {
            return paperCaption(kept->table,
                                fmt::format(", {}{}", kept->when, kept->quick ? ", quick: not the paper's sizes" : ""));
        };
        drawPlot(spec, plots_[k]->curves(), {width, height});
    }
    ImGui::Dummy({0, theme_.px(4)});
}

/// A square an entry, in the colours of the panel Matrix, in the order of its signs.
void PapersPanel::picture(const papers::PatternPicture& picture) {
    constexpr ImU32 kHues[] = {widgets::hue::kDiagonalBlock, widgets::hue::kStretchBlock, widgets::hue::kShearBlock,
                               widgets::hue::kBendBlock, widgets::hue::kFillBlock};
    const auto signHue = [&](char sign) {
        const auto at = std::ranges::find(picture.signs, sign, &std::pair<char, std::string>::first);
        return theme_.ink(kHues[std::size_t(at - picture.signs.begin()) % std::size(kHues)]);
    };
    widgets_.note(picture.caption);
    ImDrawList* draw = ImGui::GetWindowDrawList();
    {
        const widgets::FontScope font(theme_.small);
        ImVec2 at = ImGui::GetCursorScreenPos();
        const float side = theme_.px(9), line = ImGui::GetTextLineHeight();
        for (const auto& [sign, meaning] : picture.signs) {
            draw->AddRectFilled({at.x, at.y + (line - side) / 2}, {at.x + side, at.y + (line + side) / 2},
                                signHue(sign));
            draw->AddText({at.x + side + theme_.px(4), at.y}, theme_.colors.quiet, meaning.c_str());
            at.x += side + theme_.px(16) + ImGui::CalcTextSize(meaning.c_str()).x;
        }
        ImGui::Dummy({1, line + theme_.px(2)});
    }
    const ImVec2 min = ImGui::GetCursorScreenPos();
    const auto count = float(picture.rows.size());
    const float cell = std::max(2.0f, std::floor(std::min(ImGui::GetContentRegionAvail().x, theme_.px(300)) / count));
    draw->AddRectFilled(min, {min.x + cell * count, min.y + cell * count}, theme_.colors.plotGround);
    for (std::size_t r = 0; r < picture.rows.size(); ++r)
        for (std::size_t c = 0; c < picture.rows[r].size(); ++c)
            if (const char sign = picture.rows[r][c]; sign != ' ') {
                const ImVec2 at{min.x + cell * float(c), min.y + cell * float(r)};
                draw->AddRectFilled(at, {at.x + cell, at.y + cell}, signHue(sign));
            }
    ImGui::Dummy({cell * count, cell * count + theme_.px(4)});
    layout_.markLast("papers/picture");
}

/// The paper's columns stand right of ours of the same key, in another colour.
void PapersPanel::grid(const papers::Reproduction& table, float height) {
    const widgets::FontScope font(theme_.small);
    widgets::StyleScope style;
    style.color(ImGuiCol_TableHeaderBg, theme_.colors.panel).color(ImGuiCol_TableBorderLight, theme_.colors.line);
    style.color(ImGuiCol_TableRowBgAlt, theme_.colors.rowAlternate);
    const float lines = (ImGui::GetTextLineHeight() + theme_.px(4)) * float(grid_.cells.size() + 2) + theme_.px(16);
    const int columns = int(std::min<std::size_t>(grid_.columns.size(), kMostColumns));
    if (columns == 0 || !ImGui::BeginTable(table.table.c_str(), columns,
                                           ImGuiTableFlags_ScrollX | ImGuiTableFlags_ScrollY | ImGuiTableFlags_RowBg |
                                               ImGuiTableFlags_SizingFixedFit | ImGuiTableFlags_NoSavedSettings,
                                           {0, std::min(height, lines)}))
        return;
    ImGui::TableSetupScrollFreeze(0, 2);
    for (int k = 0; k < columns; ++k) {  // names in rows of headers do not count for ImGui
        const std::string& key = grid_.columns[k].key;
        float width = ImGui::CalcTextSize(headings_[k].c_str()).x;
        for (const auto& cells : grid_.cells) width = std::max(width, ImGui::CalcTextSize(cells[k].c_str()).x);
        ImGui::TableSetupColumn(key.c_str(), ImGuiTableColumnFlags_WidthFixed, width);
    }
    const auto colored = [&](Origin origin, const std::string& text) {
        const ImU32 ink = origin == Origin::Paper  ? theme_.colors.pin
                          : origin == Origin::Case ? theme_.colors.quiet
                                                   : theme_.colors.text;
        ImGui::TextColored(ImGui::ColorConvertU32ToFloat4(ink), "%s", text.c_str());
    };
    for (const bool names : {true, false}) {
        ImGui::TableNextRow(ImGuiTableRowFlags_Headers);
        for (int k = 0; k < columns; ++k) {
            const auto& column = grid_.columns[k];
            ImGui::TableSetColumnIndex(k);
            colored(column.origin, names                            ? headings_[k]
                                   : column.origin == Origin::Ours  ? "ours"
                                   : column.origin == Origin::Paper ? "paper"
                                                                    : "");
        }
    }
    for (const auto& cells : grid_.cells) {
        ImGui::TableNextRow();
        for (int k = 0; k < columns; ++k) {
            ImGui::TableSetColumnIndex(k);
            colored(grid_.columns[k].origin, cells[k]);
        }
    }
    ImGui::EndTable();
    layout_.markLast("papers/grid");
}

}  // namespace clothlab::app::panels
