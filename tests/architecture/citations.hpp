#pragma once

#include <set>
#include <string>
#include <vector>

#include "architecture/rules.hpp"

/// Checks that the repository has everything that comments, strings and pages cite: "methods §9.3", "oracle 32",
/// "E-07", "[Y] §6", "Steele and others 2014".
namespace clothlab::architecture {

/// Everything that can be cited.
struct Library {
    struct Work {
        std::string id;                     ///< "boxerman2003"
        std::vector<std::string> surnames;  ///< without accents
        std::string year;
    };
    std::set<std::string> sections;  ///< "9", "9.3": numbers of headings
    std::set<std::string> oracles;   ///< "32a": first cells of rows
    std::set<std::string> errata;    ///< "E-07": first cells of rows
    std::set<std::string> keys;      ///< "Y": rows of the key, "| [Y] | ... `ye2009` ... |"
    std::vector<Work> works;         ///< of the bibliography
    std::vector<std::string> flaws;  ///< rows of the key whose works the bibliography does not have
};

/// Reads the numbered pages, including the register of errata, and a BibTeX file.
Library readLibrary(const std::vector<SourceFile>& pages, const std::string& bibliography);

/// One sentence per breach, "file:line: what". In C++ and GLSL, only comments and strings are checked.
std::vector<std::string> citationBreaches(const Library& library, const std::vector<SourceFile>& files);

}  // namespace clothlab::architecture
