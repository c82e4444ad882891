# find_package(clothlab) gives
#   clothlab::plugin  the headers and flags of a plug-in, which links none of our libraries (plugin/plugin.hpp)
#   clothlab::core    the libraries of the core, for a program with a main of its own; also one by one, clothlab::solvers ...
include(CMakeFindDependencyMacro)
list(PREPEND CMAKE_MODULE_PATH "${CMAKE_CURRENT_LIST_DIR}")
foreach(dependency Threads Eigen3 tl-expected)
  find_dependency(${dependency})
endforeach()
foreach(dependency fmt CHOLMOD tomlplusplus Libdeflate)  # only needed by the libraries
  find_package(${dependency} QUIET)
endforeach()
list(REMOVE_AT CMAKE_MODULE_PATH 0)
include("${CMAKE_CURRENT_LIST_DIR}/clothlabTargets.cmake")
