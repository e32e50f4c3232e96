// Facts of a build that Swift cannot be given by a flag.
#pragma once

/// The commit that the program was built from, in hexadecimal digits; "unknown" unless `EARSHOT_COMMIT` was set for the build.
const char *earshot_commit(void);
