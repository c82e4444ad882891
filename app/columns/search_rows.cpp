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

/// The active integrator or preconditioner, where it does not use this setting but another kind does; else empty.
std::string unusedBy(const scene::Settings& settings, std::string_view key) {
    constexpr std::string_view kIntegrator = "integrator.", kPreconditioner = "preconditioner.";
    if (key.starts_with(kPreconditioner)) {
        const auto own = preconditioners::activeParameters(settings.preconditioner);
        const std::string_view name = key.substr(kPreconditioner.size());
        if (name == "kind" || has(own, name)) return {};
        return std::string(enumLabel(settings.preconditioner.kind));
    }
    const std::string_view name = key.starts_with(kIntegrator) ? key.substr(kIntegrator.size()) : key;
    const auto takes = [&](const integrators::IntegratorEntry& entry) { return has(entry.parameters, name); };
    if (std::ranges::none_of(integrators::catalogue(), takes) || takes(integrators::entryFor(settings.integrator.kind)))
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

std::string fieldHeading(std::string_view key) {
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
    if (widgets_.focus.takeBack()) model_.popups.searchAsked = true;
    if (model_.popups.searchAsked) {
        widgets_.focus.leave();
        widgets_.focusField();
    }
    model_.popups.searchAsked = false;
    ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x);
    const std::string hint = fmt::format("search settings, lessons ({})", actions::actionKey("search.focus"));
    const bool entered =
        ImGui::InputTextWithHint("##search", hint.c_str(), text, sizeof text, ImGuiInputTextFlags_EnterReturnsTrue);
    layout_.markLast("search");
    const bool left = ImGui::IsItemDeactivated() && widgets::keyPressed(widgets::Key::Escape, false);
    model_.popups.search = left ? "" : text;
    const bool down = ImGui::IsItemActive() && widgets::keyPressed(widgets::Key::Down);
    if (down) widgets::leaveField();
    if ((entered || down) && !model_.popups.search.empty()) widgets_.focus.take(bestFound());
    widgets_.tooltip("search", ImGui::IsItemHovered() && !ImGui::IsItemActive(), [] {
        return std::string(
            "Finds settings by name, key, help and choices, also those "
            "that are folded away, panels and lessons. Enter goes to the best match: up and down choose a row, left "
            "and right change its value. Esc goes back, and clears the search.");
    });
    ImGui::Dummy({0, theme_.px(2)});
}

/// The row that is called what was searched for, or begins so, or has that in its name; empty = none, the first will
/// do.
std::string ControlColumn::bestFound() const {
    std::string best, text = lower(model_.popups.search);
    while (text.ends_with(' ')) text.pop_back();
    int most = 0;
    const auto weigh = [&](std::string_view name, const std::string& id) {
        const std::string low = lower(name);
        const int worth = low == text ? 3 : low.starts_with(text) ? 2 : low.find(text) != low.npos ? 1 : 0;
        if (worth > most) most = worth, best = id;
    };
    const auto weighFields = [&](std::span<const Field> fields) {
        for (const Field& field : fields) {
            if (std::holds_alternative<std::string*>(field.ref)) continue;
            const std::string id = field.key + (std::holds_alternative<Vec3*>(field.ref) ? ".x" : "");
            weigh(field.meta.label, id);
            weigh(std::string_view(field.key).substr(field.key.rfind('.') + 1), id);
            weigh(field.key, id);
        }
    };
    weighFields(settings_.fields());
    for (const FieldList* tool : {&pinFields_, &brushFields_, &pictureFields_}) weighFields(tool->fields());
    for (const std::string_view key : gridKeys()) weigh(patchFields_.find(key)->meta.label, std::string(key));
    for (const model::PanelEntry& entry : model::panelTable()) weigh(entry.name, fmt::format("found/{}", entry.key));
    return best;
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
        under(fieldHeading(field.key));
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
            under(fieldHeading(field.key));
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
        if (widgets_.rowButton(fmt::format("found/{}", entry.key), std::string(entry.name).c_str(),
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
        if (widgets_.rowButton("found/" + lesson.name, lesson.title.c_str(), ImGui::GetContentRegionAvail().x,
                               lesson.summary)) {
            model_.popups.search.clear();
            model_.lessons.start(model_, lesson);
            return;
        }
    }
    if (heading.empty()) widgets_.note("No setting, no panel and no lesson has these words.");
}

}  // namespace clothlab::app::columns
