"""What fails of a cluster: nodes, lines, the database."""
import random
import signal
import threading
import time

from cluster.surroundings import SIGNATURE, Cluster, Load, Songs, check, fill, say, settled


def kills(folder, rounds="20"):
    rounds = int(rounds)
    songs = Songs(folder / "songs", 60)
    with Cluster(folder) as cluster:
        # When each was acknowledged.
        acknowledged, tried = {}, set()
        counts = {"queries": 0, "right": 0, "refused": 0, "broken": 0, "wrong": 0, "false nothing": 0, "late": 0}
        lock, stop = threading.Lock(), threading.Event()
        down = set()
        killed_at = [0.0]

        def alive(rng):
            with lock:
                return rng.choice([n for n in cluster.nodes if n not in down])

        def adding():
            rng = random.Random(1)
            for number in range(50):
                while not stop.is_set():
                    node = alive(rng)
                    tried.add(number)
                    answer = cluster.add(node, f"song-{number}", songs.whole[number])
                    # Whoever was not answered asks again: what is there already is told as such.
                    if answer and answer[0] in (200, 201):
                        with lock:
                            acknowledged[number] = time.time()
                        break
                    time.sleep(0.05)
                time.sleep(max(0.05, rounds * 1.5 / 60))

        def asking(seed):
            rng = random.Random(seed)
            while not stop.is_set():
                number = rng.randrange(60)
                node = alive(rng)
                begin = time.time()
                found = cluster.find(node, songs.query[number])
                with lock:
                    counts["queries"] += 1
                    since = acknowledged.get(number)
                    if found is None:
                        counts["broken" if node in down or begin < killed_at[0] else "wrong"] += 1
                    elif found == "refused":
                        counts["refused" if node not in down else "broken"] += 1
                    elif found and found[0] == f"song-{number}":
                        counts["right"] += 1
                    elif found:
                        counts["wrong"] += 1
                    elif since and begin - since > 2:
                        counts["false nothing"] += 1
                    else:
                        counts["late" if since else "right"] += 1

        threads = [threading.Thread(target=adding)] + [threading.Thread(target=asking, args=(s,)) for s in range(4)]
        for thread in threads:
            thread.start()
        rng = random.Random(9)
        for _ in range(rounds):
            time.sleep(rng.uniform(0.3, 1.2))
            node = rng.choice(cluster.nodes)
            with lock:
                down.add(node)
                killed_at[0] = time.time()
            node.stop(signal.SIGKILL)
            node.start()
            end = time.time() + 20
            while time.time() < end and cluster.ask(node, "GET", "/ready") != (200, {"status": "ready"}):
                time.sleep(0.05)
            with lock:
                down.discard(node)
        threads[0].join(60)
        stop.set()
        for thread in threads:
            thread.join()
        print(f"  {rounds} kills, {len(acknowledged)} additions acknowledged; {counts}")
        check("no answer was wrong", counts["wrong"] == 0)
        check("nobody was told that nothing matches what had been there for two seconds", counts["false nothing"] == 0)
        check("of the requests to living nodes 1 % at most were refused", counts["refused"] <= counts["queries"] / 100)
        check("all additions were acknowledged", len(acknowledged) == 50)
        expected = {n: f"song-{n}" if n < 50 else None for n in range(60)}
        wrong = settled(cluster, cluster.nodes, songs, expected)
        check(f"every node finds what was acknowledged, and nothing else {wrong[:3]}", not wrong)


def database(folder, rounds="5"):
    songs = Songs(folder / "songs", 40)
    with Cluster(folder, 2) as cluster:
        acknowledged, stop, silent = [], threading.Event(), []
        # So many of them are two seconds old: without the database a node knows of nothing younger.
        known = [0]

        def adding():
            rng = random.Random(1)
            for number in range(40):
                while not stop.is_set():
                    answer = cluster.add(rng.choice(cluster.nodes), f"song-{number}", songs.whole[number])
                    if answer and answer[0] in (200, 201):
                        acknowledged.append(number)
                        break
                    time.sleep(0.1)

        def asking():
            rng = random.Random(2)
            while not stop.is_set():
                if known[0]:
                    number = rng.choice(acknowledged[: known[0]])
                    begin = time.time()
                    found = cluster.find(rng.choice(cluster.nodes), songs.query[number])
                    silent.append((found, f"song-{number}", time.time() - begin))

        threads = [threading.Thread(target=adding), threading.Thread(target=asking)]
        for thread in threads:
            thread.start()
        for _ in range(int(rounds)):
            time.sleep(0.5)
            count = len(acknowledged)
            time.sleep(2.2)
            known[0] = count
            cluster.database.kill()
            time.sleep(2)
            ready = [cluster.ask(node, "GET", "/ready") for node in cluster.nodes]
            cluster.database.start()
        threads[0].join(120)
        stop.set()
        threads[1].join()
        print(f"  /ready while it was away: {ready}")
        check("nodes say that they recognize", all(r == (200, {"status": "recognizing"}) for r in ready))
        check(f"all 40 were acknowledged in the end ({len(acknowledged)})", len(acknowledged) == 40)
        refused = sum(1 for f, _, _ in silent if f in (None, "refused"))
        wrong = [s for s in silent if s[0] not in (None, "refused") and s[0] != (s[1],)]
        print(f"  {len(silent)} recognitions meanwhile, {refused} refused, longest {max(t for _, _, t in silent):.1f} s")
        check(f"recognition never stopped {wrong[:2]}", refused == 0 and not wrong)
        wrong = settled(cluster, cluster.nodes, songs, {n: f"song-{n}" for n in acknowledged})
        check(f"everything acknowledged is there {wrong[:3]}", not wrong)


def slow(folder, rounds="15"):
    songs = Songs(folder / "songs", 12)
    with Cluster(folder, 3, balanced=True) as cluster:
        fill(cluster, songs, range(12))
        check("all nodes find all", not settled(cluster, cluster.nodes, songs, {n: f"song-{n}" for n in range(12)}))
        node = cluster.nodes[1]
        with Load(cluster, songs, range(12), [cluster.balancer], threads=4) as load:
            def during(phase, seconds):
                load.phase = phase
                time.sleep(seconds)

            during("before", 8)
            begin = cluster.balancer.state()
            node.process.send_signal(signal.SIGSTOP)
            during("the first seconds", 5)
            sent = cluster.balancer.state()["node-2"][1]
            during("standing still", 8)
            more = cluster.balancer.state()["node-2"][1] - sent
            node.process.send_signal(signal.SIGCONT)
            stopped, up = time.time(), None
            load.phase = "again"
            while time.time() < stopped + 30 and up is None:
                state = cluster.balancer.state()["node-2"]
                if state[0].startswith("UP") and state[1] > sent + more:
                    up = time.time() - stopped
                time.sleep(0.1)
            during("again", 3)
            load.phase = "in turns"
            for _ in range(int(rounds)):
                node.process.send_signal(signal.SIGSTOP)
                time.sleep(0.4)
                node.process.send_signal(signal.SIGCONT)
                time.sleep(0.4)
            during("after", 8)
            end = cluster.balancer.state()
        for phase in ("before", "the first seconds", "standing still", "again", "in turns", "after"):
            say(phase, load.told(phase))
        told = load.told()
        print("  requests to the nodes: " + ", ".join(f"{n} {end[n][1] - begin[n][1]}" for n in end))
        check("no answer was wrong, and nobody was told that nothing matches", told["wrong"] == 0 and told["nothing"] == 0)
        check("no request failed that was made once more", told["failed after a retry"] == 0)
        check(f"five seconds after it stopped the node is asked no more ({more} requests)", more == 0)
        check(f"it is asked again {up and round(up, 1)} s after it goes on", up is not None and up < 30)
        before, after = load.told("before"), load.told("in turns")
        check(f"in turns no request waits longer than a turn and twice the usual: {after['p99']} s", after["p99"] <= 0.4 + 2 * before["p99"])


def lines(folder):
    songs = Songs(folder / "songs", 24)
    with Cluster(folder, 2, apart=True) as cluster:
        first, second = cluster.nodes
        fill(cluster, songs, range(8))
        known = {n: f"song-{n}" for n in range(8)}
        check("both nodes find all", not settled(cluster, cluster.nodes, songs, known))
        number = 8

        def add(node, expected):
            nonlocal number
            begin = time.time()
            answer = cluster.add(node, f"song-{number}", songs.whole[number])
            number += 1
            status, name = answer and answer[0], f"node {cluster.nodes.index(node) + 1}"
            check(f"adding at {name}: {status} after {time.time() - begin:.1f} s", status == expected)

        for part, machine in (("database", cluster.database_machine), ("bucket", cluster.store_machine)):
            print(f"  line of node 1 to the {part}", flush=True)
            with Load(cluster, songs, range(8), [first], threads=2) as load:
                load.phase = "before"
                time.sleep(4)
                cluster.network.cut(first.machine, machine)
                load.phase = "cut"
                begin = time.time()
                add(second, 201)
                added = number - 1
                add(first, 503)
                refused = number - 1
                time.sleep(max(0, 20 - (time.time() - begin)))
                ready = cluster.ask(first, "GET", "/ready")
                print(f"  /ready: {str(ready)[:200]}")
                if part == "database":
                    check("node 1 says that it recognizes", ready == (200, {"status": "recognizing"}))
                else:
                    check("node 1 says that a segment is missing", bool(ready) and ready[0] == 503)
                    answer = cluster.find(first, songs.query[added])
                    check(f"what it lacks is not said to be nothing: {answer}", answer == "refused")
                load.phase = "back"
                cluster.network.join(first.machine, machine)
                begin = time.time()
                wrong = settled(cluster, [first], songs, {added: f"song-{added}"}, 60)
                late = time.time() - begin
                check(f"{late:.1f} s after the line is back node 1 finds what was added", not wrong and late <= 5)
                check("and is ready", cluster.until_ready(first, 5))
                time.sleep(2)
            for phase in ("before", "cut", "back"):
                say(phase, load.told(phase))
            told = load.told()
            check(f"questions go on {load.reasons()}", told["right"] == told["queries"])
            # What was refused may have come after all; asking once more tells.
            answer = cluster.add(first, f"song-{refused}", songs.whole[refused])
            check("what was refused is added when it is asked for again", bool(answer) and answer[0] in (200, 201))
            known.update({added: f"song-{added}", refused: f"song-{refused}"})
            wrong = settled(cluster, cluster.nodes, songs, known)
            check(f"both find all {wrong[:3]}", not wrong)


def standby(folder):
    songs = Songs(folder / "songs", 40)
    with Cluster(folder, 2, apart=True, standby=True) as cluster:
        acknowledged, tried, stop = {}, set(), threading.Event()

        def adding():
            rng = random.Random(1)
            for number in range(40):
                while not stop.is_set():
                    tried.add(number)
                    answer = cluster.add(rng.choice(cluster.nodes), f"song-{number}", songs.whole[number])
                    if answer and answer[0] in (200, 201):
                        acknowledged[number] = time.time()
                        break
                    time.sleep(0.1)
                time.sleep(0.25)

        fill(cluster, songs, range(4))
        check("both nodes find all", not settled(cluster, cluster.nodes, songs, {n: f"song-{n}" for n in range(4)}))
        thread = threading.Thread(target=adding, daemon=True)
        with Load(cluster, songs, range(4), cluster.nodes, threads=2) as load:
            load.phase = "without a standby"
            cluster.standby.kill()
            begin = time.time()
            answer = cluster.ask(cluster.nodes[0], "POST", "/v1/references?id=song-39", songs.whole[39], SIGNATURE, 40)
            late = time.time() - begin
            print(f"  without its standby, adding: {answer and answer[0]} after {late:.1f} s", flush=True)
            check("nothing is acknowledged that only one server has", answer is None or answer[0] == 503)
            check(f"an addition is answered within 15 s ({late:.1f} s)", answer is not None and late <= 15)
            time.sleep(max(0, 25 - (time.time() - begin)))
            ready = [cluster.ask(node, "GET", "/ready") for node in cluster.nodes]
            print(f"  /ready: {ready}")
            check("nodes stay in the balancer", all(r and r[0] == 200 for r in ready))
            cluster.standby.start()
            end = time.time() + 60
            while (cluster.add(cluster.nodes[0], "song-39", songs.whole[39]) or (0,))[0] not in (200, 201) and time.time() < end:
                time.sleep(0.2)
            print(f"  {time.time() - end + 60:.1f} s after it is back, adding goes on", flush=True)
            load.phase = "before"
            thread.start()
            time.sleep(5)
            cluster.database.kill()
            load.phase = "without a database"
            count, killed = len(acknowledged), time.time()
            time.sleep(4)
            check("nothing is acknowledged without a database", not [t for t in acknowledged.values() if t > killed + 0.5])
            cluster.standby.promote()
            load.phase, promoted = "promoted", time.time()
            end = time.time() + 30
            while len(acknowledged) == count and time.time() < end:
                time.sleep(0.02)
            check(f"the first addition after the promotion took {time.time() - promoted:.1f} s", len(acknowledged) > count)
            thread.join(90)
            stop.set()
        phases = ("without a standby", "before", "without a database", "promoted")
        told = [load.told(p) for p in phases]
        for phase, t in zip(phases, told):
            say(phase, t)
        check(f"recognition never stopped {load.reasons()}", all(t["right"] == t["queries"] for t in told))
        check(f"{count} were acknowledged before it was killed, {len(acknowledged)} of 40 in the end", len(acknowledged) == 40)
        wrong = settled(cluster, cluster.nodes, songs, {n: f"song-{n}" for n in acknowledged})
        check(f"everything acknowledged is there {wrong[:3]}", not wrong)
        rows = cluster.standby.ask("SELECT count(*), count(DISTINCT name) FROM catalog_reference")
        check(f"each is there once ({rows})", rows == "40|40")
