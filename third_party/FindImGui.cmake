# Debian's libimgui has no CMake config; its library holds the GLFW and OpenGL 3 backends, and needs stb.
find_path(ImGui_INCLUDE_DIR NAMES imgui.h PATH_SUFFIXES imgui)
find_library(ImGui_LIBRARY NAMES imgui)
find_library(ImGui_STB_LIBRARY NAMES stb)
if(ImGui_INCLUDE_DIR)
  file(STRINGS "${ImGui_INCLUDE_DIR}/imgui.h" _version REGEX "^#define IMGUI_VERSION +\"")
  string(REGEX REPLACE ".*\"([0-9.]+).*" "\\1" ImGui_VERSION "${_version}")
endif()
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(ImGui REQUIRED_VARS ImGui_LIBRARY ImGui_STB_LIBRARY ImGui_INCLUDE_DIR
                                  VERSION_VAR ImGui_VERSION)
if(ImGui_FOUND AND NOT TARGET ImGui::ImGui)
  add_library(ImGui::ImGui STATIC IMPORTED)
  set_target_properties(ImGui::ImGui PROPERTIES IMPORTED_LOCATION "${ImGui_LIBRARY}"
    INTERFACE_INCLUDE_DIRECTORIES "${ImGui_INCLUDE_DIR};${ImGui_INCLUDE_DIR}/backends"
    INTERFACE_LINK_LIBRARIES "${ImGui_STB_LIBRARY};${CMAKE_DL_LIBS}")
endif()
