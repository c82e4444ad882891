#include "panels/papers_panel.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/build_info.hpp"
#include "base/platform.hpp"
#include "base/text.hpp"
#include "panels/actions.hpp"
#include "widgets/scopes.hpp"

namespace clothlab::app::panels {

using papers::PaperTable;
using Origin = papers::ReproductionGrid::Origin;

namespace {

constexpr float kList = 0.36f, kLeastList = 190, kMostList = 330;  // share of the width; points
constexpr float kLeastGrid = 120;                                  // points of height
constexpr std::size_t kMostColumns = 64;                           // that ImGui 1.86 takes

/// "40 s", "3 min"
std::string durationText(double seconds) {
    if (seconds < 1) return "under 1 s";
    if (seconds < 90) return fmt::format("{:.0f} s", seconds);
    if (seconds < 5400) return fmt::format("{:.0f} min", seconds / 60);
    return fmt::format("{:.1f} h", seconds / 3600);
}

/// "Ye", of "Ye, table 2: ..."; and what stands behind it.
std::pair<std::string_view, std::string_view> authorAndRest(std::string_view title) {
    const std::size_t comma = title.find(',');
    if (comma == title.npos) return {title, title};
    return {title.substr(0, comma), title.substr(comma + 2)};
}

}  // namespace

std::string PapersPanel::quickText(std::string_view table) {
    if (!times_) times_ = papers::paperTimes(model_.lessons.assets).value_or(papers::PaperTimes());
    const auto known = times_->quick.find(table);
    if (known == times_->quick.end()) return "within a minute";
    return fmt::format("{} on one thread of {}", durationText(known->second), times_->machine);
}

float PapersPanel::build(const Region& centre, float bottom) {
    const float margin = theme_.px(14), top = centre.y + theme_.px(60);
    const ImVec2 size{centre.width - 2 * margin, bottom - top};
    widgets::FloatingPanel panel("papers", {centre.x + margin, top}, size, theme_, layout_);
    if (panel.heading("Papers", widgets_,
                      fmt::format("Back to the cloth (key {}); what is computed goes on.", keyOf("papers.toggle"))))
        model_.closePanel();
    const auto tables = papers::paperTables();
    if (model_.papers.chosen.empty()) model_.papers.chosen = std::string(tables.front().name);
    const auto chosenTable = std::ranges::find(tables, model_.papers.chosen, &PaperTable::name);
    const float gap = theme_.px(16), inner = ImGui::GetContentRegionAvail().x;
    const float width = std::clamp(kList * inner, std::min(theme_.px(kLeastList), 0.5f * inner), theme_.px(kMostList));
    ImGui::BeginChild("##list", {width, 0}, false, ImGuiWindowFlags_NoNav);
    list();
    ImGui::EndChild();
    ImGui::SameLine(0, gap);
    ImGui::BeginChild("##table", {0, 0}, false, ImGuiWindowFlags_NoNav);
    if (chosenTable != tables.end()) chosen(*chosenTable);
    ImGui::EndChild();
    return size.y;
}

void PapersPanel::list() {
    const widgets::FontScope font(theme_.small);
    std::string_view author;
    for (const PaperTable& table : papers::paperTables()) {
        if (const auto [who, rest] = authorAndRest(table.title); who != author) {
            if (!author.empty()) ImGui::Dummy({0, theme_.px(3)});
            const widgets::FontScope strong(theme_.strong);
            ImGui::TextUnformatted(std::string(who).c_str());
            author = who;
        }
        entry(table);
    }
}

/// Its number in the paper, and what there is of it.
void PapersPanel::entry(const PaperTable& table) {
    const std::string name(table.name), rest(authorAndRest(table.title).second);
    const auto done = model_.papers.done.find(name);
    const bool runs = model_.papers.running() && model_.papers.progress()->name == name;
    const std::string state = runs ? fmt::format("{:.0f} %", 100 * model_.papers.progress()->share)
                              : done != model_.papers.done.end() ? durationText(done->second.seconds)
                                                                 : "";
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float right = at.x + ImGui::GetContentRegionAvail().x - theme_.px(4);
    if (ImGui::Selectable(("##" + name).c_str(), model_.papers.chosen == name)) model_.papers.chosen = name;
    layout_.markLast("papers/" + name);
    widgets_.tooltip("papers/" + name, ImGui::IsItemHovered(),
                     [&] { return fmt::format("{}\nclothlab reproduce {}", table.title, name); });
    const float taken = state.empty() ? 0 : ImGui::CalcTextSize(state.c_str()).x + theme_.px(8);
    ImGui::GetWindowDrawList()->AddText({at.x + theme_.px(6), at.y}, theme_.colors.text,
                                        widgets::fitted(rest, right - at.x - theme_.px(6) - taken).c_str());
    if (!state.empty()) widgets::textRight(state.c_str(), theme_.colors.quiet, theme_.small, right, at.y);
}

void PapersPanel::chosen(const PaperTable& table) {
    ImGui::PushTextWrapPos(0);
    ImGui::TextUnformatted(std::string(table.title).c_str());
    ImGui::PopTextWrapPos();
    buttons(table);
    if (model_.papers.running()) progress();
    const worker::TableProgress* last = model_.papers.progress();
    if (last && last->name == table.name && !last->problem.empty()) {
        widgets_.note(last->problem, true);
        layout_.markLast("papers/problem");
    }
    if (last && last->name == table.name && last->stopped && !last->table)
        widgets_.note("Stopped before it had anything.");
    const auto done = model_.papers.done.find(table.name);
    if (done != model_.papers.done.end()) return result(*done->second.table);
    if (model_.papers.running() && last->name == table.name) return;
    widgets_.note(fmt::format(
        "Computed here, with the paper's value beside it where both are the same thing. Quick: smaller sizes and fewer "
        "runs, {}. As in the paper: {}.",
        quickText(table.name),
        table.ofSets
            ? "500 random sets, which take up to hours; stop it at any time, and the finished sets are the table"
            : "minutes to hours"));
}

void PapersPanel::buttons(const PaperTable& table) {
    const widgets::FontScope font(theme_.small);
    if (model_.papers.running()) {
        if (widgets_.button("papers/stop", "Stop", 0, "Ends it. A table of random sets has those that are finished."))
            model_.outbox.push_back(worker::StopTable{});
    } else {
        if (widgets_.button("papers/quick", "Quick", 0,
                            "Smaller sizes and fewer runs: to see what it is. The motion is paused meanwhile."))
            run(table, true);
        ImGui::SameLine(0, theme_.px(6));
        if (widgets_.button("papers/full", "As in the paper", 0,
                            "The paper's own sizes. The motion is paused meanwhile; other panels can be looked at."))
            run(table, false);
    }
    const auto done = model_.papers.done.find(table.name);
    if (done == model_.papers.done.end()) return;
    ImGui::SameLine(0, theme_.px(6));
    if (widgets_.button("papers/copy", "Copy", 0, "The table with its notes, as text."))
        model_.copy(papers::reproductionText(*done->second.table), "The table is copied.");
}

void PapersPanel::run(const PaperTable& table, bool quick) {
    if (model_.playing) model_.togglePlaying();
    model_.outbox.push_back(worker::StartTable{std::string(table.name),
                                               {.assetsFolder = model_.lessons.assets, .quick = quick, .threads = 1}});
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

void PapersPanel::result(const papers::Reproduction& table) {
    const PapersState::Done& done = model_.papers.done.find(table.table)->second;
    widgets_.note(fmt::format("{} · {} thread{} · {} · took {}{}{}{}", platform::cpuName(), table.threads,
                              plural(table.threads), buildLine(), durationText(done.seconds),
                              done.quick ? " · quick: not the paper's sizes" : "", done.stopped ? " · stopped" : "",
                              done.disturbed ? " · the cloth moved meanwhile: times are disturbed" : ""));
    layout_.markLast("papers/machine");
    if (shown_ != done.table) {
        shown_ = done.table;
        grid_ = papers::gridOf(*shown_);
    }
    float notes = theme_.px(8);
    {
        const widgets::FontScope font(theme_.small);
        for (const std::string& note : table.notes)
            notes += ImGui::CalcTextSize(note.c_str(), nullptr, false, ImGui::GetContentRegionAvail().x).y +
                     ImGui::GetStyle().ItemSpacing.y;
    }
    const float room = ImGui::GetContentRegionAvail().y;
    grid(table, std::max(room - notes, std::min(theme_.px(kLeastGrid), room)));
    for (const std::string& note : table.notes) widgets_.note(note);
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
        float width = ImGui::CalcTextSize(key.c_str()).x;
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
            colored(column.origin, names                            ? column.key
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
