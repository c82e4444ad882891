#include "render/cloth_normals.hpp"

#include <cmath>

namespace clothlab::app::render {

void vertexNormals(std::span<const float> positions, std::span<const geometry::Triangle> triangles,
                   std::vector<float>& normals) {
    normals.assign(positions.size(), 0.0f);
    const float* x = positions.data();
    float* n = normals.data();
    for (const auto& t : triangles) {
        const std::size_t i = 3 * std::size_t(t[0]), j = 3 * std::size_t(t[1]), k = 3 * std::size_t(t[2]);
        const float ax = x[j] - x[i], ay = x[j + 1] - x[i + 1], az = x[j + 2] - x[i + 2];
        const float bx = x[k] - x[i], by = x[k + 1] - x[i + 1], bz = x[k + 2] - x[i + 2];
        const float cross[3] = {ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx};
        for (const std::size_t corner : {i, j, k})
            for (std::size_t axis = 0; axis < 3; ++axis) n[corner + axis] += cross[axis];
    }
    for (std::size_t i = 0; i + 2 < normals.size(); i += 3) {
        const float length = std::sqrt(n[i] * n[i] + n[i + 1] * n[i + 1] + n[i + 2] * n[i + 2]);
        if (length > 1e-20f && std::isfinite(length)) {
            for (std::size_t axis = 0; axis < 3; ++axis) n[i + axis] /= length;
        } else {
            n[i] = n[i + 2] = 0;
            n[i + 1] = 1;
        }
    }
}

}  // namespace clothlab::app::render
