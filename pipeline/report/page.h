// SPDX-License-Identifier: MIT
// The page of `view` and the player of a report, as they were built into this program. They are
// made from viewer/ with node; a program built without node has none, and every function says so.
#pragma once

#include <stddef.h>

/// The player's script and style sheet as UTF-8 text, not to be freed. They hold nothing that ends
/// a <script> or <style>, so that they can be written inside one. The script mounts on
/// `<div id="ugoki">`; viewer/README.md says where it takes its data from.
///
/// @param bytes   length without the zero that follows; 0 when there is none
/// @return        NULL when this program was built without the viewer
const char *ug_page_player_js(size_t *bytes);
const char *ug_page_player_css(size_t *bytes);

/// The whole page of `view`: script and style inside, data from the server that sends it. It loads
/// nothing else, and its own Content-Security-Policy says so.
///
/// @param title   of the window, any UTF-8 text; escaped here
/// @param bytes   length without the zero that follows; 0 on failure
/// @return        free() it; NULL when built without the viewer, or out of memory
char *ug_page_view(const char *title, size_t *bytes);
