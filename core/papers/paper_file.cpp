#include "papers/paper_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cctype>
#include <cmath>
#include <limits>
#include <optional>

#include "base/text.hpp"
#include "papers/reproduction.hpp"
#include "scene/toml/table_reader.hpp"

namespace clothlab::papers {
namespace {

using scene::TomlNode;
using Choices = std::vector<std::string>;

constexpr std::string_view kQuick = "quick";  // a value of every table: it is there with --quick

/// A text with each {name} replaced by what `replaced` makes of the name. Nothing where a brace has no other.
template <class F>
std::optional<std::string> filled(std::string_view text, F&& replaced) {
    std::string out;
    while (true) {
        const std::size_t open = text.find_first_of("{}");
        out += text.substr(0, open);
        if (open == text.npos) return out;
        const std::size_t close = text.find_first_of("{}", open + 1);
        if (text[open] == '}' || close == text.npos || text[close] == '{') return {};
        out += replaced(text.substr(open + 1, close - open - 1));
        text.remove_prefix(close + 1);
    }
}

std::string valueText(const records::Value& value) {
    const auto* text = std::get_if<std::string>(&value);
    return text ? *text : fmt::format("{:g}", std::get<double>(value));
}

/// Continues after a mistake; the first one counts.
class Reader {
public:
    Reader(const std::string& file, std::span<const PaperTable> tables) : file_(file), register_(tables) {}

    Expected<std::vector<TableText>> read(const TomlNode& root) {
        take(scene::readTable(root, "", {}, file_, {"shared", "table", "headings"}));
        if (const auto* headings = root.find("headings")) {
            take(scene::expectTable(headings->value, "headings", file_));
            for (const TomlNode::Entry& entry : headings->value.entries)
                headings_.emplace_back(entry.key, parseText(entry.value));
        }
        if (const auto* shared = root.find("shared")) {
            take(scene::expectTable(shared->value, "shared", file_));
            for (const TomlNode::Entry& entry : shared->value.entries) shared_.emplace_back(&entry, false);
        }
        for (const TomlNode& table : items(root, "table"))
            if (!problem_) readTable(table);
        for (const PaperTable& wanted : register_)
            if (!find(wanted.name)) wrong(root, fmt::format("there is no [[table]] '{}'", wanted.name));
        for (const auto& [entry, used] : shared_)
            if (!used) wrong(entry->value, fmt::format("no note is \"@{}\"", shown(entry->key)));
        if (problem_) return fail(std::move(*problem_));
        return std::move(out_);
    }

private:
    void take(Expected<void> done) {
        if (!done && !problem_) problem_ = std::move(done.error());
    }
    void wrong(const TomlNode& at, std::string message, Choices choices = {}) {
        take(scene::failAt(file_, at, std::move(message), std::move(choices)));
    }
    /// The keys of a table that are texts; the first `needed` of them have to be there.
    void texts(const TomlNode& table, std::string_view what, const FieldList& list, std::size_t needed,
               std::initializer_list<std::string_view> others = {}) {
        take(scene::expectTable(table, what, file_));
        take(scene::readTable(table, what, list, file_, others));
        for (const Field& field : list.fields().first(needed))
            if (std::get<std::string*>(field.ref)->empty()) wrong(table, fmt::format("{} is missing", field.key));
    }
    /// The items of a list; none where the key is missing.
    const std::vector<TomlNode>& items(const TomlNode& table, std::string_view key) {
        static const std::vector<TomlNode> kNone;
        const TomlNode::Entry* entry = table.find(key);
        if (entry && entry->value.kind != TomlNode::Kind::Array)
            wrong(entry->value, fmt::format("{}: a list is needed", key));
        return entry ? entry->value.items : kNone;
    }
    std::string parseText(const TomlNode& node) {
        if (node.kind != TomlNode::Kind::Text || node.text.empty()) wrong(node, "a text is needed");
        return node.text;
    }
    const TableText* find(std::string_view name) const {
        const auto at = std::ranges::find(out_, name, &TableText::name);
        return at == out_.end() ? nullptr : &*at;
    }

    void readTable(const TomlNode& table) {
        TableText out;
        std::string as;
        FieldList list;
        for (const auto& [key, text] :
             {std::pair("table.name", &out.name), {"table.title", &out.title}, {"table.as", &as}})
            list.add(key, *text, {});
        texts(table, "table", list, 2, {"notes", "printed", "figure", "claim"});
        out.headings = headings_;
        const auto known = std::ranges::find(register_, std::string_view(out.name), &PaperTable::name);
        if (find(out.name)) wrong(table, fmt::format("there are two tables '{}'", shown(out.name)));
        if (known == register_.end()) {
            Choices names;
            for (const PaperTable& each : register_) names.emplace_back(each.name);
            return wrong(table, fmt::format("no table '{}'", shown(out.name)), std::move(names));
        }
        if (!as.empty()) {
            const TableText* like = find(as);
            if (!like) return wrong(table, fmt::format("as: no table '{}' before this one", shown(as)));
            if (table.find("notes") || table.find("printed"))
                return wrong(table, "a table has notes and values of its own, or 'as'");
            if (std::ranges::find(register_, std::string_view(like->name), &PaperTable::name)->values != known->values)
                return wrong(table, fmt::format("as: '{}' has other values of its run", like->name));
            out.notes = like->notes, out.printed = like->printed;
            out.figures = like->figures;
        } else {
            readNotes(table, *known, out);
            for (const TomlNode& block : items(table, "printed")) readPrinted(block, out.printed);
        }
        for (const TomlNode& block : items(table, "figure")) readFigure(block, out.figures);
        for (const TomlNode& block : items(table, "claim")) readClaim(block, out.claims);
        out_.push_back(std::move(out));
    }

    std::vector<std::string> parseTexts(const TomlNode& block, std::string_view key) {
        std::vector<std::string> all;
        for (const TomlNode& node : items(block, key)) all.push_back(parseText(node));
        return all;
    }

    void readFigure(const TomlNode& block, std::vector<TableText::Figure>& out) {
        TableText::Figure figure;
        FieldList list;
        for (const auto& [key, text] : {std::pair("figure.title", &figure.title),
                                        {"figure.x", &figure.x},
                                        {"figure.x_label", &figure.xLabel},
                                        {"figure.y_label", &figure.yLabel},
                                        {"figure.log", &figure.log}})
            list.add(key, *text, {});
        list.add("figure.words", figure.words, {});
        texts(block, "figure", list, 0, {"y", "at", "curve", "where"});
        figure.y = parseTexts(block, "y");
        figure.curve = parseTexts(block, "curve");
        for (const TomlNode& node : items(block, "at")) {
            if (!node.isNumber()) wrong(node, "a number is needed");
            figure.at.push_back(node.number);
        }
        figure.where = parseValues(block, "where");
        if (figure.y.empty()) wrong(block, "y: the keys of the curves are needed");
        if (!figure.at.empty() && figure.at.size() != figure.y.size())
            wrong(block, fmt::format("at: {} numbers for {} keys of y", figure.at.size(), figure.y.size()));
        if (figure.at.empty() == figure.x.empty()) wrong(block, "either x, a key of the case, or at");
        out.push_back(std::move(figure));
    }

    void readClaim(const TomlNode& block, std::vector<TableText::Claim>& out) {
        TableText::Claim claim;
        FieldList list;
        for (const auto& [key, text] : {std::pair("claim.at", &claim.at),
                                        {"claim.says", &claim.says},
                                        {"claim.value", &claim.value},
                                        {"claim.measured", &claim.measured},
                                        {"claim.paper", &claim.paper},
                                        {"claim.why", &claim.why}})
            list.add(key, *text, {});
        texts(block, "claim", list, 4, {"where", "over", "within"});
        claim.where = parseValues(block, "where");
        claim.over = parseValues(block, "over");
        const std::vector<TomlNode>& within = items(block, "within");
        if (within.empty() || within.size() > 2 || !std::ranges::all_of(within, &TomlNode::isNumber))
            return wrong(block, "within: a number, or two, between which the claim holds");
        claim.least = within.front().number;
        claim.most = within.size() > 1 ? within.back().number : std::numeric_limits<double>::infinity();
        if (claim.least > claim.most) wrong(within.back(), "within: the second number is less than the first");
        out.push_back(std::move(claim));
    }

    void readNotes(const TomlNode& table, const PaperTable& known, TableText& out) {
        std::vector<std::string> names(known.values.begin(), known.values.end()), unused = names;
        names.emplace_back(kQuick);
        const auto use = [&](std::string_view name, const TomlNode& at) {
            if (std::ranges::find(names, name) == names.end())
                wrong(at, fmt::format("'{}' has no value '{}'", out.name, shown(name)), names);
            std::erase(unused, name);
        };
        for (const TomlNode& node : items(table, "notes")) {
            TableText::Note note;
            if (node.kind == TomlNode::Kind::Text) {
                note.text = node.text;
            } else {
                FieldList list;
                list.add("note.when", note.when, {});
                list.add("note.text", note.text, {});
                texts(node, "note", list, 2);
                use(note.when, node);
            }
            note.text = resolved(note.text, node);
            const auto placed = filled(note.text, [&](std::string_view name) {
                use(name, node);
                return "";
            });
            if (!placed) wrong(node, "a brace that is not one of {name}");
            out.notes.push_back(std::move(note));
        }
        if (!unused.empty()) wrong(table, fmt::format("no note of '{}' has its value '{}'", out.name, unused.front()));
    }

    /// That of "@name".
    std::string resolved(const std::string& text, const TomlNode& at) {
        if (!text.starts_with('@')) return text;
        for (auto& [entry, used] : shared_) {
            if (entry->key != std::string_view(text).substr(1)) continue;
            used = true;
            return parseText(entry->value);
        }
        wrong(at, fmt::format("[shared] has no '{}'", shown(text.substr(1))));
        return text;
    }

    void readPrinted(const TomlNode& block, std::vector<TableText::Printed>& out) {
        bool ownSize = false, readOff = false;
        FieldList list;
        list.add("printed.own_size", ownSize, {});
        list.add("printed.read_off", readOff, {});
        texts(block, "printed", list, 0, {"case", "paper", "rows"});
        const auto &what = items(block, "case"), &paper = items(block, "paper");
        if (paper.empty()) wrong(block, "paper: the names of the printed values are needed");
        for (const TomlNode& row : items(block, "rows")) {
            if (row.items.size() != what.size() + paper.size())
                return wrong(row, fmt::format("{} values where case and paper have {}", row.items.size(),
                                              what.size() + paper.size()));
            TableText::Printed& printed = out.emplace_back();
            printed.ownSize = ownSize;
            printed.readOff = readOff;
            for (std::size_t k = 0; k < row.items.size(); ++k) {
                const bool ofCase = k < what.size();
                (ofCase ? printed.what : printed.paper)
                    .emplace_back(parseText(ofCase ? what[k] : paper[k - what.size()]), parseValue(row.items[k]));
            }
        }
    }
    records::Entries parseValues(const TomlNode& block, std::string_view key) {
        records::Entries out;
        if (const TomlNode::Entry* values = block.find(key)) {
            take(scene::expectTable(values->value, key, file_));
            for (const TomlNode::Entry& entry : values->value.entries)
                out.emplace_back(entry.key, parseValue(entry.value));
        }
        return out;
    }
    records::Value parseValue(const TomlNode& node) {
        if (node.isNumber() && within(node.number, -1e300, 1e300)) return node.number;
        return parseText(node);
    }

    const std::string& file_;
    std::span<const PaperTable> register_;
    std::vector<std::pair<const TomlNode::Entry*, bool>> shared_;  ///< and whether a note is that
    std::vector<TableText> out_;
    std::vector<std::pair<std::string, std::string>> headings_;
    std::optional<Error> problem_;
};

std::string withValues(const std::string& text, const records::Entries& values) {
    const auto out = filled(text, [&](std::string_view name) {
        const records::Value* value = records::findEntry(values, name);
        assert(value);
        return value ? valueText(*value) : std::string();
    });
    return out.value_or(text);
}

}  // namespace

bool hasValues(const records::Entries& of, const records::Entries& wanted) {
    return std::ranges::all_of(wanted, [&](const auto& each) {
        const records::Value* value = records::findEntry(of, each.first);
        if (!value) return false;
        const double *x = std::get_if<double>(value), *y = std::get_if<double>(&each.second);
        return x && y ? std::abs(*x - *y) <= 1e-9 * std::abs(*x) : *value == each.second;
    });
}

std::vector<std::string> TableText::notesWith(const records::Entries& values) const {
    std::vector<std::string> out;
    for (const Note& note : notes)
        if (note.when.empty() || records::findEntry(values, note.when)) out.push_back(withValues(note.text, values));
    return out;
}

std::string TableText::note(std::string_view when, const records::Entries& values) const {
    const auto at = std::ranges::find(notes, when, &Note::when);
    assert(at != notes.end());
    return at == notes.end() ? std::string() : withValues(at->text, values);
}

records::Entries TableText::printedFor(const records::Entries& what, bool ownSize) const {
    records::Entries out;
    for (const Printed& each : printed)
        if ((ownSize || !each.ownSize) && each.fits(what)) out.insert(out.end(), each.paper.begin(), each.paper.end());
    return out;
}

bool TableText::Printed::fits(const records::Entries& of) const { return hasValues(of, what); }

std::string TableText::heading(std::string_view key) const {
    const auto own = std::ranges::find(headings, key, &std::pair<std::string, std::string>::first);
    if (own != headings.end()) return own->second;
    // An ending that is a unit is one in any table.
    for (const auto& [ending, unit] : {std::pair<std::string_view, std::string_view>{"_ms", "ms"},
                                       {"_s", "s"},
                                       {"_j", "J"},
                                       {"_J", "J"},
                                       {"_m", "m"},
                                       {"_percent", "%"}})
        if (key.ends_with(ending) && key.size() > ending.size())
            return fmt::format("{}, {}", heading(key.substr(0, key.size() - ending.size())), unit);
    std::string words(key);
    std::ranges::replace(words, '_', ' ');
    return words;
}

std::string TableText::withHeadings(std::string text, std::span<const std::string> keys) const {
    const auto ofWord = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
    for (const std::string& key : keys) {
        if (key.find('_') == key.npos) continue;  // a word of the language
        const std::string words = heading(key);
        for (std::size_t at = 0; (at = text.find(key, at)) != text.npos;) {
            const std::size_t end = at + key.size();
            const bool whole = (at == 0 || !ofWord(text[at - 1])) && (end == text.size() || !ofWord(text[end]));
            if (whole) text.replace(at, key.size(), words);
            at += whole ? words.size() : key.size();
        }
    }
    return text;
}

Expected<std::vector<TableText>> readPaperText(std::string_view text, const std::string& file,
                                               std::span<const PaperTable> tables) {
    const auto root = scene::parseToml(text, file);
    if (!root) return fail(root.error());
    return Reader(file, tables).read(*root);
}

}  // namespace clothlab::papers
