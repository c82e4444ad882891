#include "commands/commands.hpp"

int main(int argc, char** argv) { return clothlab::app::runCommandLine(argc, argv); }
