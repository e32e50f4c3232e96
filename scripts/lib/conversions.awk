# Conversions that trap in files that read bytes: Int(x) where x is a number of 64 bits without sign, or a floating-point number, that was read.
#
# Told apart by how the number is read: `read(UInt64.self)`, `load(UInt64.self`, `: UInt64 = reader.read()`, `readVariable()`, `Double`. One that is
# compared before has `// bounded: REASON` on the line or the one above.
function flush_file(   line, place, rest, word, isBounded) {
    if (!reads) return
    for (line = 1; line <= count; line++) {
        if (text[line] ~ /^ *\/\//) continue
        isBounded = text[line] ~ /\/\/ bounded: ./ || text[line - 1] ~ /\/\/ bounded: ./
        if (isBounded) continue
        rest = text[line]
        while (match(rest, /(^|[^A-Za-z0-9_.])(Int|Int8|Int16|Int32|Int64|UInt|UInt8|UInt16|UInt32)\(/)) {
            rest = substr(rest, RSTART + RLENGTH)
            word = rest
            sub(/[^A-Za-z0-9_].*/, "", word)
            if (rest ~ /^(exactly|clamping|truncatingIfNeeded|bitPattern|littleEndian|bigEndian):/) continue
            if (word in wide && rest ~ ("^" word "[^A-Za-z0-9_:(]") || rest ~ /^[A-Za-z]+\.(load|loadUnaligned)\([^)]*UInt64\.self/) {
                printf "%s:%d: %s may be more than fits: use Int(exactly:), or say `// bounded: REASON`\n", file, line, word
            }
        }
    }
}

FNR == 1 {
    if (NR > 1) flush_file()
    file = FILENAME
    count = 0
    reads = 0
    split("", wide)
}

{
    text[++count] = $0
    if ($0 ~ /ByteReader|loadUnaligned|\.load\(/) reads = 1
    rest = $0
    while (match(rest, /(let|var) [A-Za-z_][A-Za-z0-9_]*( = [A-Za-z_.]*(read|load|loadUnaligned)\((UInt64|Double|Float)\.self| = [A-Za-z_.]*readVariable\(\)|: (UInt64|Double|Float)[ ?]*= [A-Za-z_.]*read\()/)) {
        word = substr(rest, RSTART + 4)
        rest = substr(rest, RSTART + RLENGTH)
        sub(/[^A-Za-z0-9_].*/, "", word)
        wide[word] = 1
    }
}

END { flush_file() }
