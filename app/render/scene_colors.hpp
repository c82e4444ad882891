#pragma once

#include <array>
#include <glm/glm.hpp>

#include "render/mark_batch.hpp"
#include "worker/snapshots/snapshot.hpp"

namespace clothlab::app::render {

/// sRGB 0..1 from a hexadecimal colour.
constexpr glm::vec3 hexColor(unsigned hex) {
    return {float(hex >> 16 & 255) / 255.0f, float(hex >> 8 & 255) / 255.0f, float(hex & 255) / 255.0f};
}
/// sRGB as light (linear), for what is lit.
inline glm::vec3 asLight(const glm::vec3& c) { return c * (c * (c * 0.305306011f + 0.682171111f) + 0.012522878f); }
inline glm::vec3 linearColor(unsigned hex) { return asLight(hexColor(hex)); }

/// The colours of the picture around cloth and data: grey with a little blue. Fabrics have their own (fabrics.hpp).
struct SceneColors {
    glm::vec3 top, bottom;  ///< background, sRGB
    glm::vec3 groundLit, groundShade, groundLine;
    glm::vec3 clothDim, solid;  ///< linear
    glm::vec3 bounce;           ///< linear, light of the surroundings in the shade of cloth and solids
    std::array<glm::vec3, worker::kMostGhosts> ghosts;  ///< linear
    Rgba pin, pinRim, grab, wire, normal, markRim, thread;
    Rgba error;  ///< the theme's red
};

inline const SceneColors& sceneColors(bool light) {
    static const SceneColors dark{
        hexColor(0x20252d),
        hexColor(0x14171c),
        hexColor(0x252b34),
        hexColor(0x111419),
        hexColor(0x343c48),
        linearColor(0x3d444e),
        linearColor(0x7d8794),
        {0, 0, 0},
        {linearColor(0xe6d3b0), linearColor(0x7bd389), linearColor(0xd884c4), linearColor(0xe69f00)},
        {255, 209, 102, 255},
        {43, 35, 16, 255},
        {255, 255, 255, 255},
        {12, 20, 30, 150},
        {217, 222, 230, 230},
        {16, 19, 24, 255},
        {240, 216, 168, 220},
        {255, 107, 107, 255}};
    static const SceneColors bright{
        hexColor(0xf4f6f9),
        hexColor(0xe3e8ee),
        hexColor(0xeceff4),
        hexColor(0x9aa5b3),
        hexColor(0xb3bdc9),
        linearColor(0x505864),
        linearColor(0xa3adb9),
        {0.24f, 0.24f, 0.25f},
        {linearColor(0x8a7450), linearColor(0x4ea562), linearColor(0xad3a8e), linearColor(0xc88608)},
        {255, 190, 60, 255},
        {74, 54, 10, 255},
        {20, 26, 34, 255},
        {12, 20, 30, 150},
        {50, 58, 70, 230},
        {250, 250, 252, 255},
        {120, 84, 20, 230},
        {147, 16, 30, 255}};
    return light ? bright : dark;
}

}  // namespace clothlab::app::render
