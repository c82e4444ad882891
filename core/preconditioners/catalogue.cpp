#include "preconditioners/catalogue.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <iterator>

#include "base/catalogue/open_table.hpp"
#include "preconditioners/block_jacobi.hpp"
#include "preconditioners/chebyshev.hpp"
#include "preconditioners/complete_cholesky.hpp"
#include "preconditioners/deflated.hpp"
#include "preconditioners/identity.hpp"
#include "preconditioners/incomplete_cholesky.hpp"
#include "preconditioners/incomplete_poisson.hpp"
#include "preconditioners/jacobi.hpp"
#include "preconditioners/kind.hpp"
#include "preconditioners/matrix_core.hpp"
#include "preconditioners/ssor.hpp"
#include "preconditioners/threshold_cholesky.hpp"

namespace clothlab::preconditioners {
namespace {

using Settings = PreconditionerSettings;
using Made = std::unique_ptr<Preconditioner>;
using Traits = PreconditionerTraits;
using Keys = std::vector<std::string_view>;
using Variants = std::vector<PreconditionerSettings>;

/// P<double> or P<float>
template <template <class> class P, class... Arguments>
Made inPrecision(linalg::Precision precision, const Arguments&... arguments) {
    if (precision == linalg::Precision::Double) return std::make_unique<P<double>>(arguments...);
    return std::make_unique<P<float>>(arguments...);
}

bool ofTheCore(const Settings& s) { return s.factorOf == FactorOf::Core; }
bool notPublished(const Settings& s) { return s.variant != Variant::Published; }

// Block forms of SAS + s(I - S) give the iterates of the reduced system.
Traits constrainedMatrix(const Settings&) { return {.form = MatrixForm::Constrained}; }

Traits constrainedPart(const Settings& s) {
    return {.form = MatrixForm::Constrained,
            .usesCore = ofTheCore(s),
            .usesShear = ofTheCore(s) && s.shearInCore,
            .noContact = ofTheCore(s) && !s.contactInCore};
}

Keys ofIncompleteCholesky(const Settings& s) {
    if (s.dropTolerance > 0)
        return {"drop_tolerance", "keep_pattern", "fill_limit", "ordering", "domains", "precision", "factor_of"};
    Keys keys{"drop_tolerance", "fill_level", "ordering", "domains", "breakdown", "precision", "factor_of"};
    if (s.breakdown == BreakdownCure::Threshold) keys.emplace_back("fill_limit");
    return keys;
}

Keys andShearOfTheCore(Keys keys, const Settings& s) {
    if (ofTheCore(s)) {
        keys.emplace_back("shear_in_core");
        keys.emplace_back("contact_in_core");
    }
    return keys;
}

std::vector<PreconditionerEntry> diagonalEntries() {
    return {
        {.kind = PreconditionerKind::Identity,
         .key = "identity",
         .label = "Identity",
         .help = "No preconditioner: plain conjugate gradients.",
         .source = "methods §8 (solvers.md)",
         .look = {hue::kSand},
         .make = [](const Settings&) -> Made { return std::make_unique<Identity>(); }},
        {.kind = PreconditionerKind::Jacobi,
         .key = "jacobi",
         .label = "Jacobi",
         .help = "The inverse of the diagonal of the matrix.",
         .source = "methods §9.1 (preconditioners.md)",
         .look = {hue::kOrange},
         .make = [](const Settings&) -> Made { return std::make_unique<Jacobi>(); }},
        {.kind = PreconditionerKind::BlockJacobi,
         .key = "block-jacobi",
         .label = "Block Jacobi",
         .help = "The inverse of the 3x3 diagonal blocks, one per particle.",
         .source = "methods §9.2 (preconditioners.md)",
         .look = {hue::kSky},
         .make = [](const Settings&) -> Made { return std::make_unique<BlockJacobi>(); }},
        {.kind = PreconditionerKind::ConstrainedBlock,
         .key = "constrained-block",
         .label = "Constrained block",
         .help =
             "Block Jacobi of the constrained matrix SAS + s(I - S): accounts for the directions that contacts remove.",
         .source = "methods §9.3 (preconditioners.md); [B] (5.4)",
         .look = {hue::kGreen},
         .parameters = [](const Settings&) -> Keys { return {"variant"}; },
         .traits =
             [](const Settings& s) {
                 return Traits{.form =
                                   notPublished(s) ? MatrixForm::ConstrainedDiagonal : MatrixForm::PublishedDiagonal};
             },
         .make = [](const Settings& s) -> Made { return std::make_unique<BlockJacobi>(s.variant); }},
    };
}

std::vector<PreconditionerEntry> incompleteEntries() {
    return {
        {.kind = PreconditionerKind::Ssor,
         .key = "ssor",
         .label = "SSOR",
         .help = "One symmetric sweep of over-relaxed Gauss-Seidel.",
         .source = "methods §9.5 (preconditioners.md); [P]",
         .look = {hue::kBlue},
         .parameters =
             [](const Settings& s) {
                 return notPublished(s) ? Keys{"variant", "omega", "precision", "domains"}
                                        : Keys{"variant", "precision", "domains"};  // its formula gives omega
             },
         .traits = constrainedMatrix,
         .make = [](const Settings& s) { return inPrecision<Ssor>(s.precision, s.variant, s.omega, s.domains); },
         .variants = []() -> Variants { return {{.variant = Variant::Point}}; }},
        {.kind = PreconditionerKind::IncompleteCholesky,
         .key = "incomplete-cholesky",
         .label = "Incomplete Cholesky",
         .help =
             "A Cholesky factor that keeps the pattern of the matrix and drops the fill, or keeps its large blocks.",
         .source = "methods §9.4 (preconditioners.md); [P], [B], [Y]",
         .look = {hue::kYellow},
         .parameters = [](const Settings& s) { return andShearOfTheCore(ofIncompleteCholesky(s), s); },
         .traits =
             [](const Settings& s) {
                 return ofTheCore(s) ? constrainedPart(s) : Traits{.form = MatrixForm::ConstrainedView};
             },
         .make =
             [](const Settings& s) {
                 return s.dropTolerance > 0 ? inPrecision<ThresholdCholesky>(s.precision, s)
                                            : inPrecision<IncompleteCholesky>(s.precision, s);
             },
         .variants = []() -> Variants {
             return {{.dropTolerance = 3e-3},
                     {.fillLevel = 1},
                     {.ordering = factors::Ordering::ReverseCuthillMcKee},
                     {.factorOf = FactorOf::Core},
                     {.breakdown = BreakdownCure::Shift},
                     {.breakdown = BreakdownCure::Compensate},
                     {.deflation = Deflation::Aggregates}};
         }},
        {.kind = PreconditionerKind::IncompletePoisson,
         .key = "incomplete-poisson",
         .label = "Incomplete Poisson",
         .help =
             "An approximate inverse made of two products instead of two triangular solves (Ament and others, Sideris "
             "and others). The published form stalls on stiff cloth, where its factors are nearly singular; the form "
             "with 3x3 blocks does not.",
         .source = "methods §9.6 (preconditioners.md); [P]",
         .look = {hue::kRust},
         .parameters = [](const Settings&) -> Keys {
             return {"variant", "product", "precision"};
         },
         .traits = constrainedMatrix,
         .make = [](const Settings& s) { return inPrecision<IncompletePoisson>(s.precision, s.variant, s.product); },
         .variants = []() -> Variants { return {{.variant = Variant::Published}}; }},
    };
}

std::vector<PreconditionerEntry> factoredEntries() {
    return {
        {.kind = PreconditionerKind::MatrixCore,
         .key = "matrix-core",
         .label = "Matrix core",
         .help =
             "A Cholesky factor of the stretch springs and of the diagonal blocks of all other springs (Ye): few "
             "iterations, whatever the stretch stiffness. Ineffective when shear is stiff, unless the core includes shear.",
         .source = "methods §10.2 (preconditioners.md); [Y] §6",
         .look = {hue::kPink},
         .cost = Cost::OfPartOrEarlierMatrix,
         .parameters = [](const Settings&) -> Keys {
             return {"variant", "shear_in_core", "contact_in_core", "ordering", "precision", "core_factor", "permute"};
         },
         .traits =
             [](const Settings& s) {
                 return Traits{.form = MatrixForm::Constrained,
                               .usesCore = true,
                               .usesShear = s.shearInCore,
                               .noContact = !s.contactInCore,
                               .scalarCore = s.variant != Variant::Block,
                               .ownOrder = s.permute == Permute::Once};
             },
         .make = [](const Settings& s) -> Made { return std::make_unique<MatrixCore>(s); },
         .variants = []() -> Variants {
             return {{.variant = Variant::Point},
                     {.coreFactor = CoreFactor::Ldl},
                     {.permute = Permute::Once},
                     {.shearInCore = true},
                     {.contactInCore = false}};
         }},
        {.kind = PreconditionerKind::LaggedCholesky,
         .key = "lagged-cholesky",
         .label = "Lagged Cholesky",
         .help =
             "The complete factor of an earlier step's matrix, recomputed when it is too old or when a solve takes too "
             "many iterations. Good while springs keep their directions, poor when springs go slack.",
         .source = "methods §10.3 (preconditioners.md); [Y] Table 2",
         .look = {hue::kLilac},
         .cost = Cost::OfPartOrEarlierMatrix,
         .parameters =
             [](const Settings& s) {
                 return andShearOfTheCore({"max_age", "patience", "factor_of", "ordering"}, s);
             },
         .traits =
             [](const Settings& s) {
                 Traits traits = constrainedPart(s);
                 traits.lag = LagRule{.maxAge = s.maxAge, .patience = s.patience};
                 return traits;
             },
         .make = [](const Settings& s) -> Made { return std::make_unique<CompleteCholesky>(s); },
         .variants = []() -> Variants { return {{.factorOf = FactorOf::Core}}; }},
        {.kind = PreconditionerKind::Chebyshev,
         .key = "chebyshev",
         .label = "Chebyshev",
         .help = "A polynomial of the matrix, scaled by its 3x3 diagonal blocks: only products, no triangular solves.",
         .source = "methods §9.7 (preconditioners.md); [Saad] §12.3",
         .look = {hue::kViolet},
         .parameters = [](const Settings&) -> Keys { return {"degree"}; },
         .traits = constrainedMatrix,
         .make = [](const Settings& s) -> Made { return std::make_unique<Chebyshev>(s.degree); }},
    };
}

/// In the order of the enum.
std::vector<PreconditionerEntry> builtInEntries() {
    std::vector<PreconditionerEntry> all = diagonalEntries();
    std::ranges::move(incompleteEntries(), std::back_inserter(all));
    std::ranges::move(factoredEntries(), std::back_inserter(all));
    return all;
}

/// Kept until the process has ended: threads and libraries may read it for as long.
OpenTable<PreconditionerEntry>& table() {
    static auto& table = *new OpenTable<PreconditionerEntry>(builtInEntries());
    return table;
}

}  // namespace

std::span<const EnumEntry> enumTable(PreconditionerKind) { return table().names(); }

std::span<const PreconditionerEntry> catalogue() { return table().entries(); }

const PreconditionerEntry& entryFor(PreconditionerKind kind) {
    assert(std::size_t(kind) < catalogue().size());
    return catalogue()[int(kind)];
}

bool isBuiltIn(PreconditionerKind kind) { return std::size_t(kind) < table().builtIn(); }

Expected<PreconditionerKind> addPreconditioner(PreconditionerEntry added) {
    return table().add(std::move(added), [](PreconditionerEntry& entry) -> Expected<void> {
        if (!entry.make) return fail(fmt::format("'{}' has no `make`", entry.key));
        if (entry.look == Look{}) entry.look = freeLook(catalogue(), Dash::Solid);
        Settings settings{.kind = entry.kind};
        FieldList fields;
        describe(settings, fields);
        return checkParameters(fields, entry.parameters ? entry.parameters(settings) : Keys{});
    });
}

std::unique_ptr<Preconditioner> makePreconditioner(const PreconditionerSettings& settings) {
    std::unique_ptr<Preconditioner> made = entryFor(settings.kind).make(settings);
    if (settings.deflation == Deflation::None) return made;
    return std::make_unique<Deflated>(std::move(made), settings);
}

PreconditionerTraits traitsFor(const PreconditionerSettings& settings) {
    const auto& make = entryFor(settings.kind).traits;
    PreconditionerTraits traits = make ? make(settings) : PreconditionerTraits{};
    traits.deflates = settings.deflation != Deflation::None;
    return traits;
}

std::vector<std::string_view> activeParameters(const PreconditionerSettings& settings) {
    const auto& parameters = entryFor(settings.kind).parameters;
    Keys keys = parameters ? parameters(settings) : Keys{};
    if (!traitsFor(settings).mayDeflate()) return keys;
    keys.emplace_back("deflation");
    if (settings.deflation != Deflation::None) keys.insert(keys.end(), {"coarse_vectors", "aggregate_size"});
    return keys;
}

std::vector<PreconditionerSettings> listVariants(PreconditionerKind kind) {
    const auto& variants = entryFor(kind).variants;
    std::vector<PreconditionerSettings> out = variants ? variants() : std::vector<PreconditionerSettings>{};
    for (PreconditionerSettings& variant : out) variant.kind = kind;
    return out;
}

}  // namespace clothlab::preconditioners
