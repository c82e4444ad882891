#include "geometry/files/obj_writer.hpp"

#include <fmt/format.h>

namespace clothlab::geometry {

std::string toObj(std::span<const Vec3> points, std::span<const Triangle> triangles) {
    fmt::memory_buffer out;
    for (const Vec3& p : points) fmt::format_to(std::back_inserter(out), "v {} {} {}\n", p[0], p[1], p[2]);
    for (const auto& [a, b, c] : triangles)
        fmt::format_to(std::back_inserter(out), "f {} {} {}\n", a + 1, b + 1, c + 1);
    return fmt::to_string(out);
}

}  // namespace clothlab::geometry
