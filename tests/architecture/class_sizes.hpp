#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace clothlab::architecture {

/// What a class declares itself: constants, types and friends do not count, nested classes are counted apart.
struct ClassSize {
    std::string name;
    int members = 0, functions = 0;
    bool isExplained = false;  ///< the comment before it has "Wide on purpose:"
};

/// All classes and structs of a source, by its text alone.
std::vector<ClassSize> classSizes(std::string_view text);

}  // namespace clothlab::architecture
