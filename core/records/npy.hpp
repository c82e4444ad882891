#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/errors.hpp"

/// NumPy's format for one array (NEP 1, versions 1.0 to 3.0).
namespace clothlab::records {

/// The header, version 1.0, C order: `type` as NumPy writes it ("<f8"), `shape` as Python does ("(3, 4)"). Always of
/// one length, so that the shape of a growing file can be overwritten.
std::string npyHeader(std::string_view type, const std::string& shape);

/// float64, C order, little endian: the product of `shape` is the number of values.
std::string npyText(std::span<const double> values, const std::vector<std::int64_t>& shape);
/// int32, one dimension.
std::string npyText(std::span<const std::int32_t> values);
/// int64, one dimension.
std::string npyText(std::span<const std::int64_t> values);
/// A string without dimensions, "|S3": scipy's name for the form of a matrix.
std::string npyWord(std::string_view word);

/// An array as stored in its file.
struct NpyArray {
    std::string type;  ///< "<f8", "|S3"
    bool fortranOrder = false;
    std::vector<std::int64_t> shape;  ///< 0 or more each; empty: one value
    std::string_view bytes;           ///< of the file, as long as shape and type require

    std::int64_t count() const;
    std::string shapeText() const;  ///< "(3, 4)"
};

/// `bytes` must outlive the array. An Error gives the reason: not a NumPy file, a header that Python would not read, a
/// type that is neither a number nor a string, too few or too many values.
Expected<NpyArray> readNpy(std::string_view bytes, const std::string& file);

/// The values in the order of the file, from float32, float64 and integers of any size and byte order; an Error for
/// other types.
Expected<std::vector<double>> toNumbers(const NpyArray& array, const std::string& file);
/// Likewise for integers only.
Expected<std::vector<std::int64_t>> toWholes(const NpyArray& array, const std::string& file);
/// A string, "|S" or "<U", without dimensions; otherwise empty.
std::string toWord(const NpyArray& array);

}  // namespace clothlab::records
