#pragma once

#include <array>
#include <cassert>
#include <span>
#include <string_view>

namespace clothlab {

/// One row of an enum's name table: the key is used in files and options, the label on the screen.
struct EnumEntry {
    int value;
    std::string_view key;
    std::string_view label;
    std::string_view help = {};
};

/// Each selectable enum E has one table, found by argument-dependent lookup:
///     inline constexpr std::array kStoppings{EnumEntry{int(Stopping::PNorm), "p-norm", "P-norm"}, ...};
///     constexpr std::span<const EnumEntry> enumTable(Stopping) { return kStoppings; }
/// The names are spelled nowhere else.
template <class E>
concept TabledEnum = requires(E e) {
    { enumTable(e) } -> std::convertible_to<std::span<const EnumEntry>>;
};

template <TabledEnum E>
constexpr const EnumEntry& enumEntry(E value) {
    for (const EnumEntry& entry : enumTable(E{}))
        if (entry.value == int(value)) return entry;
    return enumTable(E{}).front();
}

/// The value with this key, which must exist: for code that does not see the enumerators.
template <TabledEnum E>
E enumNamed(std::string_view key) {
    for (const EnumEntry& entry : enumTable(E{}))
        if (entry.key == key) return static_cast<E>(entry.value);
    assert(false && "a key of the table");
    return {};
}

template <TabledEnum E>
constexpr std::string_view enumKey(E value) {
    return enumEntry(value).key;
}

template <TabledEnum E>
constexpr std::string_view enumLabel(E value) {
    return enumEntry(value).label;
}

}  // namespace clothlab
