// The reference implementation of EBU R 128.
#pragma once

#include <ebur128.h>
