// SPDX-License-Identifier: MIT
// The page of `view` and the player of a report, as they were built into this program. They are
// made from viewer/ with node; a program built without node has none, and every function says so.
#pragma once

#include "pipeline/report/scene.h"

#include <stddef.h>
#include <stdio.h>

/// The player's scripts and style sheet as UTF-8 text, not to be freed. They hold nothing that ends
/// a <script> or <style>, so that they can be written inside one. The script mounts on
/// `<div id="ugoki">`; viewer/README.md says where it takes its data from.
///
/// @param bytes   length without the zero that follows; 0 when there is none
/// @return        NULL when this program was built without the viewer
const char *ug_page_player_js(size_t *bytes);
const char *ug_page_player_css(size_t *bytes);

/// What draws with WebGL: most of the script and needed last. The page keeps it as a text, which
/// the player runs when it has drawn its first picture without.
const char *ug_page_player_webgl(size_t *bytes);

/// Both scripts as elements, to stand behind the data and `<div id="ugoki">`; nothing when built
/// without the viewer.
void ug_page_write_player(FILE *out);

/// The whole page of `view`: script and style inside, data from the server that sends it. It loads
/// nothing else, and its own Content-Security-Policy says so. Manifests and the first record of
/// every scene stand in it, so that it can draw before it has asked for anything.
///
/// @param title        of the window, any UTF-8 text; escaped here
/// @param scenes       (scene_count) as the server has them, in its order
/// @param bytes        length without the zero that follows; 0 on failure
/// @return        free() it; NULL when built without the viewer, or out of memory
char *ug_page_view(const char *title, ug_scene *const *scenes, size_t scene_count, size_t *bytes);
