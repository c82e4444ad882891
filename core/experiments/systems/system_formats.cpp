#include "experiments/systems/system_formats.hpp"

#include "experiments/systems/petsc_binary.hpp"
#include "experiments/systems/sparse_npz.hpp"

namespace clothlab::experiments {
namespace {

using linalg::BlockMatrix;
using linalg::BlockPattern;
using linalg::BlockVector;
using linalg::CoreMask;

const std::array<SystemFormat, kSystemForms.size()> kFormats{{
    {
        .form = SystemForm::MatrixMarket,
        .matrixEnding = ".mtx",
        .vectorEnding = ".mtx",
        .matrix = [](const BlockMatrix& A, const CoreMask* core) -> Expected<std::string> {
            return linalg::matrixMarketText(A, core);
        },
        .pattern = [](const BlockPattern& pattern, const CoreMask& core) -> Expected<std::string> {
            return linalg::patternText(pattern, core);
        },
        .vector = [](const BlockVector& x) { return linalg::matrixMarketText(x); },
        .rows = linalg::matrixMarketRows,
        .readMatrix = linalg::readMatrixMarket,
        .readVector = linalg::readMatrixMarket,
    },
    {
        .form = SystemForm::Npz,
        .matrixEnding = ".npz",
        .vectorEnding = ".npy",
        .matrix = npzMatrix,
        .pattern = npzPattern,
        .vector = npyVector,
        .rows = npyRows,
        .readMatrix = readNpzMatrix,
        .readVector = readNpyVector,
    },
    {
        .form = SystemForm::Petsc,
        .matrixEnding = ".petsc",
        .vectorEnding = ".petsc",
        .matrix = petscMatrix,
        .pattern = petscPattern,
        .vector = petscVector,
        .rows = petscVector,
        .readMatrix = readPetscMatrix,
        .readVector = readPetscVector,
    },
}};

}  // namespace

std::span<const SystemFormat> systemFormats() { return kFormats; }

const SystemFormat& systemFormat(SystemForm form) { return kFormats[int(form)]; }

}  // namespace clothlab::experiments
