// SPDX-License-Identifier: MIT
// Who may ask the server: the page that was given the token, and only under our own name.
//
// The server listens on the loopback alone, but any page in the user's browser can send requests
// there. Such a page does not know the token; if it makes its own name point at 127.0.0.1, the
// Host header gives it away; if it asks across origins, the Origin header does.
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum { UG_TOKEN_BYTES = 16 };

typedef struct ug_guard {
    char token[2 * UG_TOKEN_BYTES + 1]; ///< hexadecimal
    char hosts[2][24];                  ///< "127.0.0.1:PORT", "localhost:PORT"
} ug_guard;

/// A fresh random token. @return false when the system gives no random bytes
bool ug_guard_init(ug_guard *guard, uint16_t port);

/// `host` is the request's Host header; NULL: it had none, which is wrong.
bool ug_guard_host(const ug_guard *guard, const char *host);

/// `origin` is the request's Origin header; NULL: it had none, which is fine.
bool ug_guard_origin(const ug_guard *guard, const char *origin);

/// Takes as long for a wrong token as for the right one; NULL is wrong.
bool ug_guard_token(const ug_guard *guard, const char *token);
