#include "papers/reproduction.hpp"

#include "base/input.hpp"
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

}  // namespace

std::span<const PaperTable> paperTables() {
    static const std::vector<PaperTable> all = [] {
        std::vector<PaperTable> tables;
        for (const auto paper : {ye::tables(), sideris::tables(), boxerman::tables(), chen::tables(), liu::tables()})
            tables.insert(tables.end(), paper.begin(), paper.end());
        return tables;
    }();
    return all;
}

Expected<PaperTimes> paperTimes(const std::string& assetsFolder) {
    const std::string path = assetsFolder + "/paper-times.txt";
    const auto text = readFile(path);
    if (!text) return tl::unexpected(text.error());
    const auto lines = splitText(*text, '\n');
    PaperTimes times{.machine = lines.empty() ? "" : lines.front(), .quick = {}};
    for (std::size_t k = 1; k < lines.size(); ++k) {
        if (lines[k].empty()) continue;
        const auto words = splitText(lines[k], ' ');
        const auto seconds = words.size() == 2 ? parseNumber(words[1]) : std::nullopt;
        if (!seconds)
            return fail(
                Error{.message = "this is not the name of a table and its seconds", .file = path, .line = int(k) + 1});
        times.quick[words[0]] = *seconds;
    }
    return times;
}

Expected<Reproduction> reproduce(std::string_view table, const ReproduceOptions& options,
                                 const ReproduceControl& control) {
    Error unknown{.message = "no table '" + std::string(table) + "'"};
    for (const PaperTable& t : paperTables()) {
        unknown.choices.emplace_back(t.name);
        if (t.name != table) continue;
        if (!t.ofSets && !options.setsFile.empty()) return fail(noSets(t.name));
        Job job(options, control);
        auto result = t.run(job);
        if (!result) return result;
        result->table = t.name;
        result->title = t.title;
        result->threads = options.threads;
        return result;
    }
    return fail(unknown);
}

}  // namespace clothlab::papers
