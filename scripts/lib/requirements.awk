# Compares Docs/requirements with what names requirements in code that runs, for scripts/checks/requirements.
#
# Reads the pages, scripts/checks/all, scripts/test, and every file of tests, benchmarks and scripts, in this order. `table` prints a
# line for each requirement: id, proof, and where it is named.

function problem(text) { print "requirements: " text; bad = 1 }

# How many requirements there are of each part. A number that is taken away, or a new one, is a decision.
BEGIN {
    count = split("ACR 197 CC 109 MC 260 MR 140 PC 107", parts, " ")
    for (i = 1; i < count; i += 2) {
        for (number = 1; number <= parts[i + 1]; number++) {
            id = sprintf("R-%s-%03d", parts[i], number)
            order[++all] = id
            known[id] = 1
        }
    }
}

FNR == 1 {
    place = FILENAME
    open = quoted = 0
    kind = "bash"
    if (place ~ /\.md$/) kind = "page"
    else if (place ~ /\.swift$/) kind = "swift"
    else if (place ~ /\.py$/ || $0 ~ /^#!.*python/) kind = "python"
    else if (place ~ /\.awk$/) kind = "none"
    proof = proof_of(place)
}

# The name by which a page calls whatever is in a file.
function proof_of(file,    rest) {
    if (file ~ /^Tests\//) return "test"
    if (file ~ /^Benchmarks\/Sources\//) { rest = substr(file, 20); sub(/\/.*/, "", rest); return "benchmark " rest }
    if (file ~ /^scripts\/lib\/web\//) return "script web"
    if (file ~ /^scripts\/checks\//) return "script " substr(file, 16)
    if (file ~ /^scripts\//) return "script " substr(file, 9)
    return ""
}

kind == "page" {
    if ($0 !~ /^- \*\*R-/) next
    if (!match($0, /^- \*\*R-[A-Z]+-[0-9][0-9][0-9]\*\* [^ ]/)) { problem("not of the form `- **R-XX-000** sentence`: " $0); next }
    id = substr($0, 5, RLENGTH - 8)
    if (id in sentence) problem(id " has two sentences")
    if (!(id in known)) problem(id " is no requirement: the numbers are in scripts/lib/requirements.awk")
    sentence[id] = 1
    rest = substr($0, RLENGTH)
    mark = ""
    if (match(rest, / \*(By|Waived)[^*]*\*$/)) {
        mark = substr(rest, RSTART + 2, RLENGTH - 3)
        rest = substr(rest, 1, RSTART - 1)
    }
    if (rest !~ /\.$/) problem(id ": the sentence does not end with a full stop")
    stated[id] = mark
    next
}

# What is no code names nothing: comments, and texts of several lines in Python.
{
    line = $0
    if (kind == "swift") {
        if (line ~ /^[ \t]*\/\//) next
        if (match(line, /[ \t]\/\/.*$/) && even(substr(line, 1, RSTART))) line = substr(line, 1, RSTART - 1)
    } else if (kind == "python") {
        if (line ~ /^[ \t]*#/) next
        marks = gsub(/"""/, "\"\"\"", line)
        if (marks > 0 || quoted) { if (marks % 2) quoted = !quoted; next }
    } else if (kind == "bash") {
        if (line ~ /^[ \t]*#/) next
    } else next
}

# Which scripts and benchmarks are run by the build machine, and by whoever runs the rest.
place == "scripts/checks/all" || place == "scripts/test" {
    text = line
    while (match(text, /scripts\/(checks\/)?[A-Za-z-]+/)) {
        runs[proof_of(substr(text, RSTART, RLENGTH))] = 1
        text = substr(text, RSTART + RLENGTH)
    }
    # The benchmarks have one script for all of them, with a word for each.
    if (match(line, /scripts\/checks\/benchmarks [a-z]+/)) {
        text = substr(line, RSTART + 26, RLENGTH - 26)
        runs["benchmark " toupper(substr(text, 1, 1)) substr(text, 2)] = 1
    }
    if (place == "scripts/test") runs["script test"] = 1
}

kind == "bash" && match(line, /(^|[ ;])requirements [^ ]+ R-/) { name_all(substr(line, RSTART), "R-[A-Z]+-[0-9]+") }

kind == "swift" || kind == "python" {
    # A list may span lines: read on until its parenthesis closes.
    if (!open) {
        if (!match(line, /requirements\(/)) next
        line = substr(line, RSTART + RLENGTH)
        open = 1
    }
    while (open) {
        close_at = index(line, ")")
        name_all(close_at ? substr(line, 1, close_at - 1) : line, "\"R-[A-Z]+-[0-9]+\"")
        if (!close_at) break
        line = substr(line, close_at + 1)
        open = 0
        if (match(line, /requirements\(/)) { line = substr(line, RSTART + RLENGTH); open = 1 }
    }
}

function even(text) { return gsub(/"/, "", text) % 2 == 0 }

function name_all(text, pattern,    id) {
    while (match(text, pattern)) {
        id = substr(text, RSTART, RLENGTH)
        gsub(/"/, "", id)
        if (!(id in known)) problem(place " names " id ", which is no requirement")
        named[id, proof] = 1
        if (index(places[id] " ", " " place " ") == 0) places[id] = places[id] " " place
        text = substr(text, RSTART + RLENGTH)
    }
}

# Whether each script or benchmark of a mark such as `By script: formats, writes` names the id and is run. The mark has one proof
# or several: each is held to.
function held(id, mark,    kind, names, i, total, reason) {
    if (mark ~ /^By (script|benchmark): [^ ].*\.$/) {
        kind = mark ~ /^By script/ ? "script" : "benchmark"
        sub(/^By [a-z]+: /, "", mark)
        sub(/\.$/, "", mark)
        total = split(mark, names, ", ")
        for (i = 1; i <= total; i++) {
            if (!((id, kind " " names[i]) in named)) problem(id " is said to be proven by the " kind " " names[i] ", which does not name it in code")
            else if (!((kind " " names[i]) in runs)) problem(id ": the " kind " " names[i] " is run by neither scripts/test nor scripts/checks/all")
        }
        return kind
    }
    if (mark ~ /^Waived:/) {
        reason = substr(mark, 8)
        if (length(reason) < 20 || reason !~ /\.$/) problem(id " is waived without a reason")
        return "waived"
    }
    problem(id ": *" mark "* is no proof: *By script: NAME.*, *By benchmark: NAME.* or *Waived: reason.*")
    return "none"
}

END {
    for (i = 1; i <= all; i++) {
        id = order[i]
        if (!(id in sentence)) { problem(id " has no sentence in Docs/requirements"); continue }
        if (stated[id] != "") proven = held(id, stated[id])
        else {
            proven = "test"
            if (!((id, "test") in named)) problem(id " is said to be proven by a test, and no test names it")
        }
        total[proven]++
        if (table) printf "%s\t%s\t%s\n", id, proven, proven == "waived" ? stated[id] : substr(places[id], 2)
    }
    if (bad) exit 1
    if (!table) printf "requirements: %d: %d proven by a test, %d by a script, %d by a benchmark, %d waived\n",
        all, total["test"], total["script"], total["benchmark"], total["waived"]
}
