# The files of runtime/ and page/ as C arrays: emitted code is written as code, and carried in the library.
file(GLOB texts CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/emit/runtime/* ${CMAKE_SOURCE_DIR}/src/emit/page/*)
set(embedded ${CMAKE_BINARY_DIR}/emit/embedded.c)
add_custom_command(OUTPUT ${embedded}
    COMMAND ${CMAKE_COMMAND} "-DTEXTS=${texts}" -DHEADER=emit/embedded.h -DOUT=${embedded} -P ${CMAKE_SOURCE_DIR}/cmake/embed.cmake
    DEPENDS ${texts} ${CMAKE_SOURCE_DIR}/cmake/embed.cmake VERBATIM COMMENT "Embedding the texts of emit")
target_sources(o2w_emit PRIVATE ${embedded})
