// SPDX-License-Identifier: MIT
// The built page inside the program. UG_PLAYER_JS, _WEBGL and _CSS are paths; cmake/viewer.cmake.
    .section .rodata
    .global ug_player_js, ug_player_js_end, ug_player_css, ug_player_css_end
    .global ug_player_webgl, ug_player_webgl_end
    .balign 16
    .type ug_player_js, %object
ug_player_js:
    .incbin UG_PLAYER_JS
ug_player_js_end:
    .byte 0
    .size ug_player_js, . - ug_player_js
    .balign 16
    .type ug_player_webgl, %object
ug_player_webgl:
    .incbin UG_PLAYER_WEBGL
ug_player_webgl_end:
    .byte 0
    .size ug_player_webgl, . - ug_player_webgl
    .balign 16
    .type ug_player_css, %object
ug_player_css:
    .incbin UG_PLAYER_CSS
ug_player_css_end:
    .byte 0
    .size ug_player_css, . - ug_player_css
    // without this the whole program would get an executable stack
    .section .note.GNU-stack, "", %progbits
