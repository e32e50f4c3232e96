# Reads the Swift files Sources/MODULE/…, and prints pairs of folders of a module that use each other both ways, and type names
# that are declared in two modules.
#
# Swift has no imports between folders: a folder uses another one when it names a type that only the other one declares at the top
# level, private ones left out. Folders are counted by their first level; the files beside them are the folder ".". Names behind a
# point, names that the folder declares itself at any depth, strings and comments do not count.
#
# Modules in `mixed` may have such pairs, and names in `shared` may occur twice; each is a text of words between spaces.

# A line without strings and comments.
function strip(line) {
    if (inText) {
        if (index(line, "\"\"\"") == 0) return ""
        sub(/^.*"""/, "", line)
        inText = 0
    }
    gsub(/\\\\|\\"/, "", line)
    if (line ~ /"""/) {
        if (line !~ /""".*"""/) inText = 1
        sub(/""".*$/, "", line)
    }
    gsub(/"[^"]*"/, " ", line)
    sub(/\/\/.*$/, "", line)
    return line
}

FNR == 1 {
    inText = 0
    split(FILENAME, part, "/")
    module = part[2]
    folder = part[4] == "" ? "." : part[3]
}

{
    line = strip($0)
    if (line ~ /^[ \t]*$/ || line ~ /^[a-z@() ]*import /) next
    if (match(line, /(struct|class|enum|protocol|actor|typealias|associatedtype) +[A-Z][A-Za-z0-9_]*/)) {
        name = substr(line, RSTART, RLENGTH)
        sub(/^[a-z]+ +/, "", name)
        own[module, folder, name] = 1
        if (line ~ /^[a-z@]/ && line !~ /^(file)?private /) {
            if (!((module, name, folder) in seen)) {
                seen[module, name, folder] = 1
                known = (module, name) in home
                home[module, name] = known ? "*" : folder
            }
            if (!((module, name) in counted)) {
                counted[module, name] = 1
                modules[name] = modules[name] " " module
                moduleCount[name]++
            }
        }
    }
    gsub(/\.\.[.<]/, " ", line)
    gsub(/\.[A-Za-z_][A-Za-z0-9_]*/, " ", line)
    gsub(/[^A-Za-z0-9_]+/, " ", line)
    count = split(line, words, " ")
    for (i = 1; i <= count; i++) {
        if (words[i] ~ /^[A-Z]/) used[module, folder, words[i]] = 1
    }
}

END {
    for (name in moduleCount) {
        if (moduleCount[name] == 1 || index(shared, " " name " ")) continue
        print "the type " name " is declared in" modules[name] ": rename by idea, or share one"
    }
    for (key in used) {
        split(key, k, SUBSEP)
        target = home[k[1], k[3]]
        if (target == "" || target == "*" || target == k[2] || key in own) continue
        edge[k[1], k[2], target] = edge[k[1], k[2], target] " " k[3]
    }
    for (key in edge) {
        split(key, k, SUBSEP)
        if (index(mixed, " " k[1] " ") || k[2] > k[3] || !((k[1], k[3], k[2]) in edge)) continue
        back = edge[k[1], k[3], k[2]]
        print "Sources/" k[1] ": " k[2] " uses" edge[key] " of " k[3] ", and " k[3] " uses" back " of " k[2]
    }
}
