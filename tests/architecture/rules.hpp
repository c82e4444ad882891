#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

/// The rules of docs/architecture.md, read from its fenced blocks, and their check over source text.
///
/// Every include is checked where it is written, against the transitive closure of the table. A chain of includes
/// that are each allowed cannot reach a folder that is not. A single header can be reached so, through others of its
/// folder: a row of `confined` with "reach:" follows the chains.
namespace clothlab::architecture {

struct SourceFile {
    std::string path;  ///< from the root of the tree, with slashes: "core/base/types.hpp"
    std::string text;
};

/// One row of the block `confined`: what only some files may use.
struct Confinement {
    std::vector<std::string> headers;  ///< globs over include paths as written
    std::vector<std::string> words;    ///< identifiers ("word:popen" in the table)
    std::vector<std::string> reached;  ///< globs over headers of ours, through others too ("reach:linalg/*")
    int atMost = 0;                    ///< number of files; 0 = any
    std::vector<std::string> places;   ///< globs over the paths of files; with a leading '!' all but those
};

/// What all sources directly in one folder of core/ or app/ may come to.
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

/// Reads the blocks `includes`, `confined` and `limits` of the page. Throws std::runtime_error that names the line of
/// a row that makes no sense: an unknown folder, a cycle, a missing block or limit.
Rules parseRules(std::string_view markdown);

/// One sentence a breach, "file:line: what"; empty when the rules are kept.
std::vector<std::string> breaches(const Rules& rules, const std::vector<SourceFile>& files);

/// '*' stands for any characters, slashes included.
bool matchesGlob(std::string_view text, std::string_view glob);

}  // namespace clothlab::architecture
