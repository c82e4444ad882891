#include "panels/paper_values_view.hpp"

#include <fmt/format.h>

#include "widgets/scopes.hpp"

namespace clothlab::app::panels {

void PaperValuesView::build(const scene::Scene& scene, const scene::Settings& settings) {
    if (!(shown_.paper == scene.paper && shown_.cloths == scene.cloths && shown_.settings == settings &&
          shown_.steps == scene.steps)) {
        shown_ = scene;
        shown_.settings = settings;
        rows_ = scene::paperRows(shown_);
    }
    ImGui::PushTextWrapPos(0);
    ImGui::TextUnformatted(fmt::format("{} · {}", scene.title, scene.paper.source).c_str());
    ImGui::PopTextWrapPos();
    widgets_.note(scene::paperSummary(scene.paper, rows_) + ".");
    layout_.markLast("papers/scene/summary");
    if (!scene.paper.note.empty()) widgets_.note(scene.paper.note);
    const widgets::FontScope font(theme_.small);
    widgets::StyleScope style;
    style.color(ImGuiCol_TableHeaderBg, theme_.colors.panel).color(ImGuiCol_TableBorderLight, theme_.colors.line);
    style.color(ImGuiCol_TableRowBgAlt, theme_.colors.rowAlternate);
    if (!ImGui::BeginTable("values", 4,
                           ImGuiTableFlags_ScrollY | ImGuiTableFlags_RowBg | ImGuiTableFlags_NoSavedSettings))
        return;
    ImGui::TableSetupScrollFreeze(0, 1);
    ImGui::TableSetupColumn("value", ImGuiTableColumnFlags_WidthStretch, 2);
    ImGui::TableSetupColumn("in the paper", ImGuiTableColumnFlags_WidthStretch, 2);
    ImGui::TableSetupColumn("here", ImGuiTableColumnFlags_WidthStretch, 2);
    ImGui::TableSetupColumn("from", ImGuiTableColumnFlags_WidthFixed, ImGui::CalcTextSize("the paper, read off ").x);
    ImGui::TableHeadersRow();
    for (const scene::PaperRow& each : rows_) row(each);
    ImGui::EndTable();
    layout_.markLast("papers/scene/table");
}

void PaperValuesView::row(const scene::PaperRow& each) {
    using enum scene::PaperRow::From;
    const auto cell = [&](ImU32 ink, const std::string& text) {
        ImGui::TableNextColumn();
        widgets::StyleScope style;
        style.color(ImGuiCol_Text, ink);
        ImGui::TextWrapped("%s", text.c_str());
    };
    const auto withUnit = [&](const std::string& text) {
        return text.empty() || each.unit.empty() ? text : fmt::format("{} {}", text, each.unit);
    };
    ImGui::TableNextRow();
    cell(theme_.colors.text, each.label);
    widgets_.tooltip("papers/value/" + each.key, ImGui::IsItemHovered(), [&] { return each.key; });
    cell(theme_.colors.pin, withUnit(each.paper));
    cell(each.from == Ours || each.same ? theme_.colors.text : theme_.colors.error, withUnit(each.here));
    cell(theme_.colors.quiet, each.from == Ours      ? "ours"
                              : !each.same           ? "ours, changed"
                              : each.from == Printed ? "the paper"
                                                     : "the paper, read off");
}

}  // namespace clothlab::app::panels
