#include "simulation/slow_motion.hpp"

#include <algorithm>
#include <cmath>

namespace clothlab::simulation {
namespace {

std::vector<float> floats(const linalg::BlockVector& v) {
    const auto flat = v.flat();
    return {flat.begin(), flat.end()};
}

/// Whether iterate k is kept when `most` frames are to reach over `last` iterations.
bool kept(int k, std::size_t most) {
    const int all = static_cast<int>(most) / 2;
    if (k <= all) return true;
    // Behind the first half, each frame lies a constant share farther than the one before.
    const double share = 1.0 + 4.0 / all;
    return std::floor(std::log(static_cast<double>(k)) / std::log(share)) > std::floor(std::log(k - 1.0) / std::log(share));
}

void solve(const linalg::FrozenSystem& system, SlowMotion::Method& method, std::size_t mostFrames, const std::stop_token& stop,
           WorkerPool& pool) {
    solvers::SolverSettings settings = method.who.solver;
    settings.warmStart = false;
    settings.decompose = false;  // the iterates of a component are no picture of the cloth
    const auto solver = solvers::makeSolver(settings, method.who.preconditioner);
    linalg::LinearSystem view = system.view();
    view.previous = nullptr;
    linalg::BlockVector deltaV, full(system.A.rows());
    int last = 0;
    const auto keep = [&](int k, double residual) {
        method.iteration.push_back(k);
        method.deltaV.push_back(floats(full));
        method.residuals.push_back(static_cast<float>(residual));
    };
    const solvers::Observer observer = [&](const solvers::Iterate& it) {
        if (it.k < last) return;  // a second loop repeats its start
        last = it.k;
        if (method.frames() >= mostFrames || !kept(it.k, mostFrames)) return;
        solver->toDeltaV(it.x, full);
        keep(it.k, it.relativeResidual);
    };
    solvers::SolveSummary summary;
    solver->solve(view, deltaV, summary, {.stop = stop, .observer = observer}, pool);
    method.status = summary.status;
    method.message = summary.message;
    if (!solvers::acceptable(summary.status)) return;
    if (method.frames() > 0 && method.iteration.back() == summary.iterations) return;
    full = deltaV;  // the end is always there, and a direct solver's is all there is
    keep(std::max(summary.iterations, 1), summary.history.empty() ? 0.0 : static_cast<double>(summary.history.back()));
}

}  // namespace

void SlowMotion::errors(std::size_t method, std::size_t frame, std::vector<float>& out) const {
    const std::vector<float>& dv = methods[method].deltaV[frame];
    out.resize(dv.size() / 3);
    for (std::size_t i = 0; i < out.size(); ++i) {
        float sum = 0;
        for (std::size_t c = 0; c < 3; ++c) {
            const float e = dv[3 * i + c] - solution[3 * i + c];
            sum += e * e;
        }
        out[i] = std::sqrt(sum);
    }
}

void SlowMotion::positions(std::size_t method, std::size_t frame, double exaggeration, std::vector<float>& out) const {
    const std::vector<float>& dv = methods[method].deltaV[frame];
    const auto h = static_cast<float>(dt), s = static_cast<float>(exaggeration);
    out.resize(dv.size());
    for (std::size_t i = 0; i < dv.size(); ++i) out[i] = inertial[i] + h * (solution[i] + s * (dv[i] - solution[i]));
}

SlowMotion recordSlowMotion(const linalg::FrozenSystem& system, const linalg::BlockVector& x, const linalg::BlockVector& v,
                            const std::vector<Contestant>& methods, std::size_t mostFrames, const std::stop_token& stop,
                            WorkerPool& pool) {
    SlowMotion out;
    out.step = system.step;
    out.dt = system.dt;
    linalg::BlockVector at(x.size());
    at.flat() = x.flat() + system.dt * v.flat();
    out.inertial = floats(at);
    linalg::BlockVector exact;
    solvers::SolveSummary summary;
    linalg::LinearSystem view = system.view();
    view.previous = nullptr;
    solvers::makeSolver({.kind = solvers::SolverKind::Cholesky}, {})->solve(view, exact, summary, {.stop = stop, .observer = {}}, pool);
    if (!solvers::acceptable(summary.status)) exact = system.deltaV;
    out.solution = floats(exact);
    std::vector<float> errors;
    for (const Contestant& who : methods) {
        out.methods.push_back({.who = who, .iteration = {}, .deltaV = {}, .residuals = {}, .message = {}});
        solve(system, out.methods.back(), mostFrames, stop, pool);
        if (out.methods.back().frames() == 0) continue;
        out.errors(out.methods.size() - 1, 0, errors);
        for (const float e : errors) out.largestError = std::max<double>(out.largestError, e);
    }
    return out;
}

}  // namespace clothlab::simulation
