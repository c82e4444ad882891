#include <fmt/format.h>
#include <stb_image_write.h>

#include <cstdlib>
#include <filesystem>

#include "bench.hpp"
#include "film/film.hpp"
#include "render/gl/capture.hpp"

namespace clothlab::bench {
namespace {

app::render::Image renderFrame(const char* scene) {
    const auto stop = [](const Error& error) {
        fmt::print(stderr, "{}\n", error.text());
        std::exit(1);
    };
    auto found = scene::findScene(scene, std::string(CLOTHLAB_SOURCE_DIR) + "/assets");
    if (!found) stop(found.error());
    auto simulation = simulation::Simulation::create(std::move(*found), 1);
    if (!simulation) stop(simulation.error());
    const std::string file = (std::filesystem::temp_directory_path() / "clothlab_bench.png").string();
    const auto drawn = app::film::makeFilm(**simulation, {.out = file,
                                                          .steps = 40,
                                                          .width = 1920,
                                                          .height = 1080,
                                                          .shaderFolder = CLOTHLAB_SOURCE_DIR "/shaders",
                                                          .panels = {}});
    if (!drawn) stop(drawn.error());
    const auto read = app::render::readPng(file);
    std::filesystem::remove(file);
    if (!read) stop(read.error());
    return *read;
}

}  // namespace

/// One frame of 1920 x 1080 on one core, by our writer and by stb_image_write.
void pngRatios(std::vector<Ratio>& out) {
    for (const char* scene : {"hang", "flag", "liu-frog"}) {
        const app::render::Image image = renderFrame(scene);
        std::size_t ours = 0, peers = 0;
        const auto take = [](void* bytes, void*, int size) { *static_cast<std::size_t*>(bytes) += std::size_t(size); };
        out.push_back(compare(
            fmt::format("png frame of {}", scene), [&] { ours = app::render::encodePng(image).value_or("").size(); },
            [&] {
                peers = 0;
                stbi_write_png_to_func(take, &peers, image.width, image.height, 3, image.rgb.data(), 3 * image.width);
            }));
        fmt::print(stderr, "png frame of {}: {} bytes, {} by stb_image_write\n", scene, ours, peers);
    }
}

}  // namespace clothlab::bench
