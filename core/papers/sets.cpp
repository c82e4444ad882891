#include "papers/sets.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "base/appended_file.hpp"
#include "base/build_info.hpp"
#include "base/input.hpp"
#include "base/text.hpp"
#include "papers/set_experiment.hpp"
#include "records/json_line.hpp"

namespace clothlab::papers {
namespace {

/// What has to agree for sets of two runs to be the same. How many are asked for does not matter.
records::Entries makeHeader(const SetExperiment& experiment, const ReproduceOptions& options) {
    return {{"experiment", experiment.name},
            {"quick", double(options.quick)},
            {"side", double(options.side)},
            {"seed", double(options.seed)},
            {"threads", double(options.threads)},
            {"settings", fmt::format("{}", fmt::join(options.overrides, " "))},
            {"version", std::string(buildFacts().version)}};
}

constexpr double kMostSets = 1e6;  // as --sets

std::string shownValue(const records::Value& value) {
    const auto* text = std::get_if<std::string>(&value);
    return text ? fmt::format("'{}'", shown(*text)) : fmt::format("{:g}", std::get<double>(value));
}

/// Empty, or in what a file's header differs.
std::string difference(const records::Entries& wanted, const records::Entries& found) {
    for (const auto& [key, value] : wanted) {
        const auto at =
            std::find_if(found.begin(), found.end(), [&key = key](const auto& entry) { return entry.first == key; });
        if (at == found.end()) return fmt::format("its first line has no '{}': not a file of sets", key);
        if (at->second != value)
            return fmt::format("its sets are of {} {}, not of {}: choose another file", key, shownValue(at->second),
                               shownValue(value));
    }
    return {};
}

class SetFile {
public:
    /// Without a path nothing is read or kept.
    static Expected<SetFile> open(const std::string& path, const records::Entries& header) {
        SetFile out(path);
        if (path.empty()) return out;
        auto file = AppendedFile::open(path, {});
        if (!file) return fail(file.error());
        out.file_.emplace(std::move(*file));
        bool headed = false;
        if (out.file_->readable()) {
            auto read = out.read(header);
            if (!read) return fail(read.error());
            headed = *read;
        }
        if (!headed)
            if (auto done = out.file_->line(records::entriesLine(header)); !done) return fail(done.error());
        return out;
    }

    const std::map<int, records::Entries>& sets() const { return sets_; }

    Expected<void> add(int set, records::Entries values) {
        if (file_)
            if (auto done = file_->line(makeLine(set, values)); !done) return done;
        sets_.emplace(set, std::move(values));
        return {};
    }

private:
    explicit SetFile(std::string path) : path_(std::move(path)) {}

    static std::string makeLine(int set, const records::Entries& values) {
        records::Entries line{{"set", double(set)}};
        line.insert(line.end(), values.begin(), values.end());
        return records::entriesLine(line);
    }

    /// Whether the file has its header already.
    Expected<bool> read(const records::Entries& header) {
        const auto text = readFile(path_, kJsonLines);
        if (!text) return fail(text.error());
        const auto refuse = [&](int line, std::string message) {
            return fail(Error{.message = std::move(message), .file = path_, .line = line});
        };
        int number = 0;
        std::size_t whole = 0;
        // What has no end of line was cut off while it was written.
        for (std::size_t begin = 0, end; (end = text->find('\n', begin)) != std::string::npos;
             whole = begin = end + 1) {
            ++number;
            auto entries = records::readJsonLine(std::string_view(*text).substr(begin, end - begin));
            if (!entries && number > 1 && end + 1 == text->size()) break;
            if (!entries) return refuse(number, number == 1 ? "not a file of sets" : "not a set: not a JSON object");
            if (number == 1) {
                if (const std::string why = difference(header, *entries); !why.empty()) return refuse(1, why);
                continue;
            }
            if (entries->empty() || entries->front().first != "set")
                return refuse(number, "a set begins with its number, \"set\"");
            const double set = records::findNumber(*entries, "set", -1);
            if (!within(set, 0, kMostSets) || set != std::floor(set))
                return refuse(number, "its number is not that of a set");
            entries->erase(entries->begin());
            sets_.emplace(int(set), std::move(*entries));
        }
        if (number == 0 && !text->empty()) return refuse(1, "not a file of sets");
        if (auto cut = file_->cutTo(whole); !cut) return fail(cut.error());
        return number > 0;
    }

    std::string path_;
    std::map<int, records::Entries> sets_;
    std::optional<AppendedFile> file_;
};

}  // namespace

Expected<FinishedSets> runSets(const SetExperiment& experiment, Job& job) {
    FinishedSets out{.sets = {}, .planned = job.options.sets > 0 ? job.options.sets : experiment.extent.sets};
    auto file = SetFile::open(job.options.setsFile, makeHeader(experiment, job.options));
    if (!file) return fail(file.error());
    for (int set = 0; set < out.planned; ++set) {
        if (file->sets().contains(set)) continue;
        job.say(fmt::format("set {} of {}, {}", set + 1, out.planned, experiment.makeLabel(set)),
                double(set) / out.planned);
        auto values = experiment.run(set);
        if (job.stopped()) {
            out.stopped = true;
            break;
        }
        if (!values) return fail(values.error());
        if (auto added = file->add(set, std::move(*values)); !added) return fail(added.error());
    }
    for (const auto& [set, values] : file->sets())
        if (set < out.planned) out.sets.push_back({set, values});
    if (out.sets.empty()) return fail("stopped");
    return out;
}

std::mt19937 randomStream(const ReproduceOptions& options, int number) {
    return std::mt19937(unsigned(number + 1) + 1000003u * unsigned(options.seed - 1));
}

std::string FinishedSet::text(std::string_view key) const {
    const records::Value* value = records::findEntry(values, key);
    const auto* text = value ? std::get_if<std::string>(value) : nullptr;
    return text ? *text : std::string();
}

}  // namespace clothlab::papers
