#include "CLibFuzzer.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count) {
    (void)bytes;
    (void)count;
    return 0;
}
