// Chromaprint computes the fingerprints of whole files that AcoustID knows music by.
#pragma once

#include <chromaprint.h>
