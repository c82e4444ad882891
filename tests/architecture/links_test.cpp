#include <gtest/gtest.h>

#include <cctype>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>

#include "architecture/text_files.hpp"

/// In every page, each link leads to an existing file and heading, and each path in backticks exists.
namespace clothlab::architecture {
namespace {

namespace fs = std::filesystem;

/// A heading as the target of a link: lower-case letters, digits, and "-" for each space.
std::string anchorOf(const std::string& heading) {
    static const std::regex link(R"(\[([^\]]*)\]\([^)]*\))");
    std::string anchor;
    for (const char c : std::regex_replace(heading, link, "$1")) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte >= 0x80 || std::isalnum(byte) || c == '-' || c == '_') anchor += char(std::tolower(byte));
        if (c == ' ') anchor += '-';
    }
    return anchor;
}

/// Calls visit(line, number) for all lines outside of fenced blocks.
template <class Visit>
void forEachLine(std::istream& in, Visit visit) {
    bool fenced = false;
    int number = 0;
    for (std::string line; std::getline(in, line);) {
        ++number;
        const std::size_t first = line.find_first_not_of(' ');
        if (first != std::string::npos && line.compare(first, 3, "```") == 0) fenced = !fenced;
        if (!fenced) visit(line, number);
    }
}

std::set<std::string> anchorsIn(std::istream& in) {
    std::set<std::string> anchors;
    forEachLine(in, [&](const std::string& line, int) {
        const std::size_t signs = line.find_first_not_of('#');
        if (signs != 0 && signs != std::string::npos && line[signs] == ' ')
            anchors.insert(anchorOf(line.substr(signs + 1)));
    });
    return anchors;
}

template <class Visit>
void forEachMatch(const std::string& text, const std::regex& regex, Visit visit) {
    for (auto at = std::sregex_iterator(text.begin(), text.end(), regex); at != std::sregex_iterator(); ++at)
        visit((*at)[1].str());
}

class PageLinks {
public:
    /// The mistakes in a page at `path`, relative to the root.
    std::string wrongIn(const fs::path& path, std::istream& in) {
        static const std::regex code("`[^`]*`"), link(R"(\]\(([^)\s]+)\))"),
            named("`((?:app|assets|bench|core|docs|fuzz|packaging|python|scripts|shaders|tests|third_party)/[^`]*)`");
        std::string wrong;
        forEachLine(in, [&](const std::string& line, int number) {
            const std::string place = path.string() + ":" + std::to_string(number) + ": ";
            forEachMatch(std::regex_replace(line, code, ""), link, [&](const std::string& target) {
                if (!leads(path, target)) wrong += place + "no such place: " + target + "\n";
            });
            forEachMatch(line, named, [&](const std::string& name) {
                if (!isThere(name)) wrong += place + "no such file: " + name + "\n";
            });
        });
        return wrong;
    }

private:
    bool leads(const fs::path& from, const std::string& target) {
        if (target.starts_with("https://")) return false;
        const std::size_t sign = target.find('#');
        const std::string file = target.substr(0, sign);
        const fs::path to = kRoot / (file.empty() ? from : from.parent_path() / file);
        if (!fs::exists(to)) return false;
        if (sign == std::string::npos || to.extension() != ".md") return true;
        const auto [known, isNew] = anchors_.try_emplace(fs::weakly_canonical(to));
        if (isNew) {
            std::ifstream page(to);
            known->second = anchorsIn(page);
        }
        return known->second.contains(target.substr(sign + 1));
    }

    /// Placeholders, lists and commands are not paths: NAME, {a,b}, <name>, "scripts/run hang".
    static bool isThere(const std::string& name) {
        static const std::regex placeholder(R"([A-Z]{3,}|[{}<> ,])");
        if (std::regex_search(name, placeholder)) return true;
        const std::size_t star = name.find('*');
        if (star == std::string::npos) return fs::exists(kRoot / name);
        const fs::path folder = (kRoot / name.substr(0, star)).parent_path();
        const std::string stem = (kRoot / name.substr(0, star)).filename().string();
        if (!fs::is_directory(folder)) return false;
        for (const auto& entry : fs::directory_iterator(folder))
            if (entry.path().filename().string().starts_with(stem)) return true;
        return false;
    }

    std::map<fs::path, std::set<std::string>> anchors_;
};

TEST(Links, OfAllPagesLeadSomewhere) {
    PageLinks links;
    int pages = 0;
    const auto check = [&](const fs::path& path) {
        if (path.extension() != ".md") return;
        ++pages;
        std::ifstream in(path);
        EXPECT_EQ(links.wrongIn(fs::relative(path, kRoot), in), "");
    };
    for (const auto& entry : fs::directory_iterator(kRoot)) check(entry.path());
    for (const char* folder : {"app", "assets", "bench", "core", "docs", "python", "scripts", "shaders", "tests"})
        for (const auto& entry : fs::recursive_directory_iterator(kRoot / folder)) check(entry.path());
    EXPECT_GT(pages, 60);
}

TEST(Links, WrongOnesAreNamed) {
    std::istringstream page(
        "# A page\n[a](#a-page) [b](#no-page) [c](docs/limits.md) [d](docs/no.md) `[e](no.md)`\n"
        "`core/base/types.hpp` `core/no.hpp` `core/NAME.hpp` `core/base/types.*` `core/base/no.*`\n```\n[f](no.md)\n```\n");
    PageLinks links;
    const std::string wrong = links.wrongIn("README.md", page);
    for (const char* text : {"#no-page", "docs/no.md", "core/no.hpp", "core/base/no.*"})
        EXPECT_NE(wrong.find(text), std::string::npos) << text;
    EXPECT_EQ(std::count(wrong.begin(), wrong.end(), '\n'), 5) << wrong;  // README.md has no heading "A page"
}

}  // namespace
}  // namespace clothlab::architecture
