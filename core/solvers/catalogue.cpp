#include "solvers/catalogue.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <iterator>

#include "base/catalogue/open_table.hpp"
#include "preconditioners/catalogue.hpp"
#include "preconditioners/kind.hpp"
#include "solvers/combined_lu.hpp"
#include "solvers/decomposed.hpp"
#include "solvers/direct.hpp"
#include "solvers/interface_pcg.hpp"
#include "solvers/kind.hpp"
#include "solvers/mpcg.hpp"
#include "solvers/reduced_pcg.hpp"

namespace clothlab::solvers {
namespace {

using preconditioners::PreconditionerSettings;

/// Replaces a pair of solver and preconditioner that do not fit: every solve says so.
class Refusing final : public Solver {
public:
    explicit Refusing(std::string reason) : reason_(std::move(reason)) {}

private:
    void run(const linalg::LinearSystem&, linalg::BlockVector&, SolveSummary& summary, const SolveControl&,
             WorkerPool&) override {
        summary.status = SolveStatus::Refused;
        summary.message = reason_;
    }

    std::string reason_;
};

Refusal ofDeflation(const PreconditionerSettings& s) {
    const preconditioners::PreconditionerTraits traits = preconditioners::traitsFor(s);
    if (!traits.deflates || traits.mayDeflate()) return {};
    return {"preconditioner.deflation",
            traits.ownOrder ? "deflation works in the order of the particles, and permute=once in that of the factor"
                            : "deflation is for symmetric preconditioners, and this one as published is not symmetric"};
}

Refusal ofCore(const PreconditionerSettings& s) {
    const bool ldl =
        s.kind == preconditioners::PreconditionerKind::MatrixCore && s.coreFactor == preconditioners::CoreFactor::Ldl;
    if (!ldl || s.permute == preconditioners::Permute::Each) return ofDeflation(s);
    return {"preconditioner.core_factor", "core_factor=ldl needs permute=each: its vectors are permuted each time"};
}

Refusal ofMpcg(const PreconditionerSettings& s) {
    if (Refusal core = ofCore(s); !core.reason.empty()) return core;
    if (!preconditioners::traitsFor(s).ownOrder) return {};
    return {"preconditioner.permute",
            "permute=once is for reduced-pcg: mpcg filters the constrained directions in the order of the particles"};
}

Refusal ofReducedPcg(const PreconditionerSettings& s) {
    if (Refusal core = ofCore(s); !core.reason.empty()) return core;
    if (!preconditioners::traitsFor(s).onlyConstrained()) return {};
    return {"preconditioner.kind", fmt::format("{} is for the solver mpcg: the reduced system has no constrained "
                                               "directions, and there it equals block-jacobi",
                                               enumKey(s.kind))};
}

constexpr SolverTraits kConjugateGradients{.needsPreconditioner = true, .takesSinglePrecision = true};

std::vector<SolverEntry> conjugateGradientEntries() {
    return {
        {.kind = SolverKind::Mpcg,
         .key = "mpcg",
         .label = "MPCG",
         .help =
             "Modified conjugate gradients: filters constrained directions inside the iteration (Baraff and Witkin).",
         .source = "methods §6.2 (solvers.md); [C] algorithm 1, [B] figure 5.2",
         .system = "MPCG: the full system, filtered by S",
         .look = {.dash = Dash::Dashed},
         .traits = kConjugateGradients,
         .parameters = {"mpcg_variant"},
         .refusal = ofMpcg,
         .make = [](const Method& m) { return std::make_unique<Mpcg>(m.solver, Preconditioning(m.preconditioner)); }},
        {.kind = SolverKind::ReducedPcg,
         .key = "reduced-pcg",
         .label = "Reduced PCG",
         .help = "Plain preconditioned conjugate gradients on U^T A U, the "
                 "matrix of the free directions (Ye and others).",
         .source = "methods §7 (solvers.md); [Y] §3",
         .system = "Reduced PCG: only the free directions, U'AU",
         .traits = kConjugateGradients,
         .parameters = {"basis"},
         .refusal = ofReducedPcg,
         .make =
             [](const Method& m) { return std::make_unique<ReducedPcg>(m.solver, Preconditioning(m.preconditioner)); },
         .variants = {{.kind = SolverKind::ReducedPcg, .matrixPrecision = linalg::Precision::Single}}},
    };
}

std::vector<SolverEntry> directEntries() {
    return {
        {.kind = SolverKind::Cholesky,
         .key = "cholesky",
         .label = "Cholesky (CHOLMOD)",
         .help = "Sparse direct factorization. Uses no preconditioner; its residual must meet the tolerance, or 1e-12 "
                 "where the tolerance is smaller.",
         .source = "methods §10.1 (solvers.md)",
         .look = {hue::kWhite},
         .parameters = {"form", "ordering", "factorization"},
         .make = [](const Method& m) { return std::make_unique<Direct>(m.solver, makeCholmod(m.solver)); },
         .variants = {{.kind = SolverKind::Cholesky, .form = DirectForm::Reduced},
                      {.kind = SolverKind::Cholesky, .factorization = Factorization::Supernodal},
                      {.kind = SolverKind::Cholesky, .factorization = Factorization::Simplicial}}},
        {.kind = SolverKind::EigenLdlt,
         .key = "eigen-ldlt",
         .label = "LDL' (Eigen)",
         .help = "A second direct factorization, column by column: without dense blocks, so slower on large cloth.",
         .source = "methods §10.1 (solvers.md)",
         .look = {hue::kWhite, Dash::Dashed},
         .parameters = {"form"},
         .make = [](const Method& m) { return std::make_unique<Direct>(m.solver, makeEigenLdlt()); }},
        {.kind = SolverKind::CombinedLu,
         .key = "combined-lu",
         .label = "Combined LU",
         .help = "LU of the unsymmetric system (SA + I - S) dv = Sb + (I - S)z of Ye and "
                 "others: shows that it works, and its cost.",
         .source = "methods §7 (solvers.md); [Y] (10)",
         .look = {hue::kSlate},
         .make = [](const Method& m) { return std::make_unique<CombinedLu>(m.solver); }},
    };
}

SolverEntry interfaceEntry() {
    return {.kind = SolverKind::Interface,
            .key = "interface",
            .label = "Interface (Neumann-Neumann)",
            .help =
                "Cuts the cloth into domains, eliminates their interiors side by side, and solves for the interface "
                "by conjugate gradients with the Neumann-Neumann preconditioner.",
            .source = "methods §11.7 (decomposition.md); [B] §7.1",
            .system = "Interface: the Schur complement between domains",
            .look = {hue::kWhite, Dash::Dotted},
            .traits = {.iterates = true, .factorsCompletely = true},
            .parameters = {"domains"},
            .make = [](const Method& m) { return std::make_unique<InterfacePcg>(m.solver); }};
}

/// In the order of the enum.
std::vector<SolverEntry> builtInEntries() {
    std::vector<SolverEntry> all = conjugateGradientEntries();
    std::ranges::move(directEntries(), std::back_inserter(all));
    all.push_back(interfaceEntry());
    return all;
}

/// Kept until the process has ended: threads and libraries may read it for as long.
OpenTable<SolverEntry>& table() {
    static auto& table = *new OpenTable<SolverEntry>(builtInEntries());
    return table;
}

}  // namespace

std::span<const EnumEntry> enumTable(SolverKind) { return table().names(); }

std::span<const SolverEntry> catalogue() { return table().entries(); }

const SolverEntry& entryFor(SolverKind kind) {
    assert(std::size_t(kind) < catalogue().size());
    return catalogue()[int(kind)];
}

Expected<SolverKind> addSolver(SolverEntry added) {
    return table().add(std::move(added), [](SolverEntry& entry) -> Expected<void> {
        if (!entry.make) return fail(fmt::format("'{}' has no `make`", entry.key));
        // The colour of conjugate gradients is that of the preconditioner, so that the dash alone tells them apart.
        if (entry.look == Look{} && entry.traits.needsPreconditioner) entry.look.dash = Dash::Dotted;
        if (entry.look == Look{}) entry.look = freeLook(catalogue(), Dash::DashDot);
        for (SolverSettings& variant : entry.variants) variant.kind = entry.kind;
        SolverSettings settings;
        FieldList fields;
        describe(settings, fields);
        const std::vector<std::string_view> keys(entry.parameters.begin(), entry.parameters.end());
        return checkParameters(fields, keys);
    });
}

bool iterates(SolverKind kind) {
    const SolverTraits& traits = entryFor(kind).traits;
    return traits.needsPreconditioner || traits.iterates;
}

Refusal findRefusal(const Method& method) {
    const SolverEntry& entry = entryFor(method.solver.kind);
    const bool goesOn = entry.traits.takesSinglePrecision && method.solver.indefinite == Indefinite::GoOn;
    if (goesOn && method.solver.stopping != Stopping::Residual)
        return {"solver.indefinite",
                "indefinite=continue needs stopping=residual: r'P^-1 r of an indefinite matrix is no norm"};
    return entry.refusal ? entry.refusal(method.preconditioner) : Refusal{};
}

std::unique_ptr<Solver> makeSolver(const Method& method) {
    std::function<std::unique_ptr<Solver>()> one = [method] { return entryFor(method.solver.kind).make(method); };
    if (std::string reason = findRefusal(method).reason; !reason.empty())
        one = [reason] { return std::make_unique<Refusing>(reason); };
    if (!method.solver.decompose) return one();
    return std::make_unique<Decomposed>(method.solver, std::move(one));
}

std::vector<std::string_view> activeParameters(const SolverSettings& settings) {
    const SolverEntry& entry = entryFor(settings.kind);
    std::vector<std::string_view> keys(entry.parameters.begin(), entry.parameters.end());
    if (entry.traits.takesSinglePrecision)
        keys.insert(keys.begin(), {"matrix_precision", "matrix_storage", "indefinite"});
    return keys;
}

std::unique_ptr<Solver> makeSolver(const SolverSettings& solver, const PreconditionerSettings& preconditioner) {
    return makeSolver(Method{solver, preconditioner});
}

std::string refusal(SolverKind solver, const PreconditionerSettings& preconditioner) {
    return findRefusal({{.kind = solver}, preconditioner}).reason;
}

bool usesPreconditioner(SolverKind solver) { return entryFor(solver).traits.needsPreconditioner; }

}  // namespace clothlab::solvers
