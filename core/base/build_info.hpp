#pragma once

#include <span>
#include <string>
#include <string_view>

/// How this program was built: shown by `--version`, the title bar and every table of measurements.
namespace clothlab {

struct DependencyVersion {
    std::string_view name;     ///< "Eigen"
    std::string_view version;  ///< as CMake found it, such as "3.4.0"; empty if the package has none
    std::string_view licence;  ///< SPDX name, of the parts that this program contains
};

struct BuildFacts {
    std::string_view version;     ///< of the project, "0.1.0"
    std::string_view source;      ///< the tree that it was built from
    std::string_view buildType;   ///< CMake's: "Release", "Debug" ...
    std::string_view arch;        ///< CLOTHLAB_ARCH: "v3", "baseline" or "native"
    std::string_view compiler;    ///< "GNU 12.2.0"
    std::string_view sanitizers;  ///< "address,undefined", "thread" or empty
    bool optimized = false;       ///< compiled with -O1 or more; other builds are useless for timings
    bool asserts = false;         ///< asserts are compiled in
    std::span<const DependencyVersion> dependencies;
};

const BuildFacts& buildFacts();

/// One line for a title bar or a table: "0.1.0 Release v3"; followed by what makes timings useless:
/// "NOT OPTIMISED" or "sanitizers: thread".
std::string buildLine();

}  // namespace clothlab
