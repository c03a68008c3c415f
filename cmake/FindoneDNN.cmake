# oneDNN built for OpenMP, versions 2 and 3.  Its own package file asks for OpenCL where Debian built it
# with that, which nobody here needs: library and header are looked up by name.
find_library(oneDNN_LIBRARY NAMES dnnl)
find_path(oneDNN_INCLUDE_DIR oneapi/dnnl/dnnl.h)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(oneDNN DEFAULT_MSG oneDNN_LIBRARY oneDNN_INCLUDE_DIR)
if(oneDNN_FOUND AND NOT TARGET oneDNN::oneDNN)
  add_library(oneDNN::oneDNN UNKNOWN IMPORTED)
  set_target_properties(oneDNN::oneDNN PROPERTIES IMPORTED_LOCATION "${oneDNN_LIBRARY}"
    INTERFACE_INCLUDE_DIRECTORIES "${oneDNN_INCLUDE_DIR}")
endif()
