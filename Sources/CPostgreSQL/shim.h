// PostgreSQL's own client library.
#pragma once

#include <libpq-fe.h>
