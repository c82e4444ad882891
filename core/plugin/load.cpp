#include "plugin/load.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <exception>
#include <filesystem>

#include "base/text.hpp"
#include "plugin/plugin.hpp"

namespace clothlab::plugin {
namespace {

constexpr std::string_view kVersion = CLOTHLAB_VERSION;

/// Empty, or why this program cannot take it.
std::string refusal(const About& about) {
    const std::string_view version = about.version ? about.version : "no version";
    if (about.interface != kInterface || version != kVersion)
        return fmt::format("it is for Clothlab {} (interface {}), and this is {} (interface {})", shown(version),
                           about.interface, kVersion, kInterface);
    if (about.layout != layout())
        return fmt::format(
            "it was built for Clothlab {} with other headers, another compiler or other flags than this Clothlab {}: "
            "sizes of types differ (layout {:08x}, here {:08x})",
            version, kVersion, about.layout, layout());
    return {};
}

/// In a program, what a plug-in calls is in sight of it. In a library such as the Python module it is from here on.
void offerNames() {
    Dl_info here{};
    if (dladdr(reinterpret_cast<const void*>(&load), &here) != 0)
        (void)dlopen(here.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_GLOBAL);
}

Expected<void> enter(const About& about) {
    try {
        return about.enter();
    } catch (const std::exception& e) {
        return fail(fmt::format("it ended with an exception: {}", shown(e.what())));
    }
}

}  // namespace

Expected<void> load(const std::string& path) {
    const auto refuse = [&path](std::string why) { return fail(Error{.message = std::move(why), .file = path}); };
    std::error_code ignored;
    const std::string whole =
        std::filesystem::absolute(path, ignored).string();  // else it would be looked for elsewhere
    offerNames();
    void* const before = dlopen(whole.c_str(), RTLD_LAZY | RTLD_NOLOAD);
    void* const library = before ? before : dlopen(whole.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        std::string why = dlerror();
        if (why.starts_with(whole + ": ")) why.erase(0, whole.size() + 2);
        return refuse(fmt::format("the plug-in cannot be loaded: {}", shown(why, kShownPathCharacters)));
    }
    const auto about = reinterpret_cast<Exported*>(dlsym(library, kExported));
    const std::string why = about ? refusal(*about()) : fmt::format("this is no plug-in: it has no {}", kExported);
    if (!why.empty()) {
        dlclose(library);
        return refuse(why);
    }
    if (before) return {};
    if (auto entered = enter(*about()); !entered) {
        entered.error().file = path;
        return entered;
    }
    return {};
}

}  // namespace clothlab::plugin
