#include <fmt/format.h>

#include "bench.hpp"
#include "linalg/packed_matrix.hpp"
#include "linalg/reduced_system.hpp"

namespace clothlab::bench {
namespace {

using linalg::Precision;
using linalg::Storage;

/// The product in conjugate gradients, in each form of the matrix over the form of nine doubles per block, and packing.
void compareForms(const linalg::BlockMatrix& A, const linalg::BlockVector& x, const std::string& name, int threads,
                  std::vector<Ratio>& out) {
    const int pairs = A.rows() > 50000 ? 15 : 41;
    WorkerPool pool(threads);
    linalg::BlockVector y(A.rows());
    linalg::PackedMatrix full;
    full.build(A, pool, {.storage = Storage::Full});
    const auto multiplyFull = [&] { full.multiplyDot(x, y, pool); };
    MemoryReader reader(full.bytes());
    if (threads == 1)
        out.push_back(compare(
            "product_full_vs_reading_it" + name, multiplyFull, [&] { reader.read(); }, pairs));
    for (const Precision precision : {Precision::Double, Precision::Single})
        for (const Storage storage : {Storage::Full, Storage::Half, Storage::Springs}) {
            if (precision == Precision::Double && storage == Storage::Full) continue;
            const linalg::Packing packing{precision, storage};
            linalg::PackedMatrix packed;
            packed.build(A, pool, packing);
            const std::string form = fmt::format("{}_{}{}", enumKey(storage), enumKey(precision), name);
            out.push_back(compare(
                "product_" + form, [&] { packed.multiplyDot(x, y, pool); }, multiplyFull, pairs));
            out.push_back(compare(
                "packing_" + form, [&] { packed.build(A, pool, packing); },
                [&] { full.build(A, pool, {.storage = Storage::Full}); }, pairs));
            out.back().detail = true;
            if (threads > 1) continue;
            MemoryReader own(packed.bytes());
            out.push_back(compare(
                fmt::format("product_{}_vs_reading_it", form), [&] { packed.multiplyDot(x, y, pool); },
                [&] { own.read(); }, pairs));
            out.back().detail = true;
        }
}

}  // namespace

void productRatios(std::vector<Ratio>& out) {
    for (const int side : {81, 161, 321}) {
        const Frame frame = makeFrame({"hang", side, 6000, 20, "reduced-pcg", "incomplete-cholesky"});
        WorkerPool one(1);
        linalg::ReducedSystem reduced;
        reduced.build(frame.system.view(), one);
        for (const int threads : {1, 2})
            compareForms(reduced.matrix(), reduced.rhs(), fmt::format("_{}_{}t", side * side, threads), threads, out);
    }
}

}  // namespace clothlab::bench
