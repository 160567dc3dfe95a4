# cmake "-DTEXTS=files" -DHEADER=that declares them -DOUT=file.c -P embed.cmake: each file FOLDER/NAME.EXT as `const struct span embedded_NAME_EXT`.
set(code "/* Written by cmake/embed.cmake; do not edit. */\n#include \"${HEADER}\"\n")
foreach(text IN LISTS TEXTS)
    get_filename_component(name ${text} NAME)
    string(MAKE_C_IDENTIFIER ${name} id)
    file(READ ${text} hex HEX)
    string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
    string(APPEND code "static const uint8_t bytes_${id}[] = { ${bytes} };\n"
        "const struct span embedded_${id} = { bytes_${id}, sizeof bytes_${id} };\n")
endforeach()
file(WRITE ${OUT} "${code}")
