# One static library o2w_LAYER per folder src/LAYER, linked as cmake/layers.txt says.
# A layer without sources is an interface library, so that the rest can be built.

set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
    ${CMAKE_CURRENT_LIST_DIR}/layers.txt)
file(STRINGS ${CMAKE_CURRENT_LIST_DIR}/layers.txt rows REGEX "^[a-z]")

set(O2W_LAYERS "")         # all layers, lowest first
set(O2W_BUILT_LAYERS "")   # those with sources, cli apart: what the library is made of
foreach(row IN LISTS rows)
    string(REGEX MATCH "^([a-z]+):(.*)$" matched "${row}")
    if(NOT matched)
        message(FATAL_ERROR "cmake/layers.txt: not 'NAME: layers': ${row}")
    endif()
    set(layer ${CMAKE_MATCH_1})
    separate_arguments(below UNIX_COMMAND "${CMAKE_MATCH_2}")
    foreach(other IN LISTS below)
        if(NOT other IN_LIST O2W_LAYERS)
            message(FATAL_ERROR "cmake/layers.txt: ${layer} names ${other}, which does not stand above it")
        endif()
    endforeach()
    if(NOT layer STREQUAL base)
        list(PREPEND below base)
    endif()
    list(APPEND O2W_LAYERS ${layer})
    list(TRANSFORM below PREPEND o2w_)

    file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/${layer}/*.c)
    if(sources)
        add_library(o2w_${layer} STATIC ${sources})
        target_link_libraries(o2w_${layer} PUBLIC ${below} o2w_flags)
        if(NOT layer STREQUAL cli)
            list(APPEND O2W_BUILT_LAYERS ${layer})
        endif()
        # Settings of single files (instruction sets, generated tables) stand with the layer.
        include(${CMAKE_SOURCE_DIR}/src/${layer}/layer.cmake OPTIONAL)
    else()
        add_library(o2w_${layer} INTERFACE)
        target_link_libraries(o2w_${layer} INTERFACE ${below} o2w_flags)
    endif()
endforeach()
