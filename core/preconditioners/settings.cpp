#include "preconditioners/settings.hpp"

namespace clothlab::preconditioners {
namespace {

constexpr std::array kVariants{
    EnumEntry{int(Variant::Block), "block", "3x3 blocks",
              "By the 3x3 diagonal block of each particle: what works on stiff cloth."},
    EnumEntry{int(Variant::Point), "point", "single unknowns",
              "By the diagonal alone. SSOR and incomplete Poisson: scaled by it; matrix core: what is outside of the "
              "core leaves only its diagonal there; constrained block: the diagonal of the constrained blocks."},
    EnumEntry{int(Variant::Published), "published", "as published",
              "SSOR: point, with omega = 1/max(1, largest entry of L), which depends on units. Incomplete Poisson: H "
              "H', without a scale. Matrix core: as by single unknowns. Constrained block: SC + I - S, not symmetric, "
              "with the same iterates."},
};

constexpr std::array kPoissonProducts{
    EnumEntry{int(PoissonProduct::Backward), "backward", "H H'", "The published order."},
    EnumEntry{int(PoissonProduct::Forward), "forward", "H' H", "The other order: within a few percent."},
};

constexpr std::array kBreakdownCures{
    EnumEntry{int(BreakdownCure::Shift), "shift", "shift (Manteuffel)",
              "Adds a small multiple of the diagonal blocks and tries again; usually none is needed."},
    EnumEntry{int(BreakdownCure::Compensate), "compensate", "compensate (Ajiz-Jennings)",
              "Adds what it drops to the diagonal: never breaks down, and needs 3 to 7 times the iterations."},
};

constexpr std::array kFactorsOf{
    EnumEntry{int(FactorOf::Matrix), "matrix", "whole matrix", "All implicit springs."},
    EnumEntry{int(FactorOf::Core), "core", "core alone", "The stretch springs, and everything else's diagonal blocks."},
};

constexpr std::array kPermutes{
    EnumEntry{int(Permute::Each), "each", "r and z, each time",
              "Each application takes r into the factor's order and z back."},
    EnumEntry{int(Permute::Once), "once", "the system, once",
              "Matrix and right-hand side are put into the factor's order before the first iteration, the solution "
              "back after the last."},
};

}  // namespace

std::span<const EnumEntry> enumTable(Variant) { return kVariants; }
std::span<const EnumEntry> enumTable(PoissonProduct) { return kPoissonProducts; }
std::span<const EnumEntry> enumTable(BreakdownCure) { return kBreakdownCures; }
std::span<const EnumEntry> enumTable(FactorOf) { return kFactorsOf; }
std::span<const EnumEntry> enumTable(Permute) { return kPermutes; }

void describe(PreconditionerSettings& s, FieldList& list) {
    list.add("kind", s.kind,
             {.label = "preconditioner",
              .help = "Changes the system that conjugate gradients see, not its solution: a better one needs fewer "
                      "iterations, and each costs more."});
    list.add("variant", s.variant,
             {.label = "form",
              .help = "Constrained block, SSOR, incomplete Poisson, matrix core: what the method divides by."});
    list.add(
        "ordering", s.ordering,
        {.label = "ordering",
         .help = "The order of elimination: decides how good an incomplete factor is, and how large a complete one."});
    list.add(
        "omega", s.omega,
        {.label = "omega",
         .min = 0.05,
         .max = 1.95,
         .help = "SSOR's relaxation: above 1 over-relaxed. The published formula depends on units; after symmetric "
                 "scaling it gives 1."});
    list.add("product", s.product, {.label = "product", .help = "Incomplete Poisson: which factor comes first."});
    list.add("factor_of", s.factorOf,
             {.label = "factor of", .help = "Which matrix is factored: all springs, or the core."});
    list.add(
        "fill_level", s.fillLevel,
        {.label = "fill level",
         .min = 0,
         .max = 1,
         .help = "Incomplete Cholesky: 0 keeps the blocks of the matrix alone, 1 also those that they fill directly."});
    list.add("domains", s.domains,
             {.label = "domains",
              .min = 0,
              .max = 64,
              .sliderMax = 8,
              .help = "SSOR, incomplete Cholesky: cuts the cloth into so many parts that threads work on side by side, "
                      "with separators between them that come last. Two meet in the middle and cost hardly an "
                      "iteration; more cost many. Not chosen by the number of threads: results must not depend on it.",
              .autoWord = "auto"});
    list.add("breakdown", s.breakdown,
             {.label = "breakdown", .help = "Incomplete Cholesky: what is done about a pivot that is not positive."});
    list.add(
        "precision", s.precision,
        {.label = "factor in",
         .help = "In which numbers the factor is kept. An iteration reads it twice: in single precision that takes "
                 "half the time, and the solution does not suffer, since the factor is an approximation anyway."});
    list.add("permute", s.permute,
             {.label = "permute",
              .help = "Matrix core: an application runs in the order of its factor. Permuting the system once makes "
                      "each application a little cheaper, and products with the matrix dearer: the factor's order has "
                      "no narrow band."});
    list.add("shear_in_core", s.shearInCore,
             {.label = "shear in the core",
              .help = "Counts the shear springs to the core: for cloth that is stiff in shear."});
    list.add("max_age", s.maxAge,
             {.label = "oldest factor",
              .unit = "steps",
              .min = 1,
              .max = 1000,
              .sliderMin = 1,
              .sliderMax = 100,
              .help = "Lagged Cholesky: after so many steps the factor is made afresh."});
    list.add("patience", s.patience,
             {.label = "patience",
              .unit = "iterations",
              .min = 1,
              .max = 1000,
              .sliderMin = 1,
              .sliderMax = 100,
              .help = "Lagged Cholesky: a solve that takes longer factors its own matrix and goes on with that."});
    list.add("degree", s.degree,
             {.label = "degree",
              .min = 1,
              .max = 50,
              .help = "Chebyshev: products with the matrix in each iteration, less one."});
}

}  // namespace clothlab::preconditioners
