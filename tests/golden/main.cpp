// Compares the golden hashes of motions with those of this build, renews them, or adds those that are missing.
// `scripts/golden` calls it.
//   golden RECORD ASSETS [--quick] [--matching TEXT]... [--threads N] [--renew | --add]
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <map>
#include <sstream>

#include "base/build_info.hpp"
#include "base/input.hpp"
#include "base/output.hpp"
#include "base/platform.hpp"
#include "golden/golden_cases.hpp"

namespace clothlab::golden {
namespace {

struct Options {
    std::string record, assets;
    std::vector<std::string> matching;  ///< parts of names; empty = all
    bool quick = false, renew = false, add = false;
    int threads = 1;
};

/// name -> result
using Record = std::map<std::string, std::string>;

Expected<Record> readRecord(const std::string& path) {
    auto text = readFile(path, kHandWritten);
    if (!text) return tl::unexpected(text.error());
    Record record;
    std::istringstream lines(*text);
    for (std::string line; std::getline(lines, line);) {
        const std::size_t blank = line.find(' ');
        if (!line.starts_with("#") && blank != line.npos) record[line.substr(0, blank)] = line.substr(blank + 1);
    }
    return record;
}

/// The quick part is every scene with its own settings, and all methods on one scene without contact and one with.
bool isQuick(const Case& one) { return one.name == one.scene || one.scene == "chen" || one.scene == "ball-hit"; }

bool isAsked(const Options& options, const Case& one) {
    if (options.quick && !isQuick(one)) return false;
    return options.matching.empty() || std::ranges::any_of(options.matching, [&](const std::string& part) {
               return one.name.find(part) != std::string::npos;
           });
}

/// The record was made with CHOLMOD 3 (SuiteSparse 5), which calls the system's METIS. From SuiteSparse 7 on it has its
/// own METIS, which finds other orders; the solver that always uses them has other last bits there.
bool hasMetisOfTheRecord() {
    return std::ranges::any_of(buildFacts().dependencies, [](const DependencyVersion& d) {
        return d.name == "CHOLMOD" && d.version.starts_with("3.");
    });
}
bool ordersByMetis(const Case& one) { return one.name.find("solver=combined-lu") != std::string::npos; }

std::string here() {
    const BuildFacts& facts = buildFacts();
    return fmt::format("# {}, {}, CLOTHLAB_ARCH={}", platform::cpuName(), facts.compiler, facts.arch);
}

int compare(const Options& options, const std::vector<Case>& cases) {
    auto record = readRecord(options.record);
    if (!record) {
        fmt::print(stderr, "golden: {}\n", record.error().text());
        return 2;
    }
    const bool sameMetis = hasMetisOfTheRecord();
    int differ = 0, compared = 0, leftOut = 0, missing = 0;
    for (const Case& one : cases) {
        const auto known = record->find(one.name);
        if (known == record->end()) {
            ++missing;
            fmt::print("{}: has no golden hash yet\n", one.name);
            continue;
        }
        if (!sameMetis && ordersByMetis(one)) {
            ++leftOut;
        } else if (isAsked(options, one)) {
            ++compared;
            const std::string result = resultOf(one, options.assets, options.threads);
            if (result != known->second) {
                ++differ;
                fmt::print("{}: {}, golden hash {}\n", one.name, result, known->second);
            }
        }
        record->erase(known);
    }
    for (const auto& [name, result] : *record) {
        ++differ;
        fmt::print("{}: has a golden hash, but is no longer a case\n", name);
    }
    fmt::print("{} motions compared on {} thread{}, {} differ\n", compared, options.threads,
               options.threads == 1 ? "" : "s", differ);
    if (leftOut > 0) fmt::print("{} left out: this CHOLMOD has another METIS than the one of the record\n", leftOut);
    if (missing > 0) fmt::print("{} without a golden hash: scripts/golden --add\n", missing);
    return differ + missing == 0 ? 0 : 1;
}

/// Motions that were not selected keep their hashes; with --add every motion that has a hash keeps it.
int renew(const Options& options, const std::vector<Case>& cases) {
    const Record record = readRecord(options.record).value_or(Record{});
    std::string text =
        "# Golden hashes of motions: a case, its steps, how it ended, the hash of its last state (tests/golden).\n"
        "# With OPENBLAS_CORETYPE=Haswell. Renewed by scripts/golden --renew, with a line in CHANGELOG.md. Made on:\n";
    text += here() + "\n";
    for (const Case& one : cases) {
        const auto known = record.find(one.name);
        if (!isAsked(options, one) || (options.add && known != record.end())) {
            if (known != record.end()) text += fmt::format("{} {}\n", one.name, known->second);
            continue;
        }
        const std::string result = resultOf(one, options.assets, options.threads);
        text += fmt::format("{} {}\n", one.name, result);
        fmt::print(stderr, "{}{}\n", one.name,
                   known == record.end()     ? ": new"
                   : known->second != result ? ": renewed"
                                             : "");
    }
    if (auto done = writeFile(options.record, text, {}); !done) {
        fmt::print(stderr, "golden: {}\n", done.error().text());
        return 2;
    }
    return 0;
}

}  // namespace
}  // namespace clothlab::golden

int main(int count, char** arguments) {
    using namespace clothlab;
    golden::Options options;
    std::vector<std::string> names;
    for (int k = 1; k < count; ++k) {
        const std::string_view word = arguments[k];
        if (word == "--quick")
            options.quick = true;
        else if (word == "--renew")
            options.renew = true;
        else if (word == "--add")
            options.add = true;
        else if (word == "--threads" && k + 1 < count)
            options.threads = std::max(1, std::atoi(arguments[++k]));
        else if (word == "--matching" && k + 1 < count)
            options.matching.emplace_back(arguments[++k]);
        else
            names.emplace_back(word);
    }
    if (names.size() != 2) {
        fmt::print(stderr,
                   "usage: golden RECORD ASSETS [--quick] [--matching TEXT]... [--threads N] [--renew | --add]\n");
        return 2;
    }
    options.record = names[0], options.assets = names[1];
    const char* kernels = std::getenv("OPENBLAS_CORETYPE");
    if (!kernels || std::strcmp(kernels, "Haswell") != 0) {
        fmt::print(stderr,
                   "golden: OPENBLAS_CORETYPE=Haswell has to be set: OpenBLAS picks its kernels by processor\n");
        return 2;
    }
    const auto cases = golden::allCases(scene::builtInScenes(options.assets));
    return options.renew || options.add ? golden::renew(options, cases) : golden::compare(options, cases);
}
