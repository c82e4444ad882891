#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace clothlab::architecture {

/// The declarations of a class. Constants, types and friends do not count; nested classes are counted separately.
struct ClassSize {
    std::string name;
    int members = 0, functions = 0;
    bool isExplained = false;  ///< the comment before it has "Wide on purpose:"
};

/// All classes and structs of a source, from its text only.
std::vector<ClassSize> classSizes(std::string_view text);

/// A function with a body, as clang-format lays it out.
struct FunctionLength {
    std::string head;  ///< its first line
    int line = 0, lines = 0;
    bool isTable = false;  ///< it describes fields, or returns a list of rows
};

std::vector<FunctionLength> functionLengths(std::string_view text);

}  // namespace clothlab::architecture
