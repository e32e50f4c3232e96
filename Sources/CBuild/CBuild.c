#include "CBuild.h"

#ifndef EARSHOT_COMMIT
#define EARSHOT_COMMIT unknown
#endif

// The flag has no quotation marks: each kind of build would want them escaped in its own way.
#define TEXT_OF(name) #name
#define TEXT(name) TEXT_OF(name)

const char *earshot_commit(void) { return TEXT(EARSHOT_COMMIT); }
