#pragma once

#include <string>
#include <vector>

/// Parsers of options with several parts.
namespace clothlab::app::commands {

/// "1280x720" into two numbers; returns an empty string or the error, like CLI11's validators.
std::string parseSize(const std::string& text, int& width, int& height);

/// "1e-3,1e-6" into numbers from 1e-14 to 1; the same.
std::string parseTolerances(const std::string& text, std::vector<double>& tolerances);

}  // namespace clothlab::app::commands
