#include <algorithm>
#include <cmath>

#include "papers/ye/ye.hpp"
#include "preconditioners/kind.hpp"
#include "solvers/kind.hpp"

/// [Y] Ye, Webber, Wang 2009, table 2.
namespace clothlab::papers::ye {
namespace {

using factors::Factorization;
using preconditioners::PreconditionerKind;
using solvers::DirectForm;
using solvers::SolverKind;

/// Repeats of a step on the way to the system.
constexpr int kRepeats = 6;

/// One column of table 2.
struct MethodColumn {
    const char* name;
    Method method;
    bool thin = false;  ///< runs on the IMEX matrix too
    bool lagged = false;
    Kernel kernel = Kernel::Ours;
    const char* printedAs = name;
};

Method reducedPcg(PreconditionerKind preconditioner) {
    return conjugateGradients(SolverKind::ReducedPcg, preconditioner);
}

const std::array kColumns2{
    MethodColumn{.name = "mpcg+jacobi", .method = mpcg(), .thin = true},
    MethodColumn{
        .name = "mpcg, plain", .method = mpcg(), .thin = true, .kernel = Kernel::Plain, .printedAs = "mpcg+jacobi"},
    MethodColumn{.name = "cholmod", .method = direct(SolverKind::Cholesky, DirectForm::Reduced), .thin = true},
    MethodColumn{.name = "eigen-ldlt", .method = direct(SolverKind::EigenLdlt, DirectForm::Reduced), .thin = true},
    MethodColumn{.name = "lagged-cholesky", .method = reducedPcg(PreconditionerKind::LaggedCholesky), .lagged = true},
    MethodColumn{.name = "corePCG", .method = corePcg()},
    MethodColumn{.name = "block-jacobi", .method = reducedPcg(PreconditionerKind::BlockJacobi)},
    MethodColumn{.name = "ssor", .method = reducedPcg(PreconditionerKind::Ssor)},
    MethodColumn{.name = "incomplete-cholesky", .method = reducedPcg(PreconditionerKind::IncompleteCholesky)},
    MethodColumn{.name = "multifrontal",
                 .method = direct(SolverKind::Cholesky, DirectForm::FixedPattern, Factorization::Multifrontal),
                 .thin = true},
};

struct Mesh {
    int side;
    double dtMs;
};
constexpr std::array kMeshes{Mesh{41, 6.67}, Mesh{81, 5.55}, Mesh{161, 3.67}};

/// A side that was asked for has the step of the mesh next in size.
std::vector<Mesh> meshes(const Job& job) {
    if (job.options.side == 0) return {kMeshes.begin(), kMeshes.end() - (job.options.quick ? 1 : 0)};
    const auto away = [&](const Mesh& mesh) { return std::abs(std::log(double(mesh.side) / job.options.side)); };
    Mesh mesh = *std::ranges::min_element(kMeshes, {}, away);
    mesh.side = job.options.side;
    return {mesh};
}

/// The system of a step, and that before it, with all springs implicit or stretch alone.
struct Matrix {
    const Mesh& mesh;
    bool thin;
    std::size_t k;  ///< of kStiffness
    const SteppedSystem& stepped;
    const Assembled& assembled;
};

/// Keys of a row.
records::Entries describeCase(const Matrix& of, const char* method) {
    return {{"nodes", double(of.mesh.side) * of.mesh.side},
            {"dt_ms", of.mesh.dtMs},
            {"matrix", of.thin ? "thin" : "full"},
            {"stretch_stiffness", kStiffness[of.k]},
            {"method", method}};
}

/// A ratio of printed times, and for a row that the paper has under another name what is printed there.
records::Entries printedFor(const Matrix& of, const MethodColumn& column, const Job& job) {
    const double cholmodMs = records::findNumber(job.printed(describeCase(of, "cholmod")), "step_ms");
    const records::Entries printed = job.printed(describeCase(of, column.printedAs));
    if (printed.empty()) return {};
    records::Entries out = column.printedAs == column.name ? records::Entries{} : printed;
    out.emplace_back("step_of_cholmod", records::findNumber(printed, "step_ms") / cholmodMs);
    return out;
}

void addRows(std::vector<ReproductionRow>& rows, const Matrix& of, int runs, Job& job) {
    const linalg::LinearSystem system = of.assembled.view(of.stepped.system), earlier = of.stepped.earlier->view();
    double cholmodMs = 0, cholmodStepMs = 0;
    const std::size_t first = rows.size();
    for (const MethodColumn& column : kColumns2) {
        if (of.thin && !column.thin) continue;
        const Timing t = timeSolve(*buildSolver(column.method, column.kernel), system, runs, job.pool, job.control.stop,
                                   column.lagged ? &earlier : nullptr);
        const double stepMs = of.assembled.assembleMs + t.solveMs;
        if (std::string_view(column.name) == "cholmod") cholmodMs = t.solveMs, cholmodStepMs = stepMs;
        records::Entries ours;
        if (solvers::usesPreconditioner(column.method.solver.kind)) ours = iterationEntries(t);
        if (column.lagged) ours.emplace_back("factor_age", double(t.factorAge));
        rows.push_back({describeCase(of, column.name),
                        joined(std::move(ours), {{"residual", t.trueRelativeResidual},
                                                 {"analyze_ms", t.analyzeMs},
                                                 {"solve_ms", t.solveMs},
                                                 {"step_ms", stepMs}}),
                        printedFor(of, column, job)});
    }
    for (std::size_t r = first; r < rows.size(); ++r) {
        records::Entries& ours = rows[r].ours;
        ours.emplace_back("solve_of_cholmod", records::findNumber(ours, "solve_ms") / cholmodMs);
        ours.emplace_back("step_of_cholmod", records::findNumber(ours, "step_ms") / cholmodStepMs);
    }
}

/// One linear solve a step throws a stiff and fine sheet where the ball hits. So the way there repeats it with the
/// springs that turn taut; the last two steps, whose systems count, are as the paper's.
Expected<SteppedSystem> ballHit(const Mesh& mesh, double stiffness, int step, Job& job) {
    std::vector<std::string> sets = meshSettings(mesh.side, mesh.dtMs, stiffness);
    sets.emplace_back(fmt::format("integrator.active_set={}", kRepeats));
    return systemOfStep(paperScene("ball-hit", job, sets), step, job,
                        [](scene::Settings& s) { s.integrator.activeSet = 0; });
}

}  // namespace

Expected<Reproduction> table2(Job& job) {
    constexpr int kStep = 50;
    const int runs = job.options.quick ? 3 : 5;
    struct Case {
        Mesh mesh;
        std::size_t k;
    };
    std::vector<Case> cases;
    for (const Mesh& mesh : meshes(job))
        for (std::size_t k = 0; k < kStiffness.size(); ++k) cases.push_back({mesh, k});
    cloth::ImplicitSplit thin;
    for (const auto family : {cloth::SpringFamily::Shear, cloth::SpringFamily::Bend})
        thin.elastic[int(family)] = thin.damping[int(family)] = false;
    std::vector<ReproductionRow> thinRows;
    const auto label = [](const Case& c) { return fmt::format("{0} x {0}, k = {1:g}", c.mesh.side, kStiffness[c.k]); };
    job.tell("step", kStep, "before", kStep - 2, "repeats", kRepeats);
    return tableOfCases(cases, job, label, [&](const Case& c, auto& rows) -> Expected<void> {
        const auto stepped = ballHit(c.mesh, kStiffness[c.k], kStep, job);
        if (!stepped) return fail(stepped.error());
        addRows(rows, {c.mesh, false, c.k, *stepped, assembleAgain(*stepped, {}, runs, job)}, runs, job);
        addRows(thinRows, {c.mesh, true, c.k, *stepped, assembleAgain(*stepped, thin, runs, job)}, runs, job);
        if (c.k + 1 == kStiffness.size())  // those of a mesh stand below its full ones
            for (ReproductionRow& row : std::exchange(thinRows, {})) rows.push_back(std::move(row));
        return {};
    });
}

}  // namespace clothlab::papers::ye
