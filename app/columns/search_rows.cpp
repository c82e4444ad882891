#include "columns/search_rows.hpp"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cctype>

#include "actions/actions.hpp"
#include "base/text.hpp"
#include "columns/control_column.hpp"
#include "integrators/methods/catalogue.hpp"
#include "preconditioners/catalogue.hpp"
#include "widgets/imgui_keys.hpp"
#include "widgets/scopes.hpp"

// The search over the left column: the rows of all sections, folded or not, that have the words.
namespace clothlab::app::columns {
namespace {

std::string lower(std::string_view text) {
    std::string low(text);
    std::ranges::transform(low, low.begin(), [](unsigned char c) { return char(std::tolower(c)); });
    return low;
}

bool has(std::span<const std::string_view> keys, std::string_view key) {
    return std::ranges::find(keys, key) != keys.end();
}

/// Whom a setting says nothing to at present: an integrator or a preconditioner of another kind has it. Empty = nobody.
std::string unusedBy(const scene::Settings& settings, std::string_view key) {
    constexpr std::string_view kIntegrator = "integrator.", kPreconditioner = "preconditioner.";
    if (key.starts_with(kPreconditioner)) {
        const auto own = preconditioners::parametersOf(settings.preconditioner);
        const std::string_view name = key.substr(kPreconditioner.size());
        if (name == "kind" || has(own, name)) return {};
        return std::string(enumLabel(settings.preconditioner.kind));
    }
    const std::string_view name = key.starts_with(kIntegrator) ? key.substr(kIntegrator.size()) : key;
    const auto takes = [&](const integrators::IntegratorEntry& entry) { return has(entry.parameters, name); };
    if (std::ranges::none_of(integrators::catalogue(), takes) || takes(integrators::entryOf(settings.integrator.kind)))
        return {};
    return std::string(enumLabel(settings.integrator.kind));
}

}  // namespace

bool fieldMatches(const Field& field, std::string_view text) {
    std::string all = fmt::format("{}\n{}\n{}", field.key, field.meta.label, field.meta.help);
    if (const auto* choice = std::get_if<EnumRef>(&field.ref))
        for (const EnumEntry& entry : choice->table) all += fmt::format("\n{}\n{}", entry.key, entry.label);
    return textMatches(all, text);
}

bool textMatches(std::string_view text, std::string_view wanted) {
    const std::string all = lower(text);
    bool any = false;
    for (const std::string& word : splitText(lower(wanted), ' ')) {
        if (word.empty()) continue;
        if (all.find(word) == all.npos) return false;
        any = true;
    }
    return any;
}

std::string headingOf(std::string_view key) {
    const std::size_t dot = key.rfind('.');
    const std::string table(dot == key.npos ? "scene" : key.substr(0, dot));
    for (const EnumEntry& entry : enumTable(integrators::IntegratorKind{}))
        if (entry.key == table) return std::string(entry.label);
    std::string heading = table;
    std::ranges::replace(heading, '_', ' ');
    heading[0] = char(std::toupper(static_cast<unsigned char>(heading[0])));
    return heading;
}

/// The text is the model's; while the field has the focus it is also ImGui's, which gives the old one back at Escape.
void ControlColumn::searchField() {
    const widgets::FontScope font(theme_.small);
    widgets::StyleScope style;
    style.measure(ImGuiStyleVar_FramePadding, {theme_.px(8), theme_.px(2)});
    char text[model::Popups::kSearchBytes];
    std::snprintf(text, sizeof text, "%s", model_.popups.search.c_str());
    if (model_.popups.searchAsked) widgets::focusNextField();
    model_.popups.searchAsked = false;
    ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x);
    const std::string hint = fmt::format("search settings, lessons ({})", actions::keyOf("search.focus"));
    ImGui::InputTextWithHint("##search", hint.c_str(), text, sizeof text);
    layout_.markLast("search");
    const bool left = ImGui::IsItemDeactivated() && widgets::keyPressed(widgets::Key::Escape, false);
    model_.popups.search = left ? "" : text;
    widgets_.tooltip("search", ImGui::IsItemHovered() && !ImGui::IsItemActive(), [] {
        return std::string(
            "Finds settings by name, key, help and choices, also those "
            "that are folded away, panels and lessons. Esc clears it.");
    });
    ImGui::Dummy({0, theme_.px(2)});
}

/// Rows that match under the name of their table.
void ControlColumn::foundRows() {
    std::string heading;
    const auto under = [&](const std::string& next) {
        if (next == heading) return;
        heading = next;
        ImGui::Dummy({0, theme_.px(2)});
        const widgets::FontScope font(theme_.strong);
        ImGui::TextUnformatted(heading.c_str());
    };
    for (const Field& field : settings_.fields()) {
        if (std::holds_alternative<std::string*>(field.ref) || !fieldMatches(field, model_.popups.search)) continue;
        under(headingOf(field.key));
        row(field.key);
        if (const std::string nobody = unusedBy(model_.settings, field.key); !nobody.empty())
            widgets_.note("not used by " + nobody);
    }
    bool patch = false;
    for (const std::string_view key : gridKeys()) {
        if (!fieldMatches(*patchFields_.find(key), model_.popups.search)) continue;
        under("Cloth");
        patch = true;
        widgets_.row(*patchFields_.find(key), patchDefaults_.find(key)->ref);
    }
    if (patch) applyButton();
    const auto tool = [&](const FieldList& fields, const FieldList& defaults) {
        for (const Field& field : fields.fields()) {
            if (!fieldMatches(field, model_.popups.search)) continue;
            under(headingOf(field.key));
            widgets_.row(field, defaults.find(field.key)->ref);
        }
    };
    tool(pinFields_, pinDefaults_);
    tool(brushFields_, brushDefaults_);
    tool(pictureFields_, pictureDefaults_);
    for (const model::PanelEntry& entry : model::panelTable()) {
        if (!textMatches(fmt::format("{}\n{}\n{}", entry.name, entry.keyHelp, entry.help), model_.popups.search))
            continue;
        under("Panels");
        if (widgets_.button(fmt::format("found/{}", entry.key), std::string(entry.name).c_str(),
                            ImGui::GetContentRegionAvail().x, entry.help)) {
            model_.popups.search.clear();
            actions::runAction(model_, fmt::format("{}.open", entry.key));
            return;
        }
    }
    for (const lessons::Lesson& lesson : model_.lessons.all()) {
        if (!textMatches(fmt::format("{}\n{}\n{}", lesson.title, lesson.summary, lesson.name), model_.popups.search))
            continue;
        under("Lessons");
        if (widgets_.button("found/" + lesson.name, lesson.title.c_str(), ImGui::GetContentRegionAvail().x,
                            lesson.summary)) {
            model_.popups.search.clear();
            model_.lessons.start(model_, lesson);
            return;
        }
    }
    if (heading.empty()) widgets_.note("No setting, no panel and no lesson has these words.");
}

}  // namespace clothlab::app::columns
