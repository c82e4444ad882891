# Files for building other projects: the headers and libraries of the core, and find_package(clothlab). They are a separate component,
# since the package of the program has none of them.

# A plug-in needs the headers and the flags of the program, but no library: the functions it calls are in the program.
add_library(clothlab_plugin_interface INTERFACE)
target_include_directories(clothlab_plugin_interface INTERFACE "$<INSTALL_INTERFACE:include/clothlab>")
target_compile_definitions(clothlab_plugin_interface INTERFACE CLOTHLAB_VERSION="${PROJECT_VERSION}")
target_compile_features(clothlab_options INTERFACE cxx_std_20)
target_link_libraries(clothlab_plugin_interface INTERFACE clothlab_options Eigen3::Eigen tl::expected Threads::Threads)
set_target_properties(clothlab_plugin_interface PROPERTIES EXPORT_NAME plugin)

set(libraries base geometry mechanics linalg factors preconditioners solvers cloth contact integrators scene records simulation
              experiments core)
foreach(library IN LISTS libraries)
  set_target_properties(clothlab_${library} PROPERTIES EXPORT_NAME ${library})
endforeach()
list(TRANSFORM libraries PREPEND clothlab_)
set(package "${CMAKE_INSTALL_LIBDIR}/cmake/clothlab")
install(TARGETS ${libraries} clothlab_plugin_interface clothlab_options clothlab_warnings EXPORT clothlabTargets
        ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}/clothlab" COMPONENT development)
install(EXPORT clothlabTargets NAMESPACE clothlab:: DESTINATION "${package}" COMPONENT development)
install(DIRECTORY "${PROJECT_SOURCE_DIR}/core/" DESTINATION include/clothlab COMPONENT development FILES_MATCHING PATTERN "*.hpp"
        PATTERN lessons EXCLUDE PATTERN papers EXCLUDE PATTERN plugin/load.hpp EXCLUDE)  # their libraries are not installed

include(CMakePackageConfigHelpers)
write_basic_package_version_file("${CMAKE_CURRENT_BINARY_DIR}/clothlabConfigVersion.cmake" COMPATIBILITY ExactVersion)
install(FILES clothlabConfig.cmake "${CMAKE_CURRENT_BINARY_DIR}/clothlabConfigVersion.cmake"
              "${PROJECT_SOURCE_DIR}/third_party/FindCHOLMOD.cmake" "${PROJECT_SOURCE_DIR}/third_party/FindLibdeflate.cmake"
        DESTINATION "${package}" COMPONENT development)
