#include "plain_local_global.hpp"

#include <Eigen/SparseCholesky>
#include <vector>

#include "factorizations.hpp"

namespace clothlab::bench {

struct PlainLocalGlobal::Impl {
    using Matrix = Eigen::SparseMatrix<float>;
    const LocalGlobalCase& of;
    Matrix A, J;  // M + h^2 L, h^2 J
    Eigen::SimplicialLLT<Matrix, Eigen::Lower, Eigen::AMDOrdering<int>> factor;
    Eigen::VectorXf mass, force, x, before, d;
    Eigen::VectorXf fromPins;  // the share of the pinned ends of springs

    explicit Impl(const LocalGlobalCase& c) : of(c) {}
};

PlainLocalGlobal::PlainLocalGlobal(const LocalGlobalCase& c) : impl_(std::make_unique<Impl>(c)) {
    Impl& m = *impl_;
    const auto& springs = c.model.springs;
    const Index n = 3 * c.model.particles();
    std::vector<Eigen::Triplet<float>> a, j;
    m.mass.resize(n);
    m.force = Eigen::VectorXf::Zero(n);
    m.fromPins = Eigen::VectorXf::Zero(n);
    for (Index i = 0; i < n; ++i) m.mass[i] = float(c.model.mass[i / 3]);
    const double h2 = c.h * c.h;
    const auto pinned = [&](int row) { return row / 3 == c.pins[0] || row / 3 == c.pins[1]; };
    for (Index i = 0; i < c.model.particles(); ++i) m.force[3 * i + 1] = float(-9.81 * c.model.mass[i] * h2);
    for (Index i = 0; i < n; ++i) a.emplace_back(i, i, pinned(i) ? 1.0f : m.mass[i]);
    for (std::size_t e = 0; e < springs.size(); ++e) {
        const double k =
            springs[e].family == cloth::SpringFamily::Bend ? c.material.bendStiffness : c.material.stretchStiffness;
        const auto w = float(h2 * k);
        for (int r = 0; r < 3; ++r) {
            const int p = 3 * springs[e].i + r, q = 3 * springs[e].j + r, column = 3 * int(e) + r;
            if (!pinned(p)) a.emplace_back(p, p, w);
            if (!pinned(q)) a.emplace_back(q, q, w);
            if (pinned(p)) m.fromPins[q] += w * float(c.model.rest.data()[p]);
            if (pinned(q)) m.fromPins[p] += w * float(c.model.rest.data()[q]);
            if (!pinned(p) && !pinned(q)) {
                a.emplace_back(p, q, -w);
                a.emplace_back(q, p, -w);
            }
            j.emplace_back(p, column, w);
            j.emplace_back(q, column, -w);
        }
    }
    m.A.resize(n, n);
    m.A.setFromTriplets(a.begin(), a.end());
    m.J.resize(n, 3 * Eigen::Index(springs.size()));
    m.J.setFromTriplets(j.begin(), j.end());
    m.d.resize(m.J.cols());
    m.x = c.model.rest.flat().cast<float>();
    m.before = m.x;
}

PlainLocalGlobal::~PlainLocalGlobal() = default;

void PlainLocalGlobal::factorize() {
    impl_->factor.compute(impl_->A);
    require(impl_->factor.info() == Eigen::Success, "Eigen's SimplicialLLT");
}

/// The three values of particle or spring i.
static auto three(Eigen::VectorXf& all, Eigen::Index i) { return all.segment<3>(3 * i); }

void PlainLocalGlobal::step() {
    Impl& m = *impl_;
    const auto& springs = m.of.model.springs;
    const Eigen::VectorXf y = 2 * m.x - m.before + m.force.cwiseQuotient(m.mass);
    m.before = m.x;
    m.x = y;
    for (const Index pin : m.of.pins) three(m.x, pin) = m.of.model.rest[pin].cast<float>();
    const Eigen::VectorXf known = m.mass.cwiseProduct(y) + m.fromPins;
    Eigen::VectorXf b;
    for (int k = 0; k < m.of.iterations; ++k) {
        for (std::size_t e = 0; e < springs.size(); ++e) {
            const Eigen::Vector3f p = three(m.x, springs[e].i) - three(m.x, springs[e].j);
            three(m.d, Eigen::Index(e)) = p * (float(springs[e].restLength) / p.norm());
        }
        b = known + m.J * m.d;
        for (const Index pin : m.of.pins) three(b, pin) = m.of.model.rest[pin].cast<float>();
        m.x = m.factor.solve(b);
    }
}

Vec3 PlainLocalGlobal::position(Index i) const { return three(impl_->x, i).cast<double>(); }

}  // namespace clothlab::bench
