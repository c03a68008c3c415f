# Writes text files into a C file as an array of {name, text}, ending in {0}.
# usage: cmake -DOUT=nets.c -DROOT=nets "-DFILES=a.net;b.net" -DHEADER=nn/spec.h
#          "-DARRAY=const struct ecc_net_text ecc_net_texts" -P embed_text.cmake
set(entries "")
foreach(file ${FILES})
  get_filename_component(name ${file} NAME_WE)
  file(READ ${ROOT}/${file} text)
  string(REPLACE "\\" "\\\\" text "${text}")
  string(REPLACE "\"" "\\\"" text "${text}")
  string(REPLACE "\n" "\\n\"\n     \"" text "${text}")
  string(APPEND entries "    {\"${name}\",\n     \"${text}\"},\n")
endforeach()
file(WRITE ${OUT} "/* Made by cmake/embed_text.cmake; not to be edited. */\n#include \"${HEADER}\"\n\n"
  "${ARRAY}[] = {\n${entries}    {0},\n};\n")
