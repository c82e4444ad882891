#include "preconditioners/settings.hpp"

#include "preconditioners/traits.hpp"

namespace clothlab::preconditioners {
namespace {

constexpr std::array kVariants{
    EnumEntry{int(Variant::Block), "block", "3x3 blocks",
              "Uses the 3x3 diagonal block of each particle; recommended for stiff cloth."},
    EnumEntry{
        int(Variant::Point), "point", "single unknowns",
        "Uses only the diagonal. SSOR and incomplete Poisson are scaled by it; the matrix core keeps only the "
        "diagonal of springs outside the core; the constrained block becomes the diagonal of the constrained blocks."},
    EnumEntry{
        int(Variant::Published), "published", "as published",
        "SSOR: point, with omega = 1/max(1, largest entry of L), which depends on units. Incomplete Poisson: H "
        "H', without a scale. Matrix core: as with single unknowns. Constrained block: SC + I - S, not symmetric, "
        "with the same iterates."},
};

constexpr std::array kPoissonProducts{
    EnumEntry{int(PoissonProduct::Backward), "backward", "H H'", "The published order."},
    EnumEntry{int(PoissonProduct::Forward), "forward", "H' H",
              "The other order: a few percent more or fewer iterations."},
};

constexpr std::array kBreakdownCures{
    EnumEntry{int(BreakdownCure::Shift), "shift", "shift (Manteuffel)",
              "Adds a small multiple of the diagonal blocks and tries again; most matrices need no shift."},
    EnumEntry{int(BreakdownCure::Compensate), "compensate", "compensate (Ajiz-Jennings)",
              "Adds dropped fill to the diagonal: never breaks down, but needs 3 to 7 times the iterations."},
    EnumEntry{
        int(BreakdownCure::Threshold), "threshold", "keep large fill",
        "Factors by size (drop tolerance 0.003) this matrix and those that follow: a third of the iterations that "
        "a shift needs, or less."},
};

constexpr std::array kFactorsOf{
    EnumEntry{int(FactorOf::Matrix), "matrix", "whole matrix", "All implicit springs."},
    EnumEntry{int(FactorOf::Core), "core", "core only",
              "The stretch springs, and the diagonal blocks of all other springs."},
};

constexpr std::array kCoreFactors{
    EnumEntry{int(CoreFactor::Cholesky), "cholesky", "Cholesky", "LL', for a core that is positive definite."},
    EnumEntry{int(CoreFactor::Ldl), "ldl", "LDL'",
              "Also for a core that is indefinite, as compressed springs make it: D then has negative entries. "
              "CHOLMOD's simplicial factor, in double precision, permuted each time."},
};

constexpr std::array kPermutes{
    EnumEntry{int(Permute::Each), "each", "r and z, each time",
              "Each application permutes r into the factor's order and z back."},
    EnumEntry{int(Permute::Once), "once", "the system, once",
              "Matrix and right-hand side are permuted into the factor's order before the first iteration, the "
              "solution back after the last."},
};

constexpr std::array kDeflations{
    EnumEntry{int(Deflation::None), "none", "none", "The preconditioner as it is."},
    EnumEntry{
        int(Deflation::Aggregates), "aggregates", "aggregates",
        "A coarse space of pieces of cloth that move as a whole removes errors that are smooth over many particles "
        "(A-DEF2): for solids, stiff shear and small tolerances."},
};

constexpr std::array kCoarseVectors{
    EnumEntry{int(CoarseVectors::Rigid), "rigid", "rigid motions",
              "Three translations and three rotations per aggregate; a solid needs the rotations."},
    EnumEntry{int(CoarseVectors::Translations), "translations", "translations",
              "Three translations per aggregate: half of the vectors, enough for most sheets."},
};

}  // namespace

std::span<const EnumEntry> enumTable(Deflation) { return kDeflations; }
std::span<const EnumEntry> enumTable(CoarseVectors) { return kCoarseVectors; }
std::span<const EnumEntry> enumTable(Variant) { return kVariants; }
std::span<const EnumEntry> enumTable(PoissonProduct) { return kPoissonProducts; }
std::span<const EnumEntry> enumTable(BreakdownCure) { return kBreakdownCures; }
std::span<const EnumEntry> enumTable(FactorOf) { return kFactorsOf; }
std::span<const EnumEntry> enumTable(CoreFactor) { return kCoreFactors; }
std::span<const EnumEntry> enumTable(Permute) { return kPermutes; }

std::uint8_t PreconditionerSettings::coreBits() const { return preconditioners::coreBits(shearInCore, contactInCore); }

void describe(PreconditionerSettings& s, FieldList& list) {
    list.add("kind", s.kind,
             {.label = "preconditioner",
              .help = "Changes the system that conjugate gradients see, not its solution: a better preconditioner "
                      "needs fewer iterations, and each iteration costs more.",
              .open = true});
    list.add("variant", s.variant,
             {.label = "form",
              .help = "Constrained block, SSOR, incomplete Poisson, matrix core: which "
                      "part of the diagonal blocks the method uses."});
    list.add(
        "ordering", s.ordering,
        {.label = "ordering",
         .help =
             "Order of elimination: decides how good an incomplete factor is, and how large a complete factor is."});
    list.add(
        "omega", s.omega,
        {.label = "omega",
         .min = 0.05,
         .max = 1.95,
         .help =
             "Relaxation of SSOR: above 1 is over-relaxation. The published formula depends on units; after symmetric "
             "scaling it gives 1."});
    list.add("product", s.product, {.label = "product", .help = "Incomplete Poisson: which factor comes first."});
    list.add("factor_of", s.factorOf,
             {.label = "factor of", .help = "Which matrix is factored: all springs, or the core."});
    list.add(
        "fill_level", s.fillLevel,
        {.label = "fill level",
         .min = 0,
         .max = 1,
         .help = "Incomplete Cholesky: 0 keeps the blocks of the matrix, 1 also the blocks that these fill directly."});
    list.add("drop_tolerance", s.dropTolerance,
             {.label = "drop tolerance",
              .min = 0,
              .max = 1,
              .sliderMax = 0.03,
              .help = "Incomplete Cholesky: keeps the 3x3 blocks of the factor that are larger than this, relative to "
                      "the diagonal block of their row, wherever they are. 0 keeps the pattern of the matrix. Smaller "
                      "values need fewer iterations and more memory; 0.003 is a good choice for stiff cloth."});
    list.add("keep_pattern", s.keepPattern,
             {.label = "keep the pattern",
              .help = "With a drop tolerance: keeps all blocks of the matrix, and drops only fill."});
    list.add("fill_limit", s.fillLimit,
             {.label = "fill limit",
              .min = 1,
              .max = 100,
              .sliderMin = 1,
              .sliderMax = 10,
              .help = "With a drop tolerance: blocks below the diagonal that the factor may have, in multiples of "
                      "those of the matrix. Blocks beyond that number are dropped, the smallest first."});
    list.add("domains", s.domains,
             {.label = "domains",
              .min = 0,
              .max = 64,
              .sliderMax = 8,
              .help = "SSOR, incomplete Cholesky: number of parts of the cloth on which threads work in parallel; the "
                      "separators between them come last. Two domains need few more iterations, more than two need "
                      "many. The number never follows the number of threads, because results must not depend on it.",
              .autoWord = "auto"});
    list.add("breakdown", s.breakdown,
             {.label = "breakdown", .help = "Incomplete Cholesky: how a pivot that is not positive is repaired."});
    list.add("precision", s.precision,
             {.label = "factor precision",
              .help = "Precision of the stored factor. Each iteration reads the factor twice; single precision halves "
                      "that time and leaves the solution as accurate, since the factor is an approximation anyway."});
    list.add("core_factor", s.coreFactor,
             {.label = "core factor", .help = "Matrix core: the factorization of the core."});
    list.add(
        "permute", s.permute,
        {.label = "permute",
         .help = "Matrix core: when vectors are permuted to the order of the factor. Permuting the system once makes "
                 "each application a little cheaper, but products with the matrix more expensive, since the "
                 "factor's order has no narrow band."});
    list.add(
        "shear_in_core", s.shearInCore,
        {.label = "shear in the core", .help = "Include shear springs in the core: for cloth that is stiff in shear."});
    list.add("contact_in_core", s.contactInCore,
             {.label = "contact in the core",
              .help = "Include the pairs of contact in the core, and threads of sewing. Without them the core lacks "
                      "the stiff coupling between two touching layers."});
    list.add("max_age", s.maxAge,
             {.label = "max age",
              .unit = "steps",
              .min = 1,
              .max = 1000,
              .sliderMin = 1,
              .sliderMax = 100,
              .help = "Lagged Cholesky: number of steps after which a new factor is made."});
    list.add("patience", s.patience,
             {.label = "patience",
              .unit = "iterations",
              .min = 1,
              .max = 1000,
              .sliderMin = 1,
              .sliderMax = 100,
              .help = "Lagged Cholesky: a solve that takes more iterations factors its "
                      "own matrix and continues with that factor."});
    list.add("degree", s.degree,
             {.label = "degree",
              .min = 1,
              .max = 50,
              .help = "Chebyshev: each application takes degree - 1 products with the matrix; "
                      "an iteration of CG adds one."});
    list.add("deflation", s.deflation,
             {.label = "deflation",
              .help = "A coarse space in addition to the preconditioner: a second level, as in multigrid methods."});
    list.add("coarse_vectors", s.coarseVectors,
             {.label = "coarse vectors", .help = "Deflation: the motions of each aggregate."});
    list.add("aggregate_size", s.aggregateSize,
             {.label = "aggregate size",
              .unit = "particles",
              .min = 0,
              .max = 4096,
              .sliderMax = 256,
              .help = "Deflation: particles per aggregate. Small aggregates need fewer iterations, each with a larger "
                      "coarse system.",
              .autoWord = "auto"});
}

}  // namespace clothlab::preconditioners
