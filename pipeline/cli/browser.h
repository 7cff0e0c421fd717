// SPDX-License-Identifier: MIT
// The desktop's browser.
#pragma once

/// Show `url` when there is a desktop and stdout is a terminal; else nothing. Does not wait, and
/// that no browser comes up is no error: the user has the address. Other users of the machine can
/// read the address in the list of processes while the browser starts.
///
/// Children that end from now on leave no status to wait for.
void cli_browser_open(const char *url);
