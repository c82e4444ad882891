#include "window/preferences.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "base/input.hpp"
#include "base/json_reader.hpp"
#include "base/output.hpp"
#include "base/platform.hpp"
#include "base/text.hpp"
#include "records/settings_json.hpp"

namespace clothlab::app::window {

using records::Json;

namespace {

constexpr int kVersion = 1;
constexpr std::size_t kMostRecent = 6;
constexpr InputLimits kSmallFile{.bytes = 1u << 20, .pipes = false};
constexpr JsonLimits kFlat{.depth = 4, .values = 1000};

bool isWhole(double number) { return std::abs(number) < 1e15 && std::floor(number) == number; }

Json makeJson(const JsonNode& node) {
    if (node.isNumber()) return isWhole(node.number) ? Json(std::int64_t(node.number)) : Json(node.number);
    if (node.kind == JsonNode::Kind::Boolean) return node.boolean;
    return node.text;
}

/// False where the value is none of this field's.
bool assign(const Field& field, const JsonNode& value) {
    switch (value.kind) {
        case JsonNode::Kind::Number:
            return assignNumber(field, value.number, isWhole(value.number)).has_value();
        case JsonNode::Kind::Boolean:
            return assignBool(field, value.boolean).has_value();
        case JsonNode::Kind::Text:
            return assignString(field, value.text).has_value();
        default:
            return false;
    }
}

}  // namespace

void describe(WindowSize& size, FieldList& list) {
    list.add("width", size.width, {.label = "width of the window", .min = 0, .max = 16384});
    list.add("height", size.height, {.label = "height of the window", .min = 0, .max = 16384});
}

void describeLooks(WindowSize& size, model::UiModel& model, FieldList& list) {
    describe(size, list);
    list.add("theme", model.looks.theme, {.label = "theme"});
    list.add("type_size", model.looks.typeSize, {.label = "size of type", .min = 0.8, .max = 2});
    list.add("left_column", model.looks.widths.left, {.label = "width of the left column", .min = 0, .max = 2000});
    list.add("right_column", model.looks.widths.right, {.label = "width of the right column", .min = 0, .max = 2000});
}

std::string Preferences::usersFile() {
    const std::string folder = platform::userConfigFolder();
    return folder.empty() ? "" : folder + "/clothlab/window.json";
}

Preferences::Preferences(std::string path) : path_(std::move(path)) {
    if (path_.empty())
        problem_ = "No home folder is known, so the window's appearance is not remembered.";
    else if (read(); problem_.empty())
        checkThatItCanBeWritten();
}

void Preferences::checkThatItCanBeWritten() {
    makeFolder();
    const auto writable = checkOutput(path_, {});
    stores_ = writable.has_value();
    if (!writable) problem_ = "The window's appearance is not remembered: " + writable.error().text();
}

void Preferences::makeFolder() const {
    std::error_code ignored;  // what is wrong is said by the file
    std::filesystem::create_directories(std::filesystem::path(path_).parent_path(), ignored);
}

std::string Preferences::place() const {
    return stores_
               ? fmt::format("The window's size, columns, type and theme, and the last files, are remembered in {}.",
                             shownPath(path_))
               : "";
}

void Preferences::read() {
    new_ = !somethingAt(path_);
    if (new_) return;
    const auto refuse = [this](const std::string& why) {
        problem_ =
            fmt::format("Default appearance; nothing is remembered until you press Reset appearance (F1): {}", why);
    };
    const auto text = readFile(path_, kSmallFile);
    if (!text) return refuse(text.error().text());
    JsonReader reader(*text, path_, kFlat);
    reader.needVersion("version", kVersion, "file of looks");
    const JsonValue root = reader.root();
    std::vector<std::string> recent;
    if (root.has("recent")) recent = root["recent"].texts();
    if (reader.problem()) return refuse(reader.problem()->text());
    for (const JsonValue& value : root.members()) remembered_[std::string(value.name())] = value.node();
    recent_ = std::move(recent);
    recent_.resize(std::min(recent_.size(), kMostRecent));
    recentBegun_ = recent_;
}

void Preferences::recall(const FieldList& fields) {
    for (const Field& field : fields.fields()) {
        usual_.try_emplace(field.key, valueText(field.ref));
        const auto value = remembered_.find(field.key);
        if (value == remembered_.end() || assign(field, value->second)) continue;
        problem_ = fmt::format("{}: '{}' can be {}; the default is {}.", shownPath(path_), field.key, validText(field),
                               usual_[field.key]);
        remembered_.erase(value);
    }
}

void Preferences::begin(const FieldList& fields) {
    for (const Field& field : fields.fields()) begun_[field.key] = valueText(field.ref);
}

Expected<void> Preferences::store(const FieldList& fields) {
    if (!stores_) return {};
    Json out = Json::object();
    out["version"] = kVersion;
    bool changed = recent_ != recentBegun_;
    for (const Field& field : fields.fields()) {
        const auto before = remembered_.find(field.key);
        const bool differs = valueText(field.ref) != begun_[field.key];
        changed |= differs;
        if (differs)
            out[field.key] = records::valueJson(field);
        else if (before != remembered_.end())
            out[field.key] = makeJson(before->second);
    }
    if (!changed) return {};
    if (!recent_.empty()) out["recent"] = Json::array(recent_);
    makeFolder();
    return writeFile(path_, out.text(2) + "\n", {});
}

Expected<void> Preferences::forget(const FieldList& fields) {
    for (const Field& field : fields.fields())
        if (const auto usual = usual_.find(field.key); usual != usual_.end()) (void)assignText(field, usual->second);
    begin(fields);
    remembered_.clear();
    recent_.clear();
    recentBegun_ = {std::string()};  // unlike it: written even where nothing differs
    stores_ = !path_.empty();
    return store(fields);
}

void Preferences::addRecent(const std::string& path) {
    std::error_code ignored;
    std::string whole = std::filesystem::absolute(path, ignored).lexically_normal().string();
    std::erase(recent_, whole);
    recent_.insert(recent_.begin(), std::move(whole));
    if (recent_.size() > kMostRecent) recent_.resize(kMostRecent);
}

}  // namespace clothlab::app::window
