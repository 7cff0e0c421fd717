// SPDX-License-Identifier: MIT
#include "pipeline/serve/guard.h"

#include <stdio.h>
#include <string.h>
#include <sys/random.h>

bool ug_guard_init(ug_guard *guard, uint16_t port)
{
    unsigned char bytes[UG_TOKEN_BYTES];
    if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes) {
        return false;
    }
    for (size_t i = 0; i < sizeof bytes; i++) {
        (void)snprintf(guard->token + 2 * i, 3, "%02x", bytes[i]);
    }
    (void)snprintf(guard->hosts[0], sizeof guard->hosts[0], "127.0.0.1:%u", (unsigned)port);
    (void)snprintf(guard->hosts[1], sizeof guard->hosts[1], "localhost:%u", (unsigned)port);
    return true;
}

bool ug_guard_host(const ug_guard *guard, const char *host)
{
    return host && (strcmp(host, guard->hosts[0]) == 0 || strcmp(host, guard->hosts[1]) == 0);
}

bool ug_guard_origin(const ug_guard *guard, const char *origin)
{
    static const char SCHEME[] = "http://";
    return !origin || (strncmp(origin, SCHEME, sizeof SCHEME - 1) == 0 &&
                       ug_guard_host(guard, origin + sizeof SCHEME - 1));
}

bool ug_guard_token(const ug_guard *guard, const char *token)
{
    if (!token || strlen(token) != sizeof guard->token - 1) {
        return false;
    }
    unsigned char difference = 0;
    for (size_t i = 0; i < sizeof guard->token - 1; i++) {
        difference |= (unsigned char)(token[i] ^ guard->token[i]);
    }
    return difference == 0;
}
