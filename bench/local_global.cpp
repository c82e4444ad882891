#include <fmt/format.h>

#include "bench.hpp"
#include "factorizations.hpp"
#include "factors/changed_factor.hpp"
#include "integrators/kind.hpp"
#include "stepped_sheet.hpp"

namespace clothlab::bench {

LocalGlobalCase localGlobalCase(int side) {
    LocalGlobalCase c;
    c.material.stretchStiffness = c.material.shearStiffness = 200;
    c.material.bendStiffness = 2;
    c.material.tensionOnly = false;
    c.material.bendModel = cloth::BendModel::Linear;
    const double spacing = 1.0 / (side - 1);
    linalg::BlockVector rest(side * side);
    for (Index i = 0; i < rest.size(); ++i) {
        const Index row = i / side;
        rest[i] = spacing * Vec3(i % side, 0, row);
    }
    geometry::GridPatch grid;
    grid.rows = grid.columns = side;
    cloth::appendGrid(c.model, grid, cloth::Topology::Liu, spacing, rest, c.material);
    c.pins[1] = side - 1;
    return c;
}

namespace {

/// M + h^2 sum k_e A_e A_e^T on the springs' graph.
factors::FactorSource makeSource(const LocalGlobalCase& c) {
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

/// Steps of our local/global integrator.
class OurLocalGlobal {
public:
    OurLocalGlobal(const LocalGlobalCase& c, int threads) : case_(c), sheet_(c, settingsOf(c), threads) {
        for (const Index pin : c.pins) integrators::setPin(sheet_.state, pin, integrators::PinHold::point());
        sheet_.step();  // makes the factor
    }
    void step() {
        require(int(sheet_.step().outer.size()) == case_.iterations, "all iterations");
        sheet_.advance();
    }
    Vec3 position(Index i) const { return sheet_.state.x[i]; }

private:
    static integrators::IntegratorSettings settingsOf(const LocalGlobalCase& c) {
        integrators::IntegratorSettings settings{.kind = integrators::IntegratorKind::FastMassSpring, .dt = c.h};
        settings.fastMassSpring.iterations = c.iterations;
        settings.fastMassSpring.velocityKept = 1;
        return settings;
    }
    const LocalGlobalCase& case_;
    SteppedSheet sheet_;
};

/// Both ways must give the same motion from a flat sheet, or their times would mean nothing. The sheet is coarse, since
/// the plain way in single precision is off by centimetres on a sheet of 161 x 161 (in double by 1e-9 m). Many
/// iterations are needed, since the starts differ: the integrator starts from inertia, the plain way from inertia and
/// gravity ([L] §4).
void requireTheSame() {
    LocalGlobalCase c = localGlobalCase(21);
    c.iterations = 400;
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
    factors::FactorSource source = makeSource(c);
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
    factors::FactorSource source = makeSource(c);
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
    const factors::FactorSource source = makeSource(c);
    WorkerPool one;
    factors::FactoredMatrix matrix, again;
    require(matrix.make(source, one), matrix.message());
    const auto refactor = [&] { require(again.make(source, one), again.message()); };
    factors::ChangedFactor bordered;
    bordered.take(std::move(matrix));
    Index pin = 1000;
    // Pins one particle and releases the previous one.
    const auto change = [&](factors::ChangedFactor& factor) {
        pin = 1 + (pin + 977) % (c.model.particles() - 100);
        const std::vector<Index> pinned{c.pins[0], c.pins[1], pin};
        require(factor.follow({pinned, {}}, one), factor.message());
    };
    out.push_back(compare(
        "pin_update_vs_refactor", [&] { change(bordered); }, refactor));
    // Breaks one spring and mends the previous one.
    const linalg::BlockPattern& p = *source.pattern;
    Index particle = 1000;
    const auto breaks = [&](factors::ChangedFactor& factor) {
        particle = 1 + (particle + 977) % (c.model.particles() - 100);
        const Index block = p.rowStart[particle + 1] - 1, other = p.column[block];
        const factors::ChangedFactor::Link link{particle, other, 0.99 * source.values[block]};
        require(factor.follow({c.pins, {}, {&link, 1}}, one), factor.message());
    };
    out.push_back(compare(
        "break_update_vs_refactor", [&] { breaks(bordered); }, refactor));
}

}  // namespace

void localGlobalRatios(std::vector<Ratio>& out) {
    requireTheSame();
    stepRatios(81, out);
    stepRatios(161, out);
    solveRatio(161, out);
    solveRatio(321, out);
    pinRatio(out);
    activeSetRatios(out);
}

}  // namespace clothlab::bench
