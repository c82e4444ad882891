#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

#include "base/fields.hpp"
#include "scene/toml/toml_document.hpp"

namespace clothlab::scene {

/// An error that points at a place in a file.
tl::unexpected<Error> failAt(const std::string& file, int line, int column, std::string message,
                             std::vector<std::string> choices = {});
tl::unexpected<Error> failAt(const std::string& file, const TomlNode& node, std::string message,
                             std::vector<std::string> choices = {});

/// Assigns a node to a field after checking type and range; the error points at the node.
Expected<void> assignNode(const Field& field, const TomlNode& node, const std::string& file);

/// Reads a table through a description table: every key must be one of the list's ("prefix.key"), or one of
/// `byHand`, which the caller reads itself. An unknown key is an Error that names similar and valid ones.
Expected<void> readTable(const TomlNode& table, std::string_view prefix, const FieldList& list, const std::string& file,
                         std::initializer_list<std::string_view> byHand = {});

/// A whole number within [min, max]; the error points at the node.
Expected<int> readInteger(const TomlNode& node, std::string_view key, int min, int max, const std::string& file);

/// The error for an unknown key: "unknown key 'integrator.dtt'; did you mean 'integrator.dt'?"
Error unknownKey(std::string_view key, const std::vector<std::string>& similar, std::vector<std::string> valid);

/// True for a table; otherwise an Error with the syntax of one.
Expected<void> expectTable(const TomlNode& node, std::string_view name, const std::string& file);

}  // namespace clothlab::scene
