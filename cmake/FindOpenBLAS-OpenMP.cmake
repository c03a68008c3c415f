# The OpenBLAS that shares OpenMP's thread pool.  Debian keeps it in a directory of its own beside a
# variant with private threads; linking by that directory, and remembering it as the run path, keeps
# the process at one pool whichever variant the system prefers.  Its LAPACK is used, too.
find_library(OpenBLAS_LIBRARY NAMES openblaso openblas PATH_SUFFIXES openblas-openmp)
find_path(OpenBLAS_INCLUDE_DIR cblas.h PATH_SUFFIXES openblas-openmp openblas)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(OpenBLAS-OpenMP DEFAULT_MSG OpenBLAS_LIBRARY OpenBLAS_INCLUDE_DIR)
if(OpenBLAS-OpenMP_FOUND AND NOT TARGET OpenBLAS::OpenBLAS)
  add_library(OpenBLAS::OpenBLAS UNKNOWN IMPORTED)
  set_target_properties(OpenBLAS::OpenBLAS PROPERTIES IMPORTED_LOCATION "${OpenBLAS_LIBRARY}"
    INTERFACE_INCLUDE_DIRECTORIES "${OpenBLAS_INCLUDE_DIR}")
  get_filename_component(OpenBLAS_RPATH "${OpenBLAS_LIBRARY}" DIRECTORY)
endif()

# Another variant would work, with two thread pools in each other's way: say so.
if(OpenBLAS-OpenMP_FOUND AND NOT CMAKE_CROSSCOMPILING)
  include(CheckCSourceRuns)
  set(CMAKE_REQUIRED_LIBRARIES OpenBLAS::OpenBLAS)
  check_c_source_runs("int openblas_get_parallel(void); int main(void) { return openblas_get_parallel() != 2; }"
    OpenBLAS_USES_OPENMP)
  unset(CMAKE_REQUIRED_LIBRARIES)
  if(NOT OpenBLAS_USES_OPENMP)
    message(WARNING "${OpenBLAS_LIBRARY} does not use OpenMP: expect less speed (Debian: libopenblas-openmp-dev)")
  endif()
endif()
