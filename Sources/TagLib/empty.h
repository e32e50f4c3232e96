// TagLib is C++: only CTagLib includes its headers. This module brings the flags of the installed library.
#pragma once
