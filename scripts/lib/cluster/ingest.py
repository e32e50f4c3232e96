"""References of many files, made by several workers that share one list."""
import json
import os
import signal
import subprocess
import time
from pathlib import Path

from cluster.surroundings import EARSHOT, Cluster, check


def made_up_signatures(folder, count):
    """Writes signature files of drawn landmarks, by Docs/formats/signature.md, and a list of them. Returns the list and the bytes of one."""
    import numpy
    table = numpy.arange(256, dtype=numpy.uint32)
    for _ in range(8):
        table = numpy.where(table & 1, (table >> 1) ^ numpy.uint32(0x82F63B78), table >> 1)
    blocks, density = 12, 40
    head = (b"EARSHSIG" + (1).to_bytes(2, "little") + bytes(2) + (1).to_bytes(4, "little") + blocks.to_bytes(8, "little")
            + (1).to_bytes(4, "little") + blocks.to_bytes(4, "little") + (blocks * density).to_bytes(4, "little") + bytes([density]) * blocks)
    names, first = [], None
    for start in range(0, count, 1_000):
        size = min(1_000, count - start)
        rng = numpy.random.default_rng(start)
        # The bits of a landmark are in the order by which landmarks ascend.
        marks = numpy.sort((rng.integers(0, 512, (size, blocks, density)) << 15) | (rng.integers(0, 1_920, (size, blocks, density)) << 4)
                           | rng.integers(0, 5, (size, blocks, density)), axis=2).reshape(size, -1).astype("<u4")
        body = marks.view(numpy.uint8).reshape(size, -1, 4)[:, :, :3].reshape(size, -1)
        data = numpy.concatenate([numpy.tile(numpy.frombuffer(head, numpy.uint8), (size, 1)), body], axis=1)
        sums = numpy.full(size, 0xFFFFFFFF, numpy.uint32)
        for column in data.T:
            sums = table[(sums ^ column) & 0xFF] ^ (sums >> 8)
        data = numpy.concatenate([data, (~sums).astype("<u4").view(numpy.uint8).reshape(size, 4)], axis=1)
        place = Path(folder) / f"{start // 1_000:04}"
        place.mkdir(parents=True)
        for number in range(size):
            name = f"{place.name}/{number:03}.earsig"
            (Path(folder) / name).write_bytes(data[number].tobytes())
            names.append(name)
        first = first or data[0].tobytes()
    listed = Path(folder) / "files.txt"
    listed.write_text("\n".join(names) + "\n")
    return listed, first


def ingest(folder, count="4000"):
    count = int(count)
    listed, first = made_up_signatures(folder / "songs", count)
    with Cluster(folder, 1, settings={"EARSHOT_CATALOG": "three"}) as cluster:
        shared = ["--bucket", cluster.environment["EARSHOT_BUCKET"], "--database", cluster.environment["EARSHOT_DATABASE"], "--jobs", "1", "--json"]
        environment = {name: value for name, value in {**os.environ, **cluster.environment}.items() if name != "EARSHOT_CATALOG"}

        def number(sql):
            return int(cluster.database.ask(sql) or 0)

        def started(*arguments):
            return subprocess.Popen([EARSHOT, "catalog", *map(str, arguments), *shared], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                    env=environment)

        def references(catalog):
            return number(f"SELECT count(*) FROM catalog_reference WHERE catalog = '{catalog}'")

        def left(catalog):
            return number(f"SELECT count(*) FROM catalog_file WHERE catalog = '{catalog}'")

        def whole(catalog):
            live = number(f"SELECT sum(reference_count) FROM catalog_segment WHERE catalog = '{catalog}' AND dropped IS NULL")
            counted = number(f"SELECT added FROM catalog_ingest WHERE catalog = '{catalog}'")
            check(f"{catalog}: each of {count} files is one reference ({references(catalog)} names, {live} in segments, {counted} counted)",
                  references(catalog) == live == counted == count and left(catalog) == 0)

        begin = time.time()
        one = started("create", "--list", listed, "-o", "one")
        while not (entered := number("SELECT entered FROM catalog_ingest WHERE catalog = 'one'")) and one.poll() is None:
            time.sleep(0.05)
        print(f"  {entered} files are entered after {time.time() - begin:.1f} s")
        output, errors = one.communicate()
        single = time.time() - begin
        check(f"one worker ends {errors[-300:]}", one.returncode == 0)
        whole("one")

        begin = time.time()
        workers = [started("create", "--list", listed, "-o", "three")]
        while not left("three") and workers[0].poll() is None:
            time.sleep(0.05)
        workers += [started("work", "three") for _ in range(2)]
        # One that holds files, after the first segment.
        while references("three") == 0 and left("three"):
            time.sleep(0.02)
        rest = left("three")
        workers[2].kill()
        check(f"a worker is killed in the middle, with {rest} files left", rest > 0)
        outputs = [worker.communicate() for worker in workers]
        several = time.time() - begin
        check(f"the others end {[errors[-300:] for _, errors in outputs[:2]]}", [w.returncode for w in workers[:2]] == [0, 0])
        whole("three")
        check("both tell of all files", all(json.loads(output)["added"] == count for output, _ in outputs[:2]))
        print(f"  one worker {count / single:.0f} files a second, three of which one was killed {count / several:.0f}")

        stopped = started("create", "--list", listed, "-o", "stopped")
        while references("stopped") == 0 and stopped.poll() is None:
            time.sleep(0.02)
        stopped.send_signal(signal.SIGINT)
        output, errors = stopped.communicate()
        held = number("SELECT count(*) FROM catalog_file WHERE holder IS NOT NULL")
        check(f"Ctrl-C ends a worker, which holds nothing: {stopped.returncode}, {held} held, {left('stopped')} left {errors[-200:]}",
              stopped.returncode == 130 and held == 0)
        again = started("create", "--list", listed, "-o", "stopped")
        again.communicate()
        whole("stopped")

        node = cluster.nodes[0]
        end = time.time() + 60
        while cluster.find(node, first) in (None, "refused", ()) and time.time() < end:
            time.sleep(0.3)
        check(f"a node finds what the workers added: {cluster.find(node, first)}", cluster.find(node, first) == ("0000/000.earsig",))
        done = cluster.command("cluster", "check")
        check(f"all objects are whole {done.stderr[-300:]}", done.returncode == 0)
