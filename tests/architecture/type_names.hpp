#pragma once

#include <string>
#include <vector>

#include "architecture/rules.hpp"

/// Finds the types that a source defines, without a compiler. Two types with the same name and namespace in two files
/// break the one-definition rule: the linker keeps one of their inline functions without a message.
namespace clothlab::architecture {

struct TypeDefinition {
    std::string name;  ///< with its namespaces: "clothlab::linalg::BlockMatrix"
    int line = 0;
};

/// Every struct, class, union and enum that has its body in the text and can be named from another file. Left out are
/// those in anonymous namespaces, functions and other types, and specializations of templates.
std::vector<TypeDefinition> typesDefinedIn(const std::string& text);

/// "file:line: NAME is also defined in file:line" for each name that core/ or app/ defines in two files.
std::vector<std::string> doubledTypes(const std::vector<SourceFile>& files);

}  // namespace clothlab::architecture
