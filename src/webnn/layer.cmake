# The limits of built-in targets, as their browsers print them.
file(GLOB targets CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/webnn/targets/*.json)
set(embedded_targets ${CMAKE_BINARY_DIR}/webnn/targets.c)
add_custom_command(OUTPUT ${embedded_targets}
    COMMAND ${CMAKE_COMMAND} "-DTEXTS=${targets}" -DHEADER=webnn/targets.h -DOUT=${embedded_targets}
            -P ${CMAKE_SOURCE_DIR}/cmake/embed.cmake
    DEPENDS ${targets} ${CMAKE_SOURCE_DIR}/cmake/embed.cmake VERBATIM COMMENT "Embedding the targets")
target_sources(o2w_webnn PRIVATE ${embedded_targets})
