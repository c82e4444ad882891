#include "experiments/systems/system_formats.hpp"

#include <cmath>

#include "messages.hpp"

using namespace clothlab;

/// A matrix or a vector in one of the binary formats, selected by the first byte. Accepted entries are finite and
/// inside of the matrix, and no more than fit in the file.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    const auto formats = experiments::systemFormats();
    const experiments::SystemFormat& format = formats[data[0] / 2 % formats.size()];
    const auto bytes = fuzz::asText(data + 1, size - 1);
    const auto read = data[0] % 2 == 0 ? format.readMatrix(bytes, "fuzz.file") : format.readVector(bytes, "fuzz.file");
    if (!read) {
        fuzz::checkMessage(read.error(), bytes, format.form == experiments::SystemForm::MatrixMarket);
        return 0;
    }
    for (const linalg::ReadMatrix::Entry& e : read->entries) {
        fuzz::require(e.row >= 0 && e.row < read->rows && e.column >= 0 && e.column < read->columns,
                      "an entry lies inside of its matrix");
        fuzz::require(std::isfinite(e.value), "a matrix is finite");
    }
    if (const auto A = linalg::toBlockMatrix(*read, "fuzz.file"); !A)
        fuzz::checkMessage(A.error(), bytes, format.form == experiments::SystemForm::MatrixMarket);
    return 0;
}
