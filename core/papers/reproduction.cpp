#include "papers/reproduction.hpp"

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

std::optional<PaperTime> timeOf(std::string_view quick, std::string_view full) {
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
    if (!text) return fail(text.error());
    const auto lines = splitText(*text, '\n');
    PaperTimes times{.machine = lines.empty() ? "" : lines.front(), .of = {}};
    for (std::size_t k = 1; k < lines.size(); ++k) {
        if (lines[k].empty()) continue;
        const auto words = splitText(lines[k], ' ');
        const auto time = words.size() == 3 ? timeOf(words[1], words[2]) : std::nullopt;
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
        result->machine = platform::cpuName();
        result->build = buildLine();
        return result;
    }
    return fail(unknown);
}

}  // namespace clothlab::papers
