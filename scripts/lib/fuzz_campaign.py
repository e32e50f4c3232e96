"""Runs the fuzz targets that are built in turns, for as long as it is left running, and counts what each has had.

    fuzz_campaign.py [--minutes N] [--turn SECONDS] [--at-once N] [target…]

Processors that nothing else wants are used, those of idle priority. The target that has had the least runs next. Seconds of processor
time are in Fuzz/times.json, which is kept under version control, so that a campaign goes on for weeks and on other machines. A failed target is
named and not run again.
"""
import argparse
import json
import os
import subprocess
import sys
import threading
import time
from pathlib import Path

FUZZ = Path(__file__).resolve().parent.parent.parent / "Fuzz"
TIMES = FUZZ / "times.json"
# A case is slow by the clock, and a target of idle priority may wait for long: this finds only what never ends.
LIMITS = ["-timeout=600", "-report_slow_units=600", "-rss_limit_mb=2048", "-max_len=65536", "-verbosity=0"]


def read_times():
    return json.loads(TIMES.read_text()) if TIMES.exists() else {}


def write_times(times):
    partial = TIMES.with_suffix(".partial")
    partial.write_text(json.dumps({name: round(seconds) for name, seconds in sorted(times.items())}, indent=4) + "\n")
    partial.rename(TIMES)


def idle():
    """The priority of the child: only what nobody else wants. Linux weighs sessions before it weighs what runs in them."""
    os.nice(19)
    os.setsid()
    try:
        Path("/proc/self/autogroup").write_text("19")
    except OSError:
        pass
    if hasattr(os, "SCHED_IDLE"):
        os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))


def folders_of(target):
    """What a target learns goes to the first; it reads them all."""
    corpus = FUZZ / ".corpus" / target
    corpus.mkdir(parents=True, exist_ok=True)
    (FUZZ / ".failures" / target).mkdir(parents=True, exist_ok=True)
    folders = [corpus]
    if (FUZZ / "Seeds" / target).is_dir():
        folders.append(FUZZ / "Seeds" / target)
    archive = FUZZ / "Corpora" / f"{target}.tar.gz"
    if archive.exists():
        kept = FUZZ / ".corpus" / f"{target}.kept"
        if not kept.is_dir():
            subprocess.run([sys.executable, Path(__file__).with_name("fuzz_corpus.py"), "unpack", archive, kept], check=True)
        folders.append(kept)
    return folders


def run(target, seconds):
    """Runs a target for a turn. Returns its seconds of processor time and its exit status."""
    command = [FUZZ / ".build/release" / target, f"-max_total_time={seconds}", *LIMITS, f"-artifact_prefix={FUZZ}/.failures/{target}/"]
    folders = folders_of(target)
    with open(FUZZ / ".corpus" / f"{target}.log", "ab") as log:
        process = subprocess.Popen(
            [*command, *folders], stdout=log, stderr=log, preexec_fn=idle,
            env={"ASAN_OPTIONS": "detect_leaks=0", **os.environ},
        )
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    return usage.ru_utime + usage.ru_stime, process.returncode


class Campaign:
    def __init__(self, targets, turn, until):
        self.turn, self.until = turn, until
        self.times = {**{target: 0 for target in targets}, **read_times()}
        self.waiting, self.running, self.failed = set(targets), set(), []
        self.lock = threading.Lock()

    def work(self):
        while time.monotonic() < self.until:
            with self.lock:
                free = self.waiting - self.running
                if not free:
                    return
                target = min(free, key=lambda name: (self.times.get(name, 0), name))
                self.running.add(target)
            turn = max(1, min(self.turn, int(self.until - time.monotonic())))
            seconds, status = run(target, turn)
            with self.lock:
                self.running.discard(target)
                self.times[target] = self.times.get(target, 0) + seconds
                write_times(self.times)
                if status:
                    self.waiting.discard(target)
                    self.failed.append(target)
                    print(f"fuzz: {target} failed with {status}; the input is in Fuzz/.failures/{target}", file=sys.stderr, flush=True)
                print(f"fuzz: {target} {seconds:.0f} s more, {self.times[target] / 60:.1f} minutes in all", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--minutes", type=float, default=60, help="ends after this time (default: 60)")
    parser.add_argument("--turn", type=int, default=120, metavar="SECONDS", help="how long a target runs before the next one (default: 120)")
    parser.add_argument("--at-once", type=int, default=os.cpu_count() or 1, metavar="N", help="targets at a time (default: the processors)")
    parser.add_argument("targets", nargs="*", help="targets (default: all that are built)")
    options = parser.parse_args()
    built = {path.name for path in (FUZZ / "Sources").glob("Fuzz*") if (FUZZ / ".build/release" / path.name).is_file()}
    targets = options.targets or sorted(built)
    for target in targets:
        if target not in built:
            sys.exit(f"fuzz: {target} is not built: run `scripts/fuzz 1 {target}` first.")
    if not targets:
        sys.exit("fuzz: no target is built: run `scripts/fuzz 1` first.")
    campaign = Campaign(targets, options.turn, time.monotonic() + options.minutes * 60)
    threads = [threading.Thread(target=campaign.work) for _ in range(max(1, options.at_once))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    sys.exit(1 if campaign.failed else 0)


if __name__ == "__main__":
    main()
