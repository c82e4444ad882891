#include "panels/claims_view.hpp"

#include <fmt/format.h>

#include "widgets/scopes.hpp"

namespace clothlab::app::panels {
namespace {

void cell(int column, ImU32 ink, const std::string& text) {
    ImGui::TableSetColumnIndex(column);
    widgets::StyleScope style;
    style.color(ImGuiCol_Text, ink);
    ImGui::TextWrapped("%s", text.c_str());
}

}  // namespace

std::string ClaimsView::build(const std::string& assets) {
    if (!claims_) claims_ = papers::checkedClaims(assets, papers::measuredFolder(assets));
    ImGui::TextUnformatted("What held up of the papers' claims");
    if (!*claims_) {
        widgets_.note(claims_->error().text(), true);
        layout_.markLast("papers/problem");
        return {};
    }
    int counts[3] = {0, 0, 0};
    for (const papers::CheckedClaim& each : **claims_) ++counts[int(each.outcome.verdict)];
    widgets_.note(
        fmt::format("{} claims: {} held, {} held in part, {} did not hold. A click shows the table of a claim.",
                    (*claims_)->size(), counts[0], counts[1], counts[2]));
    const widgets::FontScope font(theme_.small);
    widgets::StyleScope style;
    style.color(ImGuiCol_TableHeaderBg, theme_.colors.panel).color(ImGuiCol_TableBorderLight, theme_.colors.line);
    style.color(ImGuiCol_TableRowBgAlt, theme_.colors.rowAlternate);
    if (!ImGui::BeginTable("claims", 4,
                           ImGuiTableFlags_ScrollY | ImGuiTableFlags_RowBg | ImGuiTableFlags_NoSavedSettings))
        return {};
    const auto wide = [](const char* text) { return ImGui::CalcTextSize(text).x; };
    ImGui::TableSetupScrollFreeze(0, 1);
    ImGui::TableSetupColumn("verdict", ImGuiTableColumnFlags_WidthFixed, wide("did not hold, "));
    ImGui::TableSetupColumn("the paper says", ImGuiTableColumnFlags_WidthStretch, 3);
    ImGui::TableSetupColumn("there", ImGuiTableColumnFlags_WidthFixed, wide("0.34 to 0.56 "));
    ImGui::TableSetupColumn("here", ImGuiTableColumnFlags_WidthStretch, 2);
    ImGui::TableHeadersRow();
    std::string clicked;
    for (std::size_t k = 0; k < (*claims_)->size(); ++k)
        if (row((**claims_)[k], k)) clicked = (**claims_)[k].table;
    ImGui::EndTable();
    layout_.markLast("papers/claims/table");
    return clicked;
}

bool ClaimsView::row(const papers::CheckedClaim& each, std::size_t number) {
    using papers::Verdict;
    const papers::Outcome& outcome = each.outcome;
    const std::string name = fmt::format("papers/claim/{}", number),
                      says = fmt::format("{}, {}: {}", each.author, each.claim.at, each.claim.says);
    ImGui::TableNextRow();
    ImGui::TableSetColumnIndex(1);
    const float width = ImGui::GetContentRegionAvail().x;
    ImGui::TableSetColumnIndex(0);
    const float height = ImGui::CalcTextSize(says.c_str(), nullptr, false, width).y;
    const bool clicked =
        ImGui::Selectable(("##" + name).c_str(), false, ImGuiSelectableFlags_SpanAllColumns, {0, height});
    layout_.markLast(name);
    widgets_.tooltip(name, ImGui::IsItemHovered(), [&] {
        return fmt::format("{}{}{}", each.reason(), each.reason().empty() ? "" : "\n", each.command());
    });
    ImGui::SameLine(0, 0);
    cell(0,
         outcome.verdict == Verdict::Held         ? theme_.colors.knob
         : outcome.verdict == Verdict::DidNotHold ? theme_.colors.pin
                                                  : theme_.colors.text,
         papers::verdictText(outcome));
    cell(1, theme_.colors.text, says);
    cell(2, theme_.colors.quiet, each.claim.paper);
    cell(3, theme_.colors.text, fmt::format("{} ({})", outcome.numbers(), each.claim.measured));
    return clicked;
}

}  // namespace clothlab::app::panels
