"""Asks Earshot and other programs the same questions, and writes the table of what each finds, and what that costs.

Called by `scripts/benchmark peers`, which says what it wants and makes.
"""
import argparse
import collections
import csv
import json
import os
import re
import resource
import shutil
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent

Answer = collections.namedtuple("Answer", "reference offset score")
Query = collections.namedtuple("Query", "id path length truth offset condition")


def say(text):
    print(f"peers: {text}", file=sys.stderr, flush=True)


def processor_time():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def run(*command, **options):
    """Runs a program on one core, and returns its standard output. Ends all with its errors if it fails."""
    pin = ["taskset", "-c", "0"] if shutil.which("taskset") else []
    done = subprocess.run([*pin, *map(str, command)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace", **options)
    if done.returncode not in harmless(command):
        sys.exit(f"peers: {Path(str(command[0])).name} ended with {done.returncode}: {done.stderr[-2000:].strip() or done.stdout[-2000:].strip()}")
    return done.stdout


def harmless(command):
    """The statuses that are no failure: `earshot` says with 3 that nothing matched, `fpcalc` 1.5 that a file ended."""
    name = Path(str(command[0])).name
    return (0, 3) if name == "fpcalc" or "earshot" in name else (0,)


def bytes_of(path):
    path = Path(path)
    return path.stat().st_size if path.is_file() else sum(each.stat().st_size for each in path.rglob("*") if each.is_file())


class Earshot:
    """`earshot catalog create`, and one `earshot identify` for all queries."""

    def __init__(self, program):
        self.name, self.program = "Earshot", program

    def index(self, references, folder):
        self.catalog = folder / "references.earcat"
        wave = folder / "references"
        wave.mkdir()
        for name, path in references.items():
            (wave / f"{name}.wav").symlink_to(path)
        run(self.program, "catalog", "create", wave, "-o", self.catalog)
        return bytes_of(self.catalog)

    def ask(self, queries, folder):
        by_path = {str(query.path): query.id for query in queries}
        answers = {}
        for line in run(self.program, "identify", "--catalog", self.catalog, "--jsonl", *by_path).splitlines():
            clip = json.loads(line)
            if "error" in clip:
                sys.exit(f"peers: earshot: {clip['clip']}: {clip['error']['message']}")
            if clip["matches"]:
                best = clip["matches"][0]
                answers[by_path[clip["clip"]]] = Answer(Path(best["id"]).stem, best["offset"], best["score"])
        return answers


class Audfprint:
    """A checkout of audfprint: `new`, and one `match` for all queries."""

    def __init__(self, checkout, python, name="audfprint", settings=()):
        self.name, self.settings = name, [*settings]
        self.command = [python, Path(checkout) / "audfprint.py"]

    def index(self, references, folder):
        self.database, listing = folder / "database.pklz", folder / "references.txt"
        listing.write_text("".join(f"{path}\n" for path in references.values()))
        self.names = {str(path): name for name, path in references.items()}
        run(*self.command, "new", "--dbase", self.database, *self.settings, "--list", listing)
        return bytes_of(self.database)

    # It says where the query begins in the reference, and how many hashes agree.
    found = re.compile(r"^Matched (.+\.wav) [0-9.]+ sec [0-9]+ raw hashes as (.+\.wav) at +([-0-9.]+) s with +([0-9]+) of ")

    def ask(self, queries, folder):
        listing = folder / "queries.txt"
        listing.write_text("".join(f"{query.path}\n" for query in queries))
        by_path = {str(query.path): query.id for query in queries}
        answers = {}
        for line in run(*self.command, "match", "--dbase", self.database, *self.settings, "--list", listing).splitlines():
            if parts := self.found.match(line):
                answers[by_path[parts[1]]] = Answer(self.names[parts[2]], float(parts[3]), float(parts[4]))
        return answers


class Olaf:
    """The core of a checkout of Olaf, compiled here. It reads samples, which ffmpeg makes of each file, as its own command does."""

    # What its Makefile compiles for `compile_core`.
    parts = (
        "pffft midl mdb hash-table queue olaf_deque olaf_max_filter_perceptual_van_herk olaf olaf_fp_file_writer olaf_db olaf_fp_db_writer "
        "olaf_fp_db_writer_cache olaf_ep_extractor olaf_fp_extractor olaf_reader_stream olaf_runner olaf_stream_processor olaf_fp_matcher olaf_config"
    ).split()

    def __init__(self, checkout, folder, name="Olaf", changes=()):
        self.name = name
        sources = folder / "sources"
        shutil.copytree(Path(checkout) / "src", sources)
        configuration = sources / "olaf_config.c"
        text = configuration.read_text()
        for old, new in changes:
            # The first is that of the settings by default.
            if old not in text:
                sys.exit(f"peers: {name}: there is no `{old}` in {configuration}: this version of Olaf is not known.")
            text = text.replace(old, new, 1)
        configuration.write_text(text)
        self.program = folder / "olaf"
        files = [sources / f"{part}.c" for part in self.parts if (sources / f"{part}.c").exists()]
        run("gcc", "-std=gnu11", "-O2", "-w", "-o", self.program, *files, "-lm", "-pthread")

    def samples(self, path, folder):
        raw = folder / f"{Path(path).stem}.raw"
        run("ffmpeg", "-nostdin", "-v", "error", "-y", "-i", path, "-ac", "1", "-ar", "16000", "-f", "f32le", raw)
        return raw

    def index(self, references, folder):
        self.home = {**os.environ, "HOME": str(folder)}
        database = folder / ".olaf" / "db"
        database.mkdir(parents=True)
        for name, path in references.items():
            raw = self.samples(path, folder)
            run(self.program, "store", raw, name, env=self.home)
            raw.unlink()
        return bytes_of(database)

    def ask(self, queries, folder):
        answers = {}
        for query in queries:
            raw = self.samples(query.path, folder)
            for line in run(self.program, "query", raw, query.id, env=self.home).splitlines():
                fields = [field.strip() for field in line.split(",")]
                # Count, begin and end in the query, name, number, begin and end in the reference; the best comes first.
                if len(fields) == 7 and fields[0].isdigit() and int(fields[0]) > 0:
                    answers[query.id] = Answer(fields[3], float(fields[5]) - float(fields[1]), float(fields[0]))
                    break
            raw.unlink()
        return answers


class Panako:
    """A program file of Panako, which its own build makes, run by Java."""

    def __init__(self, archive):
        self.name, self.command = "Panako", ["java", "--add-opens=java.base/java.nio=ALL-UNNAMED", "-jar", archive]

    def index(self, references, folder):
        self.home = {**os.environ, "HOME": str(folder), "JAVA_TOOL_OPTIONS": f"-Duser.home={folder}"}
        self.names = {str(path): name for name, path in references.items()}
        run(*self.command, "store", *self.names, env=self.home)
        return bytes_of(folder)

    def ask(self, queries, folder):
        by_path = {str(query.path): query.id for query in queries}
        answers = {}
        for line in run(*self.command, "query", *by_path, env=self.home).splitlines():
            fields = [field.strip() for field in line.split(";")]
            # Number, of, query, begin, end, reference, its number, begin, end, score, …
            if len(fields) > 9 and fields[2] in by_path and fields[5] in self.names:
                answers.setdefault(by_path[fields[2]], Answer(self.names[fields[5]], float(fields[7]) - float(fields[3]), float(fields[9])))
        return answers


class Chromaprint:
    """`fpcalc -raw`, and the place of each reference where the fewest bits differ: fpcalc itself looks nothing up, so this is the most
    that an index of its fingerprints could find. The comparison is not counted."""

    rate = 11025 / 1365  # words of a fingerprint a second
    most = 10  # bits of 32 that may differ, as in Chromaprint's own matcher

    def __init__(self, numpy):
        self.name, self.numpy = "Chromaprint", numpy

    def words(self, path):
        for line in run("fpcalc", "-raw", "-length", "0", path).splitlines():
            if line.startswith("FINGERPRINT="):
                return self.numpy.array([int(word) for word in line[12:].split(",") if word], dtype=self.numpy.uint32)
        return self.numpy.zeros(0, dtype=self.numpy.uint32)

    def index(self, references, folder):
        self.references = {name: self.words(path) for name, path in references.items()}
        return sum(words.nbytes for words in self.references.values())

    def ask(self, queries, folder):
        return {query.id: answer for query in queries if (answer := self.nearest(self.words(query.path)))}

    def nearest(self, words):
        numpy, best = self.numpy, None
        if len(words) < 2:
            return None
        for name, reference in self.references.items():
            if len(reference) < len(words):
                continue
            windows = numpy.lib.stride_tricks.sliding_window_view(reference, len(words))
            different = windows ^ words
            bits = numpy.unpackbits(different.view(numpy.uint8), axis=1).sum(axis=1) / len(words)
            place = int(bits.argmin())
            if best is None or bits[place] < -best.score:
                best = Answer(name, place / self.rate, -float(bits[place]))
        return best if best and -best.score <= self.most else None


def outcome(queries, answers):
    """Shares of the known queries, in percent: right, and still right above the best answer to a foreign query of the same length."""
    known = [query for query in queries if query.truth]
    foreign = [query for query in queries if not query.truth]
    highest = collections.defaultdict(lambda: float("-inf"))
    for query in foreign:
        if answer := answers.get(query.id):
            highest[query.length] = max(highest[query.length], answer.score)

    def right(query):
        answer = answers.get(query.id)
        return answer is not None and answer.reference == query.truth

    def placed(query):
        return right(query) and abs(answers[query.id].offset - query.offset) <= 0.5

    def share(hold):
        return 100 * sum(map(hold, known)) / max(1, len(known))

    return {
        "placed": share(placed),
        "reference": share(right),
        "wrong": share(lambda query: query.id in answers and not right(query)),
        "foreign": sum(query.id in answers for query in foreign),
        "sure": share(lambda query: placed(query) and answers[query.id].score > highest[query.length]),
    }


def seconds_of(path):
    told = subprocess.run(
        ["ffprobe", "-v", "error", "-show_entries", "format=duration", "-of", "csv=p=0", path], stdout=subprocess.PIPE, text=True, check=True,
    )
    return float(told.stdout)


def read_kit(folder, lengths):
    """The references by their names, and the queries. Ends all with what is missing."""
    for table in ("manifest.csv", "queries/queries.csv"):
        if not (folder / table).is_file():
            sys.exit(f"peers: {folder} has no {table}: name a folder with references and queries (`scripts/benchmark --help`).")
    with open(folder / "manifest.csv", newline="", encoding="utf-8") as file:
        references = {row["id"]: (folder / row["wav"]).resolve() for row in csv.DictReader(file) if row["role"] == "reference"}
    queries = []
    with open(folder / "queries" / "queries.csv", newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            length = float(row["length_s"])
            if not lengths or length in lengths:
                path = next((each for each in (folder / row["path"], folder / "queries" / row["path"]) if each.exists()), None)
                if path is None:
                    sys.exit(f"peers: the query {row['path']} is not in {folder}: make the queries again.")
                truth = row["true_id"].strip()
                queries.append(Query(row["query_id"], path.resolve(), length, truth, float(row["true_offset_s"] or 0) if truth else None, row["condition"]))
    if not references or not queries:
        sys.exit(f"peers: {folder} has {len(references)} references and {len(queries)} queries: both are wanted.")
    return references, queries


def python_for_audfprint(checkout):
    """A virtual environment with the versions of numpy that audfprint works with."""
    folder = ROOT / ".build" / "audfprint"
    python = folder / "bin" / "python"
    if not python.exists():
        say("installing what audfprint needs")
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
        subprocess.run([python, "-m", "pip", "install", "-q", "numpy<2", "scipy", "docopt", "joblib", "psutil"], check=True)
    return python


def peers(options, work):
    yield Earshot(options.earshot)
    if options.audfprint:
        python = python_for_audfprint(options.audfprint)
        yield Audfprint(options.audfprint, python)
        yield Audfprint(options.audfprint, python, "audfprint, dense", ["--density", "100", "--fanout", "5", "--bucketsize", "200"])
    if options.olaf:
        yield Olaf(options.olaf, made(work / "olaf"))
        yield Olaf(
            options.olaf, made(work / "olaf-pairs"), "Olaf, pairs",
            [("numberOfEPsPerFP=3", "numberOfEPsPerFP=2"), ("maxEventPointUsages = 10", "maxEventPointUsages = 20")],
        )
    if options.panako:
        yield Panako(options.panako)
    if shutil.which("fpcalc"):
        try:
            import numpy
        except ImportError:
            say("Chromaprint is left out: its comparison wants numpy (python3-numpy)")
        else:
            yield Chromaprint(numpy)
    else:
        say("Chromaprint is left out: there is no fpcalc (libchromaprint-tools)")


def made(folder):
    folder.mkdir(parents=True)
    return folder


def main():
    parser = argparse.ArgumentParser(prog="scripts/benchmark peers", description=__doc__.splitlines()[0])
    parser.add_argument("kit", type=Path)
    parser.add_argument("--earshot", default=os.environ.get("EARSHOT", ROOT / ".build/release/earshot"))
    parser.add_argument("--audfprint", type=Path, metavar="CHECKOUT")
    parser.add_argument("--olaf", type=Path, metavar="CHECKOUT")
    parser.add_argument("--panako", type=Path, metavar="FILE.jar")
    parser.add_argument("--length", type=float, action="append", default=[], metavar="SECONDS", help="only queries of this length; may be given more than once")
    parser.add_argument("--output", type=Path, default=Path("benchmark-output"))
    options = parser.parse_args()
    if not os.access(options.earshot, os.X_OK):
        sys.exit(f"peers: there is no program {options.earshot}: run `swift build -c release --product earshot`, or name one with --earshot.")
    references, queries = read_kit(options.kit, options.length)
    hours = sum(map(seconds_of, references.values())) / 3600
    work = options.output / "peers"
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    work = work.resolve()

    known = sum(bool(query.truth) for query in queries)
    head = f"{len(references)} references, {hours:.1f} h; {known} queries of them, damaged, and {len(queries) - known} of other music; one core"
    lines = [
        head, "",
        "| program | right place | and no false answer | right reference | wrong reference | false answers | CPU s an hour indexed | MB an hour | CPU ms a query |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    figures = {"references": len(references), "hours": hours, "known": known, "foreign": len(queries) - known, "programs": {}}
    for peer in peers(options, work):
        folder = made(work / re.sub(r"\W+", "-", peer.name.lower() + "-index"))
        say(f"{peer.name}: {len(references)} references")
        before = processor_time()
        size = peer.index(references, folder)
        indexing = (processor_time() - before) / hours
        say(f"{peer.name}: {len(queries)} queries")
        before, begin = processor_time(), time.monotonic()
        answers = peer.ask(queries, folder)
        asking = 1000 * (processor_time() - before) / len(queries)
        say(f"{peer.name}: done in {time.monotonic() - begin:.0f} s")
        result = outcome(queries, answers)
        conditions = {
            name: outcome([query for query in queries if query.condition == name or not query.truth], answers)["sure"]
            for name in dict.fromkeys(query.condition for query in queries if query.truth)
        }
        figures["programs"][peer.name] = {
            **result, "conditions": conditions, "indexSecondsAnHour": indexing, "bytesAnHour": size / hours, "queryMilliseconds": asking,
        }
        lines.append(
            f"| {peer.name} | {result['placed']:.1f} % | {result['sure']:.1f} % | {result['reference']:.1f} % | {result['wrong']:.1f} % "
            f"| {result['foreign']} of {len(queries) - known} | {indexing:.1f} | {size / hours / 1e6:.2f} | {asking:.0f} |"
        )
        print(lines[-1], file=sys.stderr, flush=True)
    names = list(figures["programs"])
    lines += ["", "Right place with no false answer, by what was done to the recording, %:", "", "| | " + " | ".join(names) + " |", "|---" * (len(names) + 1) + "|"]
    for condition in figures["programs"][names[0]]["conditions"]:
        lines.append(f"| {condition} | " + " | ".join(f"{figures['programs'][name]['conditions'][condition]:.0f}" for name in names) + " |")
    (options.output / "peers.md").write_text("\n".join(lines) + "\n")
    (options.output / "peers.json").write_text(json.dumps(figures, indent=2) + "\n")
    print("\n".join(lines))
    shutil.rmtree(work)


if __name__ == "__main__":
    main()
