#include "architecture/rules.hpp"

#include <algorithm>
#include <cctype>
#include <optional>
#include <set>
#include <sstream>
#include <stdexcept>

namespace clothlab::architecture {
namespace {

using Direct = std::map<std::string, std::vector<std::string>>;

[[noreturn]] void fail(int line, const std::string& what) {
    throw std::runtime_error("architecture.md:" + std::to_string(line) + ": " + what);
}

std::vector<std::string> split(std::string_view text, char separator) {
    std::vector<std::string> parts;
    std::string part;
    std::istringstream in{std::string(text)};
    while (std::getline(in, part, separator)) {
        if (!part.empty()) parts.push_back(part);
    }
    return parts;
}

void readIncludesRow(const std::vector<std::string>& words, int line, Direct& direct) {
    if (words.size() < 2 || words[1] != "<-") fail(line, "expected 'folder <- folders'");
    if (direct.contains(words[0])) fail(line, "'" + words[0] + "' has two rows");
    std::vector<std::string>& reached = direct[words[0]];
    for (std::size_t i = 2; i < words.size(); ++i) {
        if (!direct.contains(words[i])) fail(line, "'" + words[i] + "' has no row above this one");
        reached.push_back(words[i]);
    }
}

Confinement readConfinedRow(const std::vector<std::string>& words, int line) {
    if (words.size() < 3) fail(line, "expected 'headers number-of-files places'");
    Confinement row;
    for (const std::string& item : split(words[0], '|')) {
        if (item.starts_with("word:")) {
            row.words.push_back(item.substr(5));
        } else if (item.starts_with("reach:")) {
            row.reached.push_back(item.substr(6));
        } else {
            row.headers.push_back(item);
        }
    }
    if (words[1] != "any") {
        row.atMost = std::atoi(words[1].c_str());
        if (row.atMost < 1) fail(line, "the number of files is 'any' or at least 1");
    }
    row.places.assign(words.begin() + 2, words.end());
    return row;
}

int positive(const std::string& word, int line) {
    const int number = std::atoi(word.c_str());
    if (number < 1) fail(line, "'" + word + "' is not a number of at least 1");
    return number;
}

void readLimitsRow(const std::vector<std::string>& words, int line, Rules& rules) {
    const bool lines = words[0] == "folder-lines";
    if (words.size() == 2 && words[0] == "lines") {
        rules.maxLines = positive(words[1], line);
    } else if (words.size() >= 2 && (lines || words[0] == "folder-files")) {
        FolderLimit& limit = lines ? rules.folderLines : rules.folderFiles;
        const int number = positive(words[1], line);
        if (words.size() == 2) limit.most = number;
        for (std::size_t i = 2; i < words.size(); ++i)
            if (!limit.exceptions.emplace(words[i], number).second) fail(line, "'" + words[i] + "' has two limits");
    } else {
        fail(line, "expected 'lines N', 'folder-lines N folders' or 'folder-files N folders'");
    }
}

// A row names only folders of the rows above it, so their closures are known already, and cycles are impossible.
std::vector<std::string> closure(const Direct& direct, const std::string& folder) {
    std::set<std::string> reached{folder};
    std::vector<std::string> open{folder};
    while (!open.empty()) {
        const std::string next = open.back();
        open.pop_back();
        for (const std::string& target : direct.at(next)) {
            if (reached.insert(target).second) open.push_back(target);
        }
    }
    return {reached.begin(), reached.end()};
}

std::string directoryOf(const std::string& path) {
    const std::size_t slash = path.rfind('/');
    return slash == std::string::npos ? "" : path.substr(0, slash);
}

// The folder of a file as the tables name it: "core/cloth/x.hpp" -> "cloth", "app/render/x.hpp" -> "app/render".
std::string namedFolder(const std::string& path) {
    const std::string directory = directoryOf(path);
    return directory.starts_with("core/") ? directory.substr(5) : directory;
}

// The innermost folder around a file that has a row.
std::optional<std::string> folderOf(const Rules& rules, const std::string& path) {
    for (std::string directory = namedFolder(path); !directory.empty(); directory = directoryOf(directory)) {
        if (rules.mayInclude.contains(directory)) return directory;
    }
    return std::nullopt;
}

std::string normalized(const std::string& path) {
    std::vector<std::string> parts;
    for (const std::string& part : split(path, '/')) {
        if (part == "..") {
            if (!parts.empty()) parts.pop_back();
        } else if (part != ".") {
            parts.push_back(part);
        }
    }
    std::string result;
    for (const std::string& part : parts) result += (result.empty() ? "" : "/") + part;
    return result;
}

// The file in the repository that an include names, relative to the including file or to an include root, if any.
std::optional<std::string> target(const std::set<std::string>& ours, const std::string& from, const std::string& name) {
    for (const std::string& root : {directoryOf(from), std::string("core"), std::string("app"), std::string()}) {
        const std::string path = normalized(root + "/" + name);
        if (ours.contains(path)) return path;
    }
    return std::nullopt;
}

std::optional<std::string> includedName(const std::string& line) {
    std::size_t at = line.find_first_not_of(" \t");
    if (at == std::string::npos || line[at] != '#') return std::nullopt;
    at = line.find_first_not_of(" \t", at + 1);
    if (at == std::string::npos || line.compare(at, 7, "include") != 0) return std::nullopt;
    const std::size_t open = line.find_first_of("\"<", at + 7);
    if (open == std::string::npos) return std::nullopt;
    const std::size_t close = line.find_first_of("\">", open + 1);
    if (close == std::string::npos) return std::nullopt;
    return line.substr(open + 1, close - open - 1);
}

bool hasWord(std::string_view line, std::string_view word) {
    line = line.substr(0, line.find("//"));
    const auto isName = [&](std::size_t at) {
        return at < line.size() && (std::isalnum(static_cast<unsigned char>(line[at])) || line[at] == '_');
    };
    for (std::size_t at = line.find(word); at != line.npos; at = line.find(word, at + 1)) {
        if (!(at > 0 && isName(at - 1)) && !isName(at + word.size())) return true;
    }
    return false;
}

bool matchesAny(const std::string& name, const std::vector<std::string>& globs) {
    return std::any_of(globs.begin(), globs.end(), [&](const std::string& glob) { return matchesGlob(name, glob); });
}

/// A place that begins with '!' means every file but those.
bool isAllowed(const Confinement& row, const std::string& path) {
    return std::any_of(row.places.begin(), row.places.end(), [&](const std::string& place) {
        return place.starts_with('!') ? !matchesGlob(path, place.substr(1)) : matchesGlob(path, place);
    });
}

/// The include path of a header: "core/simulation/report.hpp" is included as "simulation/report.hpp".
std::string asIncluded(const std::string& path) {
    return path.starts_with("core/") || path.starts_with("app/") ? path.substr(path.find('/') + 1) : path;
}

bool uses(const Confinement& row, const std::string& line, const std::optional<std::string>& include) {
    if (include) {
        return matchesAny(*include, row.headers);
    }
    return std::any_of(row.words.begin(), row.words.end(),
                       [&](const std::string& word) { return hasWord(line, word); });
}

bool underRules(const std::string& path) { return path.starts_with("core/") || path.starts_with("app/"); }

class Check {
public:
    Check(const Rules& rules, const std::vector<SourceFile>& files) : rules_(rules), users_(rules.confined.size()) {
        for (const SourceFile& file : files) ours_.insert(file.path);
        for (const SourceFile& file : files) checkFile(file);
        for (const SourceFile& file : files)
            if (underRules(file.path)) checkReach(file.path);
        checkCounts();
        checkNames();
        checkFolders(rules_.folderLines, folderLines_, "lines");
        checkFolders(rules_.folderFiles, folderFiles_, "files");
    }

    std::vector<std::string> found;

private:
    void report(const std::string& path, int line, const std::string& what) {
        found.push_back(path + ":" + std::to_string(line) + ": " + what);
    }

    void checkFile(const SourceFile& file) {
        const bool checked = underRules(file.path);
        if (checked && !folderOf(rules_, file.path)) report(file.path, 1, "its folder has no row in the table");
        std::istringstream in(file.text);
        std::string line;
        int number = 0;
        while (std::getline(in, line)) {
            ++number;
            if (checked) checkLine(file.path, number, line);
        }
        if (number > rules_.maxLines)
            report(file.path, number, "longer than " + std::to_string(rules_.maxLines) + " lines");
        if (!checked) return;
        folderLines_[namedFolder(file.path)] += number;
        ++folderFiles_[namedFolder(file.path)];
    }

    void checkLine(const std::string& path, int number, const std::string& line) {
        const std::optional<std::string> include = includedName(line);
        if (include) {
            checkDirection(path, number, *include);
            if (const auto ours = target(ours_, path, *include)) includes_[path].push_back({*ours, number});
        }
        for (std::size_t i = 0; i < rules_.confined.size(); ++i) {
            const Confinement& row = rules_.confined[i];
            if (!uses(row, line, include)) continue;
            users_[i].insert(path);
            if (!isAllowed(row, path)) report(path, number, "not allowed here: " + line);
        }
    }

    /// Follows the includes of a file breadth-first, and reports the chain by which a header is reached.
    void checkReach(const std::string& path) {
        struct Step {
            std::string path, way;
            int line;
        };
        std::set<std::string> seen{path};
        std::vector<Step> open{{path, path, 0}};
        for (std::size_t next = 0; next < open.size(); ++next) {
            const Step step = open[next];
            for (const Include& include : includes_[step.path]) {
                if (!seen.insert(include.path).second) continue;
                open.push_back(
                    {include.path, step.way + " -> " + asIncluded(include.path), next > 0 ? step.line : include.line});
                noteReach(path, open.back().path, open.back().line, open.back().way);
            }
        }
    }

    void noteReach(const std::string& path, const std::string& reached, int line, const std::string& way) {
        for (std::size_t i = 0; i < rules_.confined.size(); ++i) {
            const Confinement& row = rules_.confined[i];
            if (!matchesAny(asIncluded(reached), row.reached)) continue;
            if (!users_[i].insert(path).second) continue;  // reported once per file and row
            if (!isAllowed(row, path)) report(path, line, "not to be reached from here: " + way);
        }
    }

    /// A row about a header that no longer exists would forbid nothing.
    void checkNames() {
        for (const Confinement& row : rules_.confined)
            for (const std::string& glob : row.reached)
                if (std::none_of(ours_.begin(), ours_.end(),
                                 [&](const std::string& path) { return matchesGlob(asIncluded(path), glob); }))
                    found.push_back("reach:" + glob + ": there is no such header");
    }

    void checkDirection(const std::string& path, int number, const std::string& name) {
        const std::optional<std::string> to = target(ours_, path, name);
        const std::optional<std::string> from = folderOf(rules_, path);
        if (!to || !from) return;
        const std::optional<std::string> reached = folderOf(rules_, *to);
        const std::vector<std::string>& allowed = rules_.mayInclude.at(*from);
        if (!reached || std::find(allowed.begin(), allowed.end(), *reached) == allowed.end()) {
            report(path, number, *from + " may not include " + *to);
        }
    }

    void checkCounts() {
        for (std::size_t i = 0; i < users_.size(); ++i) {
            const Confinement& row = rules_.confined[i];
            if (row.atMost == 0 || int(users_[i].size()) <= row.atMost) continue;
            std::string list;
            for (const std::string& user : users_[i]) list += " " + user;
            const std::string& name = !row.headers.empty() ? row.headers.front()
                                      : !row.words.empty() ? row.words.front()
                                                           : row.reached.front();
            found.push_back(name + ": used by more than " + std::to_string(row.atMost) + " file(s):" + list);
        }
    }

    void checkFolders(const FolderLimit& limit, const std::map<std::string, int>& counts, const std::string& what) {
        for (const auto& [folder, count] : counts) {
            const auto own = limit.exceptions.find(folder);
            const int most = own == limit.exceptions.end() ? limit.most : own->second;
            if (count > most)
                found.push_back(folder + ": " + std::to_string(count) + " " + what + ", more than " +
                                std::to_string(most));
        }
        for (const auto& [folder, own] : limit.exceptions) {
            const auto count = counts.find(folder);
            if (count == counts.end() || count->second <= limit.most)
                found.push_back(folder + ": needs no limit of " + std::to_string(own) + " " + what);
        }
    }

    struct Include {
        std::string path;
        int line;
    };

    const Rules& rules_;
    std::set<std::string> ours_;
    std::map<std::string, std::vector<Include>> includes_;
    std::vector<std::set<std::string>> users_;
    std::map<std::string, int> folderLines_, folderFiles_;
};

}  // namespace

bool matchesGlob(std::string_view text, std::string_view glob) {
    const std::size_t star = glob.find('*');
    if (star == glob.npos) return text == glob;
    if (!text.starts_with(glob.substr(0, star))) return false;
    const std::string_view rest = glob.substr(star + 1);
    for (std::size_t at = star; at <= text.size(); ++at) {
        if (matchesGlob(text.substr(at), rest)) return true;
    }
    return false;
}

Rules parseRules(std::string_view markdown) {
    Rules rules;
    Direct direct;
    std::istringstream in{std::string(markdown)};
    std::string line, block;
    for (int number = 1; std::getline(in, line); ++number) {
        if (line.starts_with("```")) {
            block = block.empty() ? line.substr(3) + " " : "";  // the blank keeps an unnamed block open
            continue;
        }
        std::istringstream row(line.substr(0, line.find('#')));
        std::vector<std::string> words;
        for (std::string word; row >> word;) words.push_back(word);
        if (words.empty()) continue;
        if (block == "includes ") readIncludesRow(words, number, direct);
        if (block == "confined ") rules.confined.push_back(readConfinedRow(words, number));
        if (block == "limits ") readLimitsRow(words, number, rules);
    }
    if (direct.empty()) fail(1, "no block 'includes'");
    if (rules.confined.empty()) fail(1, "no block 'confined'");
    if (rules.maxLines < 1 || rules.folderLines.most < 1 || rules.folderFiles.most < 1)
        fail(1, "no block 'limits' with 'lines', 'folder-lines' and 'folder-files'");
    for (const auto& [folder, reached] : direct) rules.mayInclude[folder] = closure(direct, folder);
    return rules;
}

std::vector<std::string> breaches(const Rules& rules, const std::vector<SourceFile>& files) {
    return Check(rules, files).found;
}

}  // namespace clothlab::architecture
