#pragma once

#include <string>

/// What options of several parts say, read from their text.
namespace clothlab::app::commands {

/// "1280x720" into two numbers; an empty string or what is wrong with it, as CLI11's validators say it.
std::string parseSize(const std::string& text, int& width, int& height);

}  // namespace clothlab::app::commands
