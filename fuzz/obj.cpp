#include "geometry/files/obj_reader.hpp"
#include "surface.hpp"

using namespace clothlab;

/// A mesh, read strictly and tolerantly. If the strict reader accepts it, both give the same mesh, unless the file has
/// a backslash.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto text = fuzz::asText(data, size);
    const auto strict = geometry::readObj(text, "fuzz.obj", geometry::MeshReading::Strict);
    const auto mesh = geometry::readObj(text, "fuzz.obj");
    for (const auto* one : {&strict, &mesh})
        if (*one) {
            fuzz::checkSurface(**one, size);
        } else {
            fuzz::checkMessage(one->error(), text);
            fuzz::require(one->error().column >= 1, "an error names a column");
        }
    if (strict && text.find('\\') == text.npos)
        fuzz::require(mesh && static_cast<const geometry::TriangleMesh&>(*mesh) == *strict,
                      "what is right stays as it is");
    return 0;
}
