#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/enum_table.hpp"
#include "base/errors.hpp"
#include "base/types.hpp"

/// The description table of a settings struct.
///
/// A settings struct is plain data with in-class defaults. One function goes with it
///
///     void describe(IntegratorSettings& s, FieldList& list) {
///         list.add("dt", s.dt, {.label = "time step", .unit = "s", .min = 1e-5, .max = 0.1, .display = kMilliseconds,
///                               .logarithmic = true, .help = "..."});
///     }
///
/// that binds each member to its key, label, unit and range. TOML reading and writing, `--set key=value`,
/// `--help-settings`, report headers and the panels all walk the list, so that each key is written once.
namespace clothlab {

/// Display of a value: shown = stored * scale, in `unit`. Files always hold the stored SI value.
struct DisplayUnit {
    double scale = 1.0;
    std::string_view unit = {};
};
/// Maximum bytes of a text: names, titles, hints.
inline constexpr std::size_t kTextBytes = 4096;

inline constexpr DisplayUnit kMilliseconds{1e3, "ms"};

/// A word for a number: "cm" for 0.01.
struct NamedNumber {
    std::string_view word;
    double value;
};

struct FieldMeta {
    std::string_view label;
    std::string_view unit = {};               ///< SI unit of the stored value; empty = dimensionless
    double min = -1e300, max = 1e300;         ///< valid range, ends included (numbers and each component of a vector)
    double sliderMin = 0, sliderMax = 0;      ///< range of the slider; equal = min..max
    bool logarithmic = false;                 ///< slider scale
    DisplayUnit display = {};                 ///< on the screen; empty unit = the stored one
    std::string_view help = {};               ///< its effect on the physics or the algebra
    std::string_view autoWord = {};           ///< integers: the word for 0 ("auto")
    std::span<const NamedNumber> words = {};  ///< numbers: words that may be written instead
    bool open = false;                        ///< enums: a plug-in may add values
};

/// A bound enum member: access through two functions, which keeps the list free of templates.
struct EnumRef {
    void* object;
    int (*get)(const void*);
    void (*set)(void*, int);
    std::span<const EnumEntry> table;

    int value() const { return get(object); }
    void assign(int v) const { set(object, v); }
};

using FieldRef = std::variant<bool*, int*, double*, Vec3*, std::string*, EnumRef>;

struct Field {
    std::string key;  ///< full key, "integrator.dt"
    FieldMeta meta;
    FieldRef ref;
    FieldRef defaults;  ///< the same member of a default-constructed struct (owned by the list)
};

class FieldList {
public:
    /// Walks a nested settings struct under "prefix.".
    template <class S>
    void nest(std::string_view prefix, S& settings) {
        auto fresh = std::make_shared<S>();
        FieldList inner, innerDefaults;
        describe(settings, inner);
        describe(*fresh, innerDefaults);
        adopt(prefix, inner, innerDefaults);
        keepAlive_.push_back(fresh);
    }

    template <class T>
    void add(std::string_view key, T& member, const FieldMeta& meta) {
        fields_.push_back({std::string(key), meta, bind(member), FieldRef{}});
    }

    std::span<const Field> fields() const { return fields_; }
    const Field* find(std::string_view key) const;
    std::vector<std::string> keys() const;
    /// Keys that resemble the given one, best first (for "did you mean").
    std::vector<std::string> similar(std::string_view key) const;

private:
    template <class T>
    static FieldRef bind(T& member) {
        if constexpr (std::is_enum_v<T>) {
            return EnumRef{&member, [](const void* o) { return int(*static_cast<const T*>(o)); },
                           [](void* o, int v) { *static_cast<T*>(o) = T(v); }, enumTable(T{})};
        } else {
            return &member;
        }
    }
    void adopt(std::string_view prefix, FieldList& inner, FieldList& innerDefaults);

    std::vector<Field> fields_;
    std::vector<std::shared_ptr<void>> keepAlive_;
};

/// Parses a value as `--set` gives it ("0.01", "true", "mpcg", "0,-9.81,0") and assigns it after the range check.
Expected<void> assignText(const Field& field, std::string_view text);
/// Assign checked values (TOML reader, panels): wrong type or range is an Error that says what would be valid.
Expected<void> assignNumber(const Field& field, double value, bool isInteger);
Expected<void> assignBool(const Field& field, bool value);
Expected<void> assignString(const Field& field, std::string_view value);
Expected<void> assignVector(const Field& field, const Vec3& value);

/// The value as a file holds it: shortest text that reads back to the same bits; strings and enum keys unquoted.
std::string valueText(const FieldRef& ref);
bool equalValues(const FieldRef& a, const FieldRef& b);
void copyValue(const FieldRef& from, const FieldRef& to);
/// "0.00001 .. 0.1 s", "true, false", "mpcg, reduced-pcg, cholesky"
std::string validText(const Field& field);

}  // namespace clothlab
