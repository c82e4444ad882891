#include "geometry/files/ply_reader.hpp"
#include "surface.hpp"

using namespace clothlab;

/// A mesh. An error names a line and a column, or a byte of the file.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto text = fuzz::asText(data, size);
    const auto mesh = geometry::readPly(text, "fuzz.ply");
    if (mesh) {
        fuzz::checkSurface(*mesh, size);
        return 0;
    }
    const Error& error = mesh.error();
    const bool binary = error.line == 0;
    fuzz::checkMessage(error, text, !binary);
    if (binary) fuzz::require(error.message.starts_with("byte "), "an error in binary names a byte", error.text());
    return 0;
}
