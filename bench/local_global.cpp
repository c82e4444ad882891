#include <fmt/format.h>

#include "bench.hpp"
#include "cloth/spring_gradient.hpp"
#include "factorizations.hpp"
#include "factors/changed_factor.hpp"
#include "plain_local_global.hpp"

namespace clothlab::bench {

LocalGlobalCase localGlobalCase(int side) {
    LocalGlobalCase c;
    c.material.stretchStiffness = c.material.shearStiffness = 200;
    c.material.bendStiffness = 2;
    c.material.tensionOnly = false;
    c.material.bendModel = cloth::BendModel::Linear;
    const double spacing = 1.0 / (side - 1);
    linalg::BlockVector rest(side * side);
    for (Index i = 0; i < rest.size(); ++i) rest[i] = spacing * Vec3(i % side, 0, double(i / side));
    geometry::GridPatch grid;
    grid.rows = grid.columns = side;
    cloth::appendGrid(c.model, grid, cloth::Topology::Liu, spacing, rest, c.material);
    c.pins[1] = side - 1;
    return c;
}

namespace {

/// M + h^2 sum k_e A_e A_e^T on the springs' graph.
factors::FactorSource sourceOf(const LocalGlobalCase& c) {
    std::vector<std::pair<Index, Index>> pairs;
    for (const cloth::Spring& s : c.model.springs) pairs.emplace_back(s.i, s.j);
    factors::FactorSource source;
    source.pattern = linalg::makePattern(c.model.particles(), pairs);
    const linalg::BlockPattern& p = *source.pattern;
    source.values.assign(std::size_t(p.blocks()), 0.0);
    for (Index i = 0; i < p.rows; ++i) source.values[p.diagonal[i]] = c.model.mass[i];
    for (const cloth::Spring& s : c.model.springs) {
        const double k = s.family == cloth::SpringFamily::Bend ? c.material.bendStiffness : c.material.stretchStiffness;
        const double w = c.h * c.h * k;
        source.values[p.diagonal[s.i]] += w;
        source.values[p.diagonal[s.j]] += w;
        source.values[p.find(s.i, s.j)] -= w;
        source.values[p.find(s.j, s.i)] -= w;
    }
    source.pinned.assign(std::begin(c.pins), std::end(c.pins));
    return source;
}

/// Local/global in increments: x += F^-1 (M (y - x) + h^2 f(x)), of which f holds local step and product with J.
class OurLocalGlobal {
public:
    OurLocalGlobal(const LocalGlobalCase& c, int threads)
        : case_(c), pool_(threads), x_(c.model.rest), before_(x_), y_(x_), f_(x_.size()), dx_(x_.size()) {
        forces_.configure(c.model, std::span(&c.material, 1), {});
        require(gradient_.configure(c.model, forces_), "linear springs");
        factors::FactoredMatrix matrix;
        require(matrix.make(sourceOf(c), pool_), matrix.message());
        factor_.take(std::move(matrix));
    }
    void step() {
        const double h2 = case_.h * case_.h;
        parallelRows(pool_, x_.size(), [&](Index begin, Index end) {
            for (Index i = begin; i < end; ++i) {
                y_[i] = 2 * x_[i] - before_[i];
                y_[i][1] -= 9.81 * h2;
            }
        });
        for (const Index pin : case_.pins) y_[pin] = x_[pin];
        std::swap(before_, x_);
        x_ = y_;
        for (int k = 0; k < case_.iterations; ++k) {
            parallelRows(pool_, x_.size(), [&](Index begin, Index end) {
                for (Index i = begin; i < end; ++i) f_[i] = case_.model.mass[i] / h2 * (y_[i] - x_[i]);
            });
            gradient_.add(x_, f_, pool_);
            require(factor_.solve(f_, dx_, pool_), factor_.message());
            parallelRows(pool_, x_.size(), [&](Index begin, Index end) {
                for (Index i = begin; i < end; ++i) x_[i] += h2 * dx_[i];
            });
        }
    }
    Vec3 position(Index i) const { return x_[i]; }

private:
    const LocalGlobalCase& case_;
    WorkerPool pool_;
    cloth::ForceModel forces_;
    cloth::SpringGradient gradient_;
    factors::ChangedFactor factor_;
    linalg::BlockVector x_, before_, y_, f_, dx_;
};

/// Both from the flat sheet: a wrong one would be fast for nothing. On a coarse one, for the plain way keeps positions
/// in single precision, and loses what the condition of the matrix asks for: centimetres on a sheet of 161 x 161, and
/// 1e-9 m with its numbers in double.
void requireTheSame() {
    const LocalGlobalCase c = localGlobalCase(21);
    PlainLocalGlobal plain(c);
    plain.factorize();
    OurLocalGlobal ours(c, 1);
    for (int k = 0; k < 3; ++k) {
        ours.step();
        plain.step();
    }
    const Index corner = c.model.particles() - 1;
    const double apart = (ours.position(corner) - plain.position(corner)).norm();
    require(apart < 1e-3, fmt::format("the same sheet after three steps ({} m apart)", apart));
}

void stepRatios(int side, std::vector<Ratio>& out) {
    const LocalGlobalCase c = localGlobalCase(side);
    PlainLocalGlobal plain(c);
    factors::FactorSource source = sourceOf(c);
    WorkerPool one;
    out.push_back(compare(
        fmt::format("local_global_prefactor_{}", side),
        [&] {
            factors::FactoredMatrix matrix;
            require(matrix.make(source, one), matrix.message());
        },
        [&] { plain.factorize(); }, side > 100 ? 5 : 11));
    for (const int threads : {1, 2}) {
        OurLocalGlobal ours(c, threads);
        out.push_back(compare(
            fmt::format("local_global_{}_{}t", side, threads), [&] { ours.step(); }, [&] { plain.step(); }));
    }
}

void solveRatio(int side, std::vector<Ratio>& out) {
    const LocalGlobalCase c = localGlobalCase(side);
    factors::FactorSource source = sourceOf(c);
    source.ordering = factors::Ordering::Metis;
    WorkerPool one;
    factors::FactoredMatrix matrix;
    require(matrix.make(source, one), matrix.message());
    MemoryReader reader(matrix.factor().packedBytes());
    linalg::BlockVector x;
    out.push_back(compare(
        fmt::format("triangular_solve_vs_memory_{}_1t", side),
        [&] { matrix.factor().solveSingle(c.model.rest, x, one); },
        [&] {
            reader.read();
            reader.read();
        },
        51));
}

void pinRatio(std::vector<Ratio>& out) {
    const LocalGlobalCase c = localGlobalCase(81);
    const factors::FactorSource source = sourceOf(c);
    WorkerPool one;
    factors::FactoredMatrix matrix, again;
    require(matrix.make(source, one), matrix.message());
    const auto refactor = [&] { require(again.make(source, one), again.message()); };
    factors::ChangedFactor bordered, rows;
    bordered.take(std::move(matrix));
    require(matrix.make(source, one), matrix.message());
    rows.take(std::move(matrix));
    Index pin = 1000;
    // One particle is pinned, and the one before let go.
    const auto change = [&](factors::ChangedFactor& factor, factors::FactorChange how) {
        pin = 1 + (pin + 977) % (c.model.particles() - 100);
        const std::vector<Index> pinned{c.pins[0], c.pins[1], pin};
        require(factor.follow({pinned, {}}, how, one), factor.message());
    };
    out.push_back(compare(
        "pin_update_vs_refactor", [&] { change(bordered, factors::FactorChange::Bordered); }, refactor));
    out.push_back(compare(
        "pin_update_by_rows_vs_refactor", [&] { change(rows, factors::FactorChange::RowUpdate); }, refactor));
    out.back().detail = true;
}

}  // namespace

void localGlobalRatios(std::vector<Ratio>& out) {
    requireTheSame();
    stepRatios(81, out);
    stepRatios(161, out);
    solveRatio(161, out);
    solveRatio(321, out);
    pinRatio(out);
}

}  // namespace clothlab::bench
