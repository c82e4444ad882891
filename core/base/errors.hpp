#pragma once

#include <string>
#include <tl/expected.hpp>
#include <vector>

namespace clothlab {

/// A mistake in the input of a user or a file: what is wrong, where, and what would be valid. Numerical trouble is
/// never an Error (it is a status), and a programming mistake is an assert.
struct Error {
    std::string message;
    std::string file;                  ///< empty when the input was not a file
    int line = 0;                      ///< 1-based; 0 = unknown
    int column = 0;                    ///< 1-based; 0 = unknown
    std::vector<std::string> choices;  ///< the valid choices, when they can be listed

    /// "scenes/hang.toml:12:8: unknown key 'stifness' (valid: ...)"
    std::string text() const;
};

template <class T>
using Expected = tl::expected<T, Error>;

inline tl::unexpected<Error> fail(std::string message) {
    return tl::unexpected<Error>(Error{.message = std::move(message)});
}
inline tl::unexpected<Error> fail(Error error) { return tl::unexpected<Error>(std::move(error)); }

}  // namespace clothlab
