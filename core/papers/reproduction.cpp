#include "papers/reproduction.hpp"

#include <algorithm>
#include <array>

#include "base/build_info.hpp"
#include "base/input.hpp"
#include "base/platform.hpp"
#include "base/text.hpp"
#include "papers/boxerman/tables.hpp"
#include "papers/chen/chen.hpp"
#include "papers/job.hpp"
#include "papers/liu/liu.hpp"
#include "papers/sideris/sideris.hpp"
#include "papers/ye/ye.hpp"

namespace clothlab::papers {
namespace {

Error noSets(std::string_view name) {
    Error error{.message = std::string(name) + " is not made of random sets: there is nothing to keep in a file"};
    for (const PaperTable& t : paperTables())
        if (t.ofSets) error.choices.emplace_back(t.name);
    return error;
}

std::optional<PaperTime> parseTime(std::string_view quick, std::string_view full) {
    PaperTime time;
    for (const auto& [prefix, what] : {std::pair<std::string_view, PaperTime::Full>{">", PaperTime::Full::AtLeast},
                                       {"10sets:", PaperTime::Full::TenSets}})
        if (full.starts_with(prefix)) {
            time.what = what;
            full.remove_prefix(prefix.size());
        }
    const auto q = parseNumber(quick), f = parseNumber(full);
    if (!q || !f) return {};
    time.quick = *q, time.full = *f;
    return time;
}

Expected<Reproduction> run(const Paper& paper, const PaperTable& table, const ReproduceOptions& options,
                           const ReproduceControl& control) {
    if (!table.ofSets && !options.setsFile.empty()) return fail(noSets(table.name));
    const auto texts = paperText(paper, options.assetsFolder);
    if (!texts) return fail(texts.error());
    const TableText& text = *std::ranges::find(*texts, table.name, &TableText::name);
    Job job(options, control, &text);
    if (options.quick) job.tell("quick", true);
    auto result = table.run(job);
    if (!result) return result;
    if (!options.overrides.empty()) {
        if (job.scenes == 0)
            return fail(Error{.message = std::string(table.name) + " steps no scene", .file = "--set"});
        result->notes.push_back(
            fmt::format("--set {}: not the scenes as they are.", fmt::join(options.overrides, ", ")));
    }
    const std::vector<std::string> notes = text.notesWith(job.values);
    result->notes.insert(result->notes.begin(), notes.begin(), notes.end());
    for (ReproductionRow& row : result->rows) row.paper = joined(text.printedFor(row.what, row.ownSize), row.paper);
    result->table = table.name;
    result->title = text.title;
    result->threads = options.threads;
    result->machine = platform::cpuName();
    result->build = buildLine();
    return result;
}

}  // namespace

std::span<const Paper> allPapers() {
    static const std::array kPapers{Paper{"ye", ye::tables()}, Paper{"sideris", sideris::tables()},
                                    Paper{"boxerman", boxerman::tables()}, Paper{"chen", chen::tables()},
                                    Paper{"liu", liu::tables()}};
    return kPapers;
}

std::span<const PaperTable> paperTables() {
    static const std::vector<PaperTable> all = [] {
        std::vector<PaperTable> tables;
        for (const Paper& paper : allPapers()) tables.insert(tables.end(), paper.tables.begin(), paper.tables.end());
        return tables;
    }();
    return all;
}

Expected<std::vector<TableText>> paperText(const Paper& paper, const std::string& assetsFolder) {
    const std::string path = fmt::format("{}/papers/{}.toml", assetsFolder, paper.name);
    const auto text = readFile(path, kHandWritten);
    if (text) return readPaperText(*text, path, paper.tables);
    Error error = text.error();
    error.message += ": titles, notes and printed values of the papers are files of the assets";
    return fail(std::move(error));
}

Expected<PaperTexts> paperTexts(const std::string& assetsFolder) {
    PaperTexts out;
    for (const Paper& paper : allPapers()) {
        auto texts = paperText(paper, assetsFolder);
        if (!texts) return fail(texts.error());
        for (TableText& text : *texts) out.emplace(text.name, std::move(text));
    }
    return out;
}

Expected<PaperTimes> paperTimes(const std::string& assetsFolder) {
    const std::string path = assetsFolder + "/paper-times.txt";
    const auto text = readFile(path);
    if (!text) return fail(text.error());
    const auto lines = splitText(*text, '\n');
    PaperTimes times{.machine = lines.empty() ? "" : lines.front(), .of = {}};
    for (std::size_t k = 1; k < lines.size(); ++k) {
        if (lines[k].empty()) continue;
        const auto words = splitText(lines[k], ' ');
        const auto time = words.size() == 3 ? parseTime(words[1], words[2]) : std::nullopt;
        if (!time)
            return fail(Error{.message = "this is not the name of a table and its seconds: NAME QUICK FULL",
                              .file = path,
                              .line = int(k) + 1});
        times.of[words[0]] = *time;
    }
    return times;
}

Expected<Reproduction> reproduce(std::string_view table, const ReproduceOptions& options,
                                 const ReproduceControl& control) {
    Error unknown{.message = "no table '" + std::string(table) + "'"};
    for (const Paper& paper : allPapers())
        for (const PaperTable& t : paper.tables) {
            unknown.choices.emplace_back(t.name);
            if (t.name == table) return run(paper, t, options, control);
        }
    return fail(unknown);
}

}  // namespace clothlab::papers
