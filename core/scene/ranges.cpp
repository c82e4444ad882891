#include <fmt/format.h>

#include <cmath>

#include "base/text.hpp"
#include "scene/knot.hpp"
#include "scene/scene_fields.hpp"

namespace clothlab::scene {

Expected<AxisRange> resolveAxis(int from, int to, int count, std::string_view word) {
    for (int* number : {&from, &to})
        if (*number == kMiddle) *number = count / 2;
    for (int number : {from, to})
        if (number >= count || number < -count)
            return fail(Error{
                .message = fmt::format("{} {} lies outside the cloth, which has {} {}s", word, number, count, word),
                .choices = {fmt::format("0 .. {}", count - 1), fmt::format("-{} .. -1 from the end", count)}});
    const AxisRange range{from < 0 ? from + count : from, to < 0 ? to + count : to};
    if (range.from > range.to)
        return fail(Error{.message = fmt::format("the {}s run backwards, from {} to {}", word, range.from, range.to),
                          .choices = {fmt::format("{}s = [{}, {}]", word, range.to, range.from)}});
    return range;
}

Expected<std::vector<Index>> resolve(const ParticleRange& range, const ClothPatch& cloth) {
    if (cloth.mesh || cloth.solid)
        return fail(fmt::format("the cloth is {}, which has no rows and columns", displayName(cloth)));
    const auto rows = resolveAxis(range.rowFrom, range.rowTo, cloth.rows, "row");
    if (!rows) return fail(rows.error());
    const auto columns = resolveAxis(range.columnFrom, range.columnTo, cloth.columns, "column");
    if (!columns) return fail(columns.error());
    if (range.rowStep < 1 || range.columnStep < 1) return fail("the step of a range is less than 1");
    std::vector<Index> particles;
    for (int r = rows->from; r <= rows->to; r += range.rowStep)
        for (int c = columns->from; c <= columns->to; c += range.columnStep)
            particles.push_back(Index(r) * cloth.columns + c);
    return particles;
}

ClothFault findFault(const ClothPatch& cloth) {
    if (cloth.mesh && cloth.sewing.on && cloth.mesh.content->seams.empty())
        return {"sew", "cloth.sew: " + displayName(cloth) +
                           " has no line (l 1 2) between points that are to be sewn together"};
    if (cloth.mesh) return findMeshFault(cloth);
    if (cloth.solid) return findSolidFault(cloth);
    constexpr double kTolerance = 1e-3;  // digits that a hand writes: 0.7071 is meant to be a unit vector's
    const auto unit = [](const Vec3& axis) { return std::abs(axis.norm() - 1) <= kTolerance; };
    if (!unit(cloth.columnAxis))
        return {"column_axis",
                fmt::format("cloth.column_axis has length {:.6g}: it must be a unit vector", cloth.columnAxis.norm())};
    if (!unit(cloth.rowAxis))
        return {"row_axis",
                fmt::format("cloth.row_axis has length {:.6g}: it must be a unit vector", cloth.rowAxis.norm())};
    if (std::abs(cloth.columnAxis.dot(cloth.rowAxis)) > kTolerance)
        return {"row_axis", "cloth.row_axis and cloth.column_axis must be at a right angle"};
    if (cloth.layout == Layout::Knot && cloth.gather < 1)
        return {"gather", "cloth.gather: a cloth in a knot is not gathered; 1, or cloth.layout = \"flat\""};
    if (cloth.layout == Layout::Knot && cloth.grading != 1)
        return {"grading", "cloth.grading: a knot has even columns; 1, or cloth.layout = \"flat\""};
    if (const int least = KnotCurve::kLeastAspect * (cloth.rows - 1) + 1;
        cloth.layout == Layout::Knot && cloth.columns < least)
        return {"columns",
                fmt::format("cloth.columns: a knot of {} rows needs at least {} columns", cloth.rows, least)};
    if (long{cloth.rows} * cloth.columns > kMaxParticles)
        return {"rows", fmt::format("a cloth of {} x {} particles is too large: at most {} in a scene", cloth.rows,
                                    cloth.columns, kMaxParticles)};
    return {};
}

}  // namespace clothlab::scene
