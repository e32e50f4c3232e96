#pragma once

#include <stddef.h>
#include <stdint.h>

/// Runs libFuzzer over a callback, and ends the process. Part of libFuzzer; its headers do not come with the toolchain.
int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*callback)(const uint8_t *bytes, size_t count));

/// What libFuzzer's own main function would call; here it never is, but its linker wants one.
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count);
