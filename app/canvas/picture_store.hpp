#pragma once

#include <map>
#include <string>

#include <imgui.h>

namespace clothlab::app::canvas {

/// Picture files as textures for panels. Each is read once, on first use: a gallery that is never opened reads none.
class PictureStore {
public:
    PictureStore() = default;
    ~PictureStore();  ///< needs the context that made the textures
    PictureStore(const PictureStore&) = delete;
    PictureStore& operator=(const PictureStore&) = delete;

    /// Null where the file is missing or is no picture.
    ImTextureID picture(const std::string& file);

private:
    std::map<std::string, unsigned> textures_;  ///< by file; 0: there is none
};

}  // namespace clothlab::app::canvas
