#include "base/build_info.hpp"

#include <fmt/format.h>

#include "build_info_generated.hpp"

namespace clothlab {
namespace {

constexpr DependencyVersion kDependencies[] = {CLOTHLAB_BUILD_DEPENDENCIES};

#ifdef __OPTIMIZE__
constexpr bool kOptimized = true;
#else
constexpr bool kOptimized = false;
#endif

#ifdef NDEBUG
constexpr bool kAsserts = false;
#else
constexpr bool kAsserts = true;
#endif

constexpr BuildFacts kFacts{CLOTHLAB_BUILD_VERSION,
                            CLOTHLAB_BUILD_SOURCE,
                            CLOTHLAB_BUILD_TYPE,
                            CLOTHLAB_ARCH,
                            CLOTHLAB_BUILD_COMPILER,
                            CLOTHLAB_BUILD_SANITIZERS,
                            kOptimized,
                            kAsserts,
                            kDependencies};

}  // namespace

const BuildFacts& buildFacts() { return kFacts; }

std::string buildLine() {
    std::string line = fmt::format("{} {} {}", kFacts.version, kFacts.buildType, kFacts.arch);
    if (!kFacts.optimized) line += " NOT OPTIMISED";
    if (!kFacts.sanitizers.empty()) line += fmt::format(" sanitizers: {}", kFacts.sanitizers);
    return line;
}

}  // namespace clothlab
