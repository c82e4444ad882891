#include "papers/kept_table.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <ctime>
#include <filesystem>

#include "base/input.hpp"
#include "base/json_reader.hpp"
#include "records/json_line.hpp"

namespace clothlab::papers {
namespace {

PatternPicture makePicture(const JsonValue& table) {
    PatternPicture out{.caption = table["caption"].text(), .signs = {}, .rows = table["picture"].texts()};
    for (const JsonValue& item : table["signs"].items()) {
        const std::string& sign = item.text();
        if (sign.size() < 3)
            item.refuse("a sign has a letter and its meaning", {"\"x shear\""});
        else
            out.signs.emplace_back(sign[0], sign.substr(2));
    }
    for (const std::string& row : out.rows)
        if (row.size() != out.rows.front().size()) table["picture"].refuse("the rows of the picture have one length");
    return out;
}

Reproduction tableFromJson(const JsonValue& table) {
    Reproduction out;
    out.table = table["table"].text();
    out.title = table["title"].text();
    out.machine = table["machine"].text();
    out.threads = int(table["threads"].whole(1, 10'000));
    for (const JsonValue& row : table["rows"].items())
        out.rows.push_back(
            {records::toEntries(row["case"]), records::toEntries(row["ours"]), records::toEntries(row["paper"])});
    out.notes = table["notes"].texts();
    if (table.has("picture")) out.picture = makePicture(table);
    return out;
}

}  // namespace

std::string today() { return fmt::format("{:%Y-%m-%d}", fmt::localtime(std::time(nullptr))); }

std::string keptText(const KeptTable& kept) {
    return fmt::format(
        "{{\"clothlab_table\": {}, \"when\": {}, \"build\": {}, \"seconds\": {:.4g}, \"quick\": {}, \"side\": {}, \"stopped\": {}, "
        "\"disturbed\": {}, \"of\": {}}}\n",
        kKeptTableVersion, records::jsonText(kept.when), records::jsonText(kept.table.build), kept.seconds, kept.quick,
        kept.side, kept.stopped, kept.disturbed, toJson(kept.table));
}

Expected<KeptTable> readKeptTable(std::string_view text, const std::string& file) {
    JsonReader reader(text, file);
    reader.needVersion("clothlab_table", kKeptTableVersion, "kept table");
    const JsonValue root = reader.root();
    KeptTable kept{.table = tableFromJson(root["of"]),
                   .seconds = root["seconds"].number(),
                   .when = root["when"].text(),
                   .quick = root["quick"].flag(),
                   .stopped = root["stopped"].flag(),
                   .side = root.has("side") ? int(root["side"].whole(0, 100'000)) : 0,
                   .disturbed = root["disturbed"].flag()};
    kept.table.build = root["build"].text();
    return reader.result(std::move(kept));
}

std::string keptFile(const std::string& folder, std::string_view table, bool quick) {
    return fmt::format("{}/{}{}.json", folder, table, quick ? ".quick" : "");
}

std::string keptSetsFile(const std::string& folder, std::string_view table, bool quick) {
    return fmt::format("{}/{}{}.sets.ndjson", folder, table, quick ? ".quick" : "");
}

Expected<void> keepTable(const KeptTable& kept, const std::string& folder) {
    std::error_code ignored;  // writing says what is wrong with the folder
    std::filesystem::create_directories(folder, ignored);
    return writeFile(keptFile(folder, kept.table.table, kept.quick), keptText(kept), {});
}

Expected<std::optional<KeptTable>> keptTable(const std::string& folder, std::string_view table, bool quick) {
    const std::string file = keptFile(folder, table, quick);
    std::error_code ignored;
    if (!std::filesystem::exists(file, ignored)) return std::nullopt;
    const auto text = readFile(file);
    if (!text) return fail(text.error());
    auto kept = readKeptTable(*text, file);
    if (!kept) return fail(kept.error());
    return std::optional(std::move(*kept));
}

}  // namespace clothlab::papers
