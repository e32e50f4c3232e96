#!/bin/sh
# Starts the build of Earshot for the FFmpeg of this system: each release of FFmpeg has other names of its libraries.
self=$0
while [ -h "$self" ]; do
    target=$(readlink "$self")
    case $target in
        /*) self=$target ;;
        *) self=$(dirname "$self")/$target ;;
    esac
done
folder=$(cd "$(dirname "$self")/../lib/earshot" && pwd) || exit 1
for program in "$folder"/earshot-ffmpeg7 "$folder"/earshot-ffmpeg6 "$folder"/earshot-ffmpeg5; do
    [ -x "$program" ] || continue
    # The loader itself says what it would not find.
    missing=$(LD_TRACE_LOADED_OBJECTS=1 "$program" 2>&1 | sed -n 's/^[[:space:]]*\([^ ]*\) => not found.*/\1/p')
    [ -n "$missing" ] || exec "$program" "$@"
    all="$all
  $(basename "$program"): $(echo "$missing" | tr '\n' ' ')"
done
printf 'earshot: libraries are missing here. For one of these builds install, with the package manager of this system:%s\n' "$all" >&2
exit 1
