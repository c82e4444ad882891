#pragma once

#include <string>
#include <vector>

/// What options of several parts say, read from their text.
namespace clothlab::app::commands {

/// "1280x720" into two numbers; an empty string or what is wrong with it, as CLI11's validators say it.
std::string parseSize(const std::string& text, int& width, int& height);

/// "1e-3,1e-6" into numbers from 1e-14 to 1; the same.
std::string parseTolerances(const std::string& text, std::vector<double>& tolerances);

}  // namespace clothlab::app::commands
