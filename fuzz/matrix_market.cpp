#include "linalg/matrix_market.hpp"

#include <algorithm>

#include "messages.hpp"

using namespace clothlab;

/// A matrix or a vector. An accepted one is finite and symmetric, and its size fits the size of the file.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto text = fuzz::asText(data, size);
    const auto matrix = linalg::readMatrixMarket(text, "fuzz.mtx");
    if (!matrix) {
        fuzz::checkMessage(matrix.error(), text);
        return 0;
    }
    if (matrix->rows == matrix->columns && std::size_t(matrix->rows) <= size) {
        // Reads it as a pattern of blocks for a diagonal.
        linalg::ReadMatrix diagonal{.rows = 3 * matrix->rows, .columns = 3 * matrix->rows};
        for (Index d = 0; d < diagonal.rows; ++d) diagonal.entries.push_back({d, d, 1, 2});
        if (const auto A = linalg::toBlockMatrix(diagonal, "fuzz.mtx", &*matrix))
            fuzz::require(A->rows() == matrix->rows, "a matrix has the rows of its pattern");
    }
    if (const auto A = linalg::toBlockMatrix(*matrix, "fuzz.mtx")) {
        fuzz::require(std::size_t(A->rows()) <= size, "the matrix is not larger than its file");
        for (Index k = 0; k < A->pattern().blocks(); ++k) fuzz::require(A->block(k).allFinite(), "a matrix is finite");
    } else {
        fuzz::checkMessage(A.error(), text);
    }
    const Index rows = std::min(matrix->rows, Index(size));  // the size of the matrix for the vector
    if (const auto x = linalg::toBlockVector(*matrix, rows, "fuzz.mtx"); !x)
        fuzz::checkMessage(x.error(), text);
    else if (x->size() > 0)
        fuzz::require(x->flat().allFinite(), "a vector is finite");
    return 0;
}
