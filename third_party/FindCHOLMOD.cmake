# SuiteSparse 5.12 has neither a CMake config nor a .pc file; 7 is found in the same way. BLAS and LAPACK are those that CHOLMOD
# itself loads; our multifrontal phase calls them too.
find_path(CHOLMOD_INCLUDE_DIR NAMES cholmod.h PATH_SUFFIXES suitesparse)
find_library(CHOLMOD_LIBRARY NAMES cholmod)
find_library(CHOLMOD_CONFIG_LIBRARY NAMES suitesparseconfig)
find_library(CHOLMOD_LAPACK_LIBRARY NAMES lapack)
find_library(CHOLMOD_BLAS_LIBRARY NAMES blas)
# The version is in cholmod.h from SuiteSparse 7 on, before that in cholmod_core.h.
set(_header "${CHOLMOD_INCLUDE_DIR}/cholmod_core.h")
if(NOT EXISTS "${_header}")
  set(_header "${CHOLMOD_INCLUDE_DIR}/cholmod.h")
endif()
if(EXISTS "${_header}")
  file(STRINGS "${_header}" _lines REGEX "^#define CHOLMOD_(MAIN|SUB|SUBSUB)_VERSION +[0-9]+")
  string(REGEX REPLACE ".*MAIN_VERSION +([0-9]+).*[^B]SUB_VERSION +([0-9]+).*SUBSUB_VERSION +([0-9]+).*" "\\1.\\2.\\3"
                       CHOLMOD_VERSION "${_lines}")
endif()
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(CHOLMOD REQUIRED_VARS CHOLMOD_LIBRARY CHOLMOD_CONFIG_LIBRARY CHOLMOD_INCLUDE_DIR
                                  CHOLMOD_LAPACK_LIBRARY CHOLMOD_BLAS_LIBRARY
                                  VERSION_VAR CHOLMOD_VERSION)
if(CHOLMOD_FOUND AND NOT TARGET CHOLMOD::CHOLMOD)
  add_library(CHOLMOD::CHOLMOD UNKNOWN IMPORTED)
  set_target_properties(CHOLMOD::CHOLMOD PROPERTIES IMPORTED_LOCATION "${CHOLMOD_LIBRARY}"
    INTERFACE_INCLUDE_DIRECTORIES "${CHOLMOD_INCLUDE_DIR}"
    INTERFACE_LINK_LIBRARIES "${CHOLMOD_CONFIG_LIBRARY};${CHOLMOD_LAPACK_LIBRARY};${CHOLMOD_BLAS_LIBRARY}")
endif()
