#include "papers/kept_table.hpp"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>

#include "base/input.hpp"
#include "base/json.hpp"
#include "base/text.hpp"
#include "records/json_line.hpp"

namespace clothlab::papers {
namespace {

using Kind = JsonNode::Kind;

/// What it finds wrong first stays.
class TableReader {
public:
    explicit TableReader(const JsonNode& root) : root_(root) {}

    KeptTable kept() {
        KeptTable out;
        out.seconds = number(member(root_, "seconds"));
        out.when = text(member(root_, "when"));
        out.quick = flag("quick");
        out.stopped = flag("stopped");
        out.disturbed = flag("disturbed");
        const JsonNode& table = member(root_, "of");
        Reproduction& t = out.table;
        t.table = text(member(table, "table"));
        t.title = text(member(table, "title"));
        t.machine = text(member(table, "machine"));
        t.build = text(member(root_, "build"));
        t.threads = int(std::clamp(number(member(table, "threads")), 1.0, 1e4));
        for (const JsonNode& row : list(member(table, "rows")))
            t.rows.push_back(
                {entries(member(row, "case")), entries(member(row, "ours")), entries(member(row, "paper"))});
        t.notes = texts(member(table, "notes"));
        if (table.kind == Kind::Object && table.find("picture")) picture(table, t.picture);
        return out;
    }
    std::optional<Error> problem;
    std::size_t at = 0;

private:
    void wrong(const JsonNode& node, std::string message) {
        if (problem) return;
        problem = Error{.message = std::move(message)};
        at = node.at;
    }
    const JsonNode& member(const JsonNode& of, std::string_view key) {
        static const JsonNode kNone;
        const JsonNode* node = of.kind == Kind::Object ? of.find(key) : nullptr;
        if (!node) wrong(of, fmt::format("'{}' is missing", key));
        return node ? *node : kNone;
    }
    double number(const JsonNode& node) {
        if (!node.isNumber()) wrong(node, "a number is needed");
        return node.number;
    }
    std::string text(const JsonNode& node) {
        if (node.kind != Kind::Text) wrong(node, "a text is needed");
        return node.text;
    }
    const std::vector<JsonNode>& list(const JsonNode& node) {
        if (node.kind != Kind::Array) wrong(node, "a list is needed");
        return node.items;
    }
    std::vector<std::string> texts(const JsonNode& node) {
        std::vector<std::string> out;
        for (const JsonNode& item : list(node)) out.push_back(text(item));
        return out;
    }
    bool flag(std::string_view key) {
        const JsonNode& node = member(root_, key);
        if (node.kind != Kind::Boolean) wrong(node, "true or false is needed");
        return node.boolean;
    }
    records::Entries entries(const JsonNode& node) {
        records::Entries out;
        if (node.kind != Kind::Object) wrong(node, "names and values are needed");
        for (const JsonNode::Entry& entry : node.entries) {
            const JsonNode& value = entry.value;
            if (value.kind == Kind::Text)
                out.emplace_back(entry.key, value.text);
            else
                out.emplace_back(entry.key, value.kind == Kind::Null ? std::nan("") : number(value));
        }
        return out;
    }
    void picture(const JsonNode& table, PatternPicture& out) {
        out.caption = text(member(table, "caption"));
        for (const std::string& sign : texts(member(table, "signs"))) {
            if (sign.size() < 3) return wrong(table, "a sign has a letter and what it means");
            out.signs.emplace_back(sign[0], sign.substr(2));
        }
        out.rows = texts(member(table, "picture"));
        for (const std::string& row : out.rows)
            if (row.size() != out.rows.front().size()) return wrong(table, "the rows of the picture have one length");
    }

    const JsonNode& root_;
};

}  // namespace

std::string keptText(const KeptTable& kept) {
    return fmt::format(
        "{{\"clothlab_table\": {}, \"when\": {}, \"build\": {}, \"seconds\": {:.4g}, \"quick\": {}, \"stopped\": {}, "
        "\"disturbed\": {}, \"of\": {}}}\n",
        kKeptTableVersion, records::jsonText(kept.when), records::jsonText(kept.table.build), kept.seconds, kept.quick,
        kept.stopped, kept.disturbed, toJson(kept.table));
}

Expected<KeptTable> readKeptTable(std::string_view text, const std::string& file) {
    const auto root = parseJson(text, file);
    if (!root) return fail(root.error());
    const JsonNode* version = root->kind == Kind::Object ? root->find("clothlab_table") : nullptr;
    if (!version || !version->isNumber())
        return fail(Error{.message = "this is no kept table", .file = file, .line = 1, .column = 1});
    if (version->number != kKeptTableVersion)
        return fail(Error{.message = fmt::format("a table of version {}; this program reads version {}",
                                                 version->number, kKeptTableVersion),
                          .file = file,
                          .line = 1,
                          .column = 1});
    TableReader reader(*root);
    KeptTable kept = reader.kept();
    if (!reader.problem) return kept;
    reader.problem->file = file;
    const std::string_view before = text.substr(0, reader.at);
    reader.problem->line = 1 + int(std::ranges::count(before, '\n'));
    reader.problem->column = int(reader.at - (before.rfind('\n') + 1)) + 1;
    return fail(std::move(*reader.problem));
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
