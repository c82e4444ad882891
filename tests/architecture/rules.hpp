#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

/// Reads the rules of docs/architecture.md from its fenced blocks, and checks source text against them.
///
/// Every include is checked against the transitive closure of the table, so a chain of allowed includes cannot reach a
/// forbidden folder. It can reach a forbidden header through other headers of an allowed folder: a row of `confined`
/// with "reach:" follows the chains.
namespace clothlab::architecture {

struct SourceFile {
    std::string path;  ///< from the root of the tree, with slashes: "core/base/types.hpp"
    std::string text;
};

/// One row of the block `confined`: headers and words that only some files may use.
struct Confinement {
    std::vector<std::string> headers;  ///< globs over include paths as written
    std::vector<std::string> words;    ///< identifiers ("word:popen" in the table)
    std::vector<std::string> reached;  ///< globs over our headers, also if included indirectly ("reach:linalg/*")
    int atMost = 0;                    ///< number of files; 0 = any
    std::vector<std::string> places;   ///< globs over the paths of files; with a leading '!' all others
};

/// The limit for all sources directly in one folder of core/ or app/.
struct FolderLimit {
    int most = 0;
    std::map<std::string, int> exceptions;  ///< folder, named as in the block `includes` -> its own limit
};

struct Rules {
    std::map<std::string, std::vector<std::string>> mayInclude;  ///< folder -> all that it reaches, itself included
    std::vector<Confinement> confined;
    int maxLines = 0;  ///< of a file
    FolderLimit folderLines, folderFiles;
};

/// Reads the blocks `includes`, `confined` and `limits` of the page. Throws a std::runtime_error that names the line of
/// an invalid row (an unknown folder, a cycle), or a missing block or limit.
Rules parseRules(std::string_view markdown);

/// One sentence per breach, "file:line: what"; empty when the rules are kept.
std::vector<std::string> breaches(const Rules& rules, const std::vector<SourceFile>& files);

/// '*' matches any characters, including slashes.
bool matchesGlob(std::string_view text, std::string_view glob);

}  // namespace clothlab::architecture
