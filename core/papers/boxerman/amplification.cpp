#include <Eigen/Dense>
#include <array>
#include <complex>
#include <vector>

#include "integrators/kind.hpp"
#include "integrators/traits.hpp"
#include "papers/boxerman/tables.hpp"
#include "papers/stepped_system.hpp"
#include "solvers/kind.hpp"

/// [B] §4.1.4 and §4.2.4: one mass on a spring. A step multiplies the amplitude of its swing by |lambda|: what theory
/// says of each method against what a run of a few steps does.
namespace clothlab::papers::boxerman {
namespace {

using integrators::IntegratorKind;
using Complex = std::complex<double>;

/// A mass of 1 kg, x'' = -k x - d x', and a step.
struct Oscillator {
    double k, d, h;  ///< N/m, N s/m, s
    Complex mode() const { return (-d + std::sqrt(Complex(d * d - 4 * k))) / 2.0; }
};

double ofForwardEuler(const Oscillator& s) { return std::abs(1.0 + s.h * s.mode()); }
double ofBackwardEuler(const Oscillator& s) { return 1 / std::abs(1.0 - s.h * s.mode()); }
/// The velocity first, with the force at the start; then the place, with the new velocity (E-09).
double ofSymplecticEuler(const Oscillator& s) { return std::sqrt(1 - s.h * s.d); }
double ofRungeKutta(const Oscillator& s) {
    const Complex z = s.h * s.mode();
    return std::abs(1.0 + z * (1.0 + z / 2.0 * (1.0 + z / 3.0 * (1.0 + z / 4.0))));
}
/// The larger root of (3/2 - z) l^2 - 2 l + 1/2 = 0.
double ofBdf2(const Oscillator& s) {
    const Complex a = 1.5 - s.h * s.mode(), root = std::sqrt(4.0 - 2.0 * a);
    return std::max(std::abs((2.0 + root) / (2.0 * a)), std::abs((2.0 - root) / (2.0 * a)));
}

struct Amplifier {
    IntegratorKind kind;
    double (*theory)(const Oscillator&);
};
constexpr std::array kAmplifiers{Amplifier{IntegratorKind::ForwardEuler, ofForwardEuler},
                                 Amplifier{IntegratorKind::SymplecticEuler, ofSymplecticEuler},
                                 Amplifier{IntegratorKind::Rk4, ofRungeKutta},
                                 Amplifier{IntegratorKind::LinearizedBackwardEuler, ofBackwardEuler},
                                 Amplifier{IntegratorKind::NewtonBackwardEuler, ofBackwardEuler},
                                 Amplifier{IntegratorKind::Bdf2, ofBdf2},
                                 Amplifier{IntegratorKind::NewtonBdf2, ofBdf2}};

/// A share of the spring's length, where the swing begins: beside it the spring across pulls along by half of its
/// square.
constexpr double kMoved = 1e-5;

/// A square of four particles, of which all but one are held: it swings on the spring above it.
Expected<std::unique_ptr<Simulation>> oneFree(const Oscillator& swing, IntegratorKind kind, Job& job) {
    auto scene = paperScene("hang", job);
    if (!scene) return fail(scene.error());
    scene->cloths[0].rows = scene->cloths[0].columns = 2;
    scene->cloths[0].noise = 0;  // each spring has its rest length: a linear swing about where it starts
    scene->cloths[0].gather = 1;
    scene->settings.gravity = Vec3::Zero();
    scene->settings.integrator.kind = kind;
    scene->settings.integrator.dt = swing.h;
    scene->settings.integrator.substeps = 1;
    scene->settings.solver.kind = solvers::SolverKind::Cholesky;
    scene->settings.integrator.newton.tolerance = 1e-13;
    scene->settings.wind = {};
    scene->settings.material = {.stretchStiffness = swing.k,
                                .shearStiffness = 0,
                                .bendStiffness = 0,
                                .stretchDamping = swing.d,
                                .tensionOnly = false,
                                .dampGate = cloth::DampGate::Always};
    scene->settings.material.particleMass = 1;
    return startSimulation(std::move(scene), job);
}

/// Place and velocity along the spring follow a linear recurrence, s_(n+1) = P s_n + Q s_(n-1), Q only for a method
/// that looks back. Fitted to a few steps it has the modes of the method, parasitic ones too; the largest is what a
/// step does.
Expected<double> measured(const Oscillator& swing, IntegratorKind kind, Job& job) {
    const int back = integrators::traitsFor(kind).steps(), unknown = 2 * back;
    const int first = back - 1, equations = unknown + 2;  // the first step of two has no past yet
    auto made = oneFree(swing, kind, job);
    if (!made) return fail(made.error());
    Simulation& simulation = **made;
    integrators::SimulationState start = simulation.state();
    constexpr Index kPinned = 0, kFree = 2, kBeside = 3;
    const Vec3 rest = start.x[kFree] - start.x[kPinned];
    start.x[kFree] += kMoved * rest;
    simulation.setState(start);
    simulation.setPin(kBeside, integrators::PinHold::point());
    std::vector<Eigen::Vector2d> state;
    const auto before = [&](int) -> Expected<void> {
        const integrators::SimulationState& now = simulation.state();
        const Vec3 way = now.x[kFree] - now.x[kPinned] - rest;
        state.emplace_back(way.dot(rest), swing.h * now.v[kFree].dot(rest));
        return {};
    };
    const auto walked = walk(simulation, {.steps = first + back + equations + 1, .before = before}, job);
    if (!walked) return fail(walked.error());
    Eigen::MatrixXd past(equations, unknown), next(equations, 2);
    for (int e = 0; e < equations; ++e) {
        const int n = first + back - 1 + e;
        for (int k = 0; k < back; ++k) past.block<1, 2>(e, Eigen::Index(2) * k) = state[n - k].transpose();
        next.row(e) = state[n + 1].transpose();
    }
    Eigen::MatrixXd companion = Eigen::MatrixXd::Zero(unknown, unknown);
    companion.topRows(2) = past.colPivHouseholderQr().solve(next).transpose();
    if (back > 1) companion.bottomLeftCorner(unknown - 2, unknown - 2).setIdentity();
    return companion.eigenvalues().cwiseAbs().maxCoeff();
}

}  // namespace

Expected<Reproduction> amplifications(Job& job) {
    constexpr double kStiffness = 900, kDampings[] = {0, 3}, kSteps[] = {0.001, 0.003, 0.01, 0.03, 0.05};
    Reproduction out;
    double done = 0;
    for (const Amplifier& method : kAmplifiers) {
        job.say(enumKey(method.kind), done++ / double(kAmplifiers.size()));
        for (const double d : kDampings)
            for (const double h : kSteps) {
                const Oscillator swing{kStiffness, d, h};
                const auto value = measured(swing, method.kind, job);
                if (!value) return fail(value.error());
                out.rows.push_back({.what = {{"integrator", std::string(enumKey(method.kind))},
                                             {"damping", d},
                                             {"dt_ms", 1e3 * h},
                                             {"h_omega", h * std::sqrt(kStiffness)}},
                                    .ours = {{"theory", method.theory(swing)},
                                             {"measured", *value},
                                             {"damping_of_h", -2 * std::log(*value) / h}}});
            }
    }
    return out;
}

}  // namespace clothlab::papers::boxerman
