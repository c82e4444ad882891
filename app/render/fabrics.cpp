#include "render/fabrics.hpp"

#include "render/scene_colors.hpp"

namespace clothlab::app::render {

const FabricLook& fabricLook(scene::Fabric fabric) {
    static const FabricLook looks[] = {
        {.dark = linearColor(0x6aa9dc), .light = linearColor(0x5a9fd6), .second = linearColor(0xeef3f8)},
        {.dark = linearColor(0xb8394a),
         .light = linearColor(0xb03042),
         .second = linearColor(0xf0a8a0),
         .threads = 16,
         .depth = 0.10f,
         .stripes = 0,
         .sheen = 0.55f,
         .gloss = 0.42f,
         .sharpness = 22,
         .wrap = 0.05f},
        {.dark = linearColor(0xc98a3c),
         .light = linearColor(0xc07f30),
         .second = linearColor(0x6b3f2a),
         .threads = 6,
         .depth = 0.38f,
         .stripes = 0.55f,
         .sheen = 0.26f,
         .gloss = 0,
         .wrap = 0.28f},
        {.dark = linearColor(0x3f5f92),
         .light = linearColor(0x3b5a8c),
         .second = linearColor(0xc8d2e0),
         .threads = 12,
         .depth = 0.26f,
         .stripes = 0,
         .twill = 0.20f,
         .sheen = 0.10f,
         .gloss = 0.03f},
        {.dark = linearColor(0x5b9a6a),
         .light = linearColor(0x4a8c5b),
         .second = linearColor(0x3f6f4b),
         .threads = 0,
         .depth = 0,
         .stripes = 0,
         .sheen = 0.34f,
         .gloss = 0,
         .wrap = 0.35f},
        {.dark = linearColor(0xd6c7a6),
         .light = linearColor(0xcdbb94),
         .second = linearColor(0x8a6f52),
         .threads = 9,
         .depth = 0.38f,
         .stripes = 0.30f,
         .sheen = 0.12f,
         .gloss = 0.04f},
        {.dark = linearColor(0x6aa9dc),
         .light = linearColor(0x5a9fd6),
         .second = linearColor(0x4a80b0),
         .threads = 4,
         .depth = 0.16f,
         .stripes = 0,
         .checks = 1},
    };
    static_assert(std::size(looks) == scene::kFabrics.size());
    return looks[int(fabric)];
}

}  // namespace clothlab::app::render
