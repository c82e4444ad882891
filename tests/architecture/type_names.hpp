#pragma once

#include <string>
#include <vector>

#include "architecture/rules.hpp"

/// Which types a source defines, read without a compiler. Two types of one name in one namespace, in two files, breach
/// the one-definition rule: a linker keeps one of their inline functions and says nothing.
namespace clothlab::architecture {

struct TypeDefinition {
    std::string name;  ///< with its namespaces: "clothlab::linalg::BlockMatrix"
    int line = 0;
};

/// Every struct, class, union and enum that has its body in the text and can be named from another file: those of
/// anonymous namespaces, of functions and inside of other types are left out, specializations of templates too.
std::vector<TypeDefinition> typesDefinedIn(const std::string& text);

/// "file:line: NAME is also defined in file:line" for each name that core/ or app/ defines in two files.
std::vector<std::string> doubledTypes(const std::vector<SourceFile>& files);

}  // namespace clothlab::architecture
