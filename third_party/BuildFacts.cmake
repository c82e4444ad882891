include_guard(GLOBAL)

# clothlab_build_facts(<template> <header>): writes what `--version` reports about this build into the build tree.
function(clothlab_build_facts template header)
  # name | CMake package ("-" where it comes with another) | licence of the parts that end up in the program
  set(libraries
    "Eigen|Eigen3|MPL-2.0"
    "CHOLMOD|CHOLMOD|LGPL-2.1-or-later, its Supernodal, Modify and MatrixOps GPL-2.0-or-later"
    "METIS|-|Apache-2.0"
    "OpenBLAS|-|BSD-3-Clause"
    "expected|tl-expected|CC0-1.0"
    "fmt|fmt|MIT"
    "toml++|tomlplusplus|MIT"
    "CLI11|CLI11|BSD-3-Clause"
    "GLFW|glfw3|Zlib"
    "glad|-|MIT, of Khronos's specification under Apache-2.0"
    "glm|glm|MIT"
    "Dear ImGui|ImGui|MIT"
    "stb|Stb|MIT"
    "libdeflate|Libdeflate|MIT"
    "Inter (font)|-|OFL-1.1")
  set(CLOTHLAB_BUILD_DEPENDENCIES "")
  foreach(library IN LISTS libraries)
    string(REGEX MATCH "^(.*)\\|(.*)\\|(.*)$" all "${library}")
    set(name "${CMAKE_MATCH_1}")
    set(package "${CMAKE_MATCH_2}")
    set(licence "${CMAKE_MATCH_3}")
    if(package STREQUAL "-" OR ${package}_FOUND)
      string(APPEND CLOTHLAB_BUILD_DEPENDENCIES "{\"${name}\", \"${${package}_VERSION}\", \"${licence}\"}, ")
    endif()
  endforeach()
  configure_file("${template}" "${header}" @ONLY)
endfunction()
