# ecc_harden(TARGET): what a compiler and linker can do to turn an error in memory into an end of the program: checked
# return addresses and library calls, a guarded stack, tables of the loader that are read-only once the program runs.
# Only flags that the compiler has.  bench/builds.py measures what they cost.
include(CheckCCompilerFlag)
include(CheckLinkerFlag)
include(CheckPIESupported)

function(ecc_harden target)
  foreach(flag -fstack-protector-strong -fstack-clash-protection -fcf-protection=full -mbranch-protection=standard)
    string(MAKE_C_IDENTIFIER "ECC_HAS${flag}" has)
    check_c_compiler_flag("-Werror ${flag}" ${has})
    if(${has})
      target_compile_options(${target} INTERFACE ${flag})
    endif()
  endforeach()
  # level 3 also knows sizes that are found at run time; without optimisation glibc warns that it cannot check
  set(level 2)
  if((CMAKE_C_COMPILER_ID STREQUAL GNU AND CMAKE_C_COMPILER_VERSION VERSION_GREATER_EQUAL 12) OR
     (CMAKE_C_COMPILER_ID STREQUAL Clang AND CMAKE_C_COMPILER_VERSION VERSION_GREATER_EQUAL 12))
    set(level 3)
  endif()
  target_compile_options(${target} INTERFACE
    "$<$<NOT:$<CONFIG:Debug>>:-U_FORTIFY_SOURCE;-D_FORTIFY_SOURCE=${level}>")
  foreach(flag -Wl,-z,relro -Wl,-z,now -Wl,-z,noexecstack)
    string(MAKE_C_IDENTIFIER "ECC_HAS${flag}" has)
    check_linker_flag(C ${flag} ${has})
    if(${has})
      target_link_options(${target} INTERFACE ${flag})
    endif()
  endforeach()
  check_pie_supported(LANGUAGES C)
  set(CMAKE_POSITION_INDEPENDENT_CODE ON PARENT_SCOPE)
endfunction()
