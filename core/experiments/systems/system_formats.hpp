#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>

#include "base/enum_table.hpp"
#include "linalg/matrix_market.hpp"

/// The formats for writing and reading linear systems. A new one is a row in system_formats.cpp.
namespace clothlab::experiments {

enum class SystemForm : int { MatrixMarket, Npz, Petsc };
inline constexpr std::array kSystemForms{
    EnumEntry{int(SystemForm::MatrixMarket), "mtx", "MatrixMarket",
              "Text, which SciPy, MATLAB and Julia read; A as its lower triangle."},
    EnumEntry{int(SystemForm::Npz), "npz", "NumPy",
              "scipy.sparse.load_npz reads the matrices, as BSR of 3x3 blocks, and numpy.load the vectors."},
    EnumEntry{int(SystemForm::Petsc), "petsc", "PETSc",
              "PETSc's binary format, with 32-bit indices: MatLoad and VecLoad read it."},
};
constexpr std::span<const EnumEntry> enumTable(SystemForm) { return kSystemForms; }

/// Functions to write and read matrices and vectors. A matrix holds the occupied blocks and the diagonal, with a core
/// mask only the blocks of the core; a pattern has a number for each block, its bits of the core mask.
struct SystemFormat {
    SystemForm form;
    std::string_view matrixEnding, vectorEnding;
    Expected<std::string> (*matrix)(const linalg::BlockMatrix& A, const linalg::CoreMask* core);
    Expected<std::string> (*pattern)(const linalg::BlockPattern& pattern, const linalg::CoreMask& core);
    std::string (*vector)(const linalg::BlockVector& x);  ///< 3N
    std::string (*rows)(const linalg::BlockVector& x);    ///< N x 3 where the format has it, else 3N
    Expected<linalg::ReadMatrix> (*readMatrix)(std::string_view bytes, const std::string& file);
    Expected<linalg::ReadMatrix> (*readVector)(std::string_view bytes, const std::string& file);

    std::string matrixName(std::string_view stem) const { return std::string(stem).append(matrixEnding); }
    std::string vectorName(std::string_view stem) const { return std::string(stem).append(vectorEnding); }
};

/// In the order of the enum.
std::span<const SystemFormat> systemFormats();
const SystemFormat& systemFormat(SystemForm form);

}  // namespace clothlab::experiments
