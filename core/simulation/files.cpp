#include "simulation/files.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

namespace clothlab::simulation {

Expected<std::string> readFile(const std::string& path) {
    const auto cannot = [&](std::string_view why) { return fail(Error{.message = fmt::format("cannot read: {}", why), .file = path}); };
    std::FILE* file = std::fopen(path.c_str(), "rb");
    if (!file) return cannot(std::strerror(errno));
    std::string content;
    char buffer[1 << 16];
    for (std::size_t n; (n = std::fread(buffer, 1, sizeof buffer, file)) > 0;) content.append(buffer, n);
    const bool bad = std::ferror(file) != 0;
    std::fclose(file);
    if (bad) return cannot("the file could not be read to its end");
    return content;
}

}  // namespace clothlab::simulation
