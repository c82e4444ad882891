#pragma once

#include <glm/glm.hpp>

#include "scene/fabric.hpp"

namespace clothlab::app::render {

/// Parameters of a fabric in the shader of the cloth (shaders/cloth.frag).
struct FabricLook {
    glm::vec3 dark, light;  ///< linear, its colour in either theme
    glm::vec3 second;       ///< linear, of stripes, of the weft of a twill, of the other checks
    float threads = 7;      ///< to a check, of which the longer side has sixteen; 0 = none
    float depth = 0.34f;    ///< how dark it is between threads
    float stripes = 0.45f;  ///< share of the second colour in a stripe every two checks
    float twill = 0;        ///< share of the second colour along diagonals
    float checks = 0;       ///< share of the second colour in every other check
    float sheen = 0.20f;    ///< towards the edge of what is seen
    float gloss = 0.09f;    ///< of the key light
    float sharpness = 10;   ///< exponent of the gloss
    float wrap = 0.15f;     ///< cosine by which light goes round an edge
};

const FabricLook& fabricLook(scene::Fabric fabric);

}  // namespace clothlab::app::render
