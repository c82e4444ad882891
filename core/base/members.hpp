#pragma once

#include <tuple>

/// The members of a type in one list. A type names its members in a static function `tieMembers`, by a structured
/// binding, so that forgetting a new member there is a compile error:
///
///     template <class Self>
///     static auto tieMembers(Self& self) {
///         auto& [particle, target] = self;
///         return std::tie(particle, target);
///     }
///
/// Hashes, files and sizes use that list, in its order.
namespace clothlab {

template <class T>
concept HasMembers = requires(T& value) {
    T::tieMembers(value);
};

/// Calls visit(member) for every member.
template <HasMembers T, class Visitor>
void forEachMember(T& value, Visitor visit) {
    std::apply([&](auto&... member) { (visit(member), ...); }, T::tieMembers(value));
}

template <HasMembers T, class Visitor>
void forEachMember(const T& value, Visitor visit) {
    std::apply([&](const auto&... member) { (visit(member), ...); }, T::tieMembers(value));
}

}  // namespace clothlab
