// SPDX-License-Identifier: MIT
// Looks and script of a report inside the program, each followed by a zero. UG_REPORT_CSS and
// UG_REPORT_JS are paths; CMakeLists.txt.
    .section .rodata
    .global ug_report_css, ug_report_js
    .balign 16
    .type ug_report_css, %object
ug_report_css:
    .incbin UG_REPORT_CSS
    .byte 0
    .size ug_report_css, . - ug_report_css
    .balign 16
    .type ug_report_js, %object
ug_report_js:
    .incbin UG_REPORT_JS
    .byte 0
    .size ug_report_js, . - ug_report_js
    // without this the whole program would get an executable stack
    .section .note.GNU-stack, "", %progbits
