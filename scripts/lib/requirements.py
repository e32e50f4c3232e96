"""Tells which requirements a check proves: `scripts/checks/all` reads the lines, `scripts/checks/requirements` the calls.

    with requirements("R-MR-032", problems=problems):
        song(folder, music)

    @requirements("R-MC-227")
    def place(browser): ...

Prints `R-MR-032: kept` when the work ends well and adds nothing to the list of problems, `R-MR-032: BROKEN` otherwise. How the
check ends is the check's own affair.
"""
import contextlib


@contextlib.contextmanager
def requirements(*ids, problems=()):
    before, verdict = len(problems), "BROKEN"
    try:
        yield
        verdict = "kept" if len(problems) == before else "BROKEN"
    except SystemExit as end:
        verdict = "BROKEN" if end.code else "kept"
        raise
    finally:
        print(f"{', '.join(ids)}: {verdict}", flush=True)
