#pragma once

#include <Eigen/Core>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "base/worker_pool.hpp"
#include "linalg/linear_system.hpp"

/// The error of an iterate by wavelength: which waves an iteration has removed and which are left. Jacobi removes the
/// short ones and leaves the long ones, as does every smoother; a coarse level does the opposite.
///
/// On a grid the waves are those of the orthonormal cosine transform (DCT-II) along rows and columns, which are the
/// vibrations of a sheet with free edges; wave (p, q) of an R x C grid with spacing d has the wavelength
/// 1/sqrt((p/2Rd)^2 + (q/2Cd)^2). Elsewhere they are the Ritz vectors of S A S in the space that the errors span: where
/// A is stiff, its eigenvectors are short waves. Either set is orthonormal, so that the squares of all amplitudes add
/// up to the mean square of the error.
namespace clothlab::experiments {

class ErrorWaves {
public:
    enum class Kind { Wavelengths, RitzVectors };
    /// Waves of [from, to): wavelengths in m on a grid, longest first; Ritz values in kg, least first. The last band of
    /// Ritz vectors is the remainder outside their span.
    struct Band {
        double from = 0, to = 0;
        std::string label;  ///< "0.5 m"; "1e-3"; "rest"
    };

    /// The waves of a grid of rows x columns particles, row after row, `spacing` metres apart.
    static ErrorWaves ofGrid(int rows, int columns, double spacing);
    /// The Ritz vectors in the span of these errors, #P x 3 each; an error that adds nothing to those before it is
    /// skipped, and after a stop all others are.
    static ErrorWaves ofRitzVectors(const linalg::FrozenSystem& system, std::span<const std::vector<double>> errors,
                                    const std::stop_token& stop, WorkerPool& pool);

    Kind kind() const { return kind_; }
    std::span<const Band> bands() const { return bands_; }
    /// Root mean square over the particles of each band's part of an error of #P x 3 numbers, in its unit.
    std::vector<double> amplitudes(std::span<const double> error) const;

private:
    void gridBands(double spacing);
    void ritzBands(const Eigen::VectorXd& values);

    Kind kind_ = Kind::Wavelengths;
    std::vector<Band> bands_;
    std::vector<int> bandOf_;         ///< of each wave
    Eigen::MatrixXd rows_, columns_;  ///< cosine transforms, a wave each row
    Eigen::MatrixXd vectors_;         ///< 3 #P x m, Ritz vectors
};

/// Orthonormal DCT-II of n numbers, a wave each row: C C^T = I.
Eigen::MatrixXd cosineTransform(int n);

}  // namespace clothlab::experiments
