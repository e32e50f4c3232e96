"""What is done to a cluster that goes well: nodes come, go and are replaced, tokens and quotas hold, time passes."""
import os
import random
import signal
import threading
import time

from cluster.surroundings import EARSHOT, SIGNATURE, Cluster, Load, Songs, check, fill, say, settled


def tokens(folder):
    songs = Songs(folder / "songs", 3)
    with Cluster(folder) as cluster:
        cluster.add(cluster.nodes[0], "song-0", songs.whole[0])
        settled(cluster, cluster.nodes, songs, {0: "song-0"})
        # A new key, made by one node.
        refused = 0
        for node in cluster.nodes * 5:
            client = node.client()
            token = node.token(client)
            for other in cluster.nodes:
                refused += other.ask("GET", "/v1/usage", token)[0] == 401
        check("a token of one node is taken by the others at once", refused == 0)
        client = cluster.nodes[0].client(quota=100)
        token = cluster.nodes[1].token(client)
        admitted, lock = [], threading.Lock()

        def asking(node, count):
            for _ in range(count):
                status = node.ask("POST", "/v1/recognitions", token, songs.query[0], SIGNATURE)[0]
                with lock:
                    admitted.append(status)

        threads = [threading.Thread(target=asking, args=(node, 30)) for node in cluster.nodes for _ in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        # What a node took and did not use is given back each five seconds.
        time.sleep(6)
        for node in cluster.nodes:
            asking(node, 3)
        count = admitted.count(200)
        check(f"of {len(admitted)} recognitions {count} were admitted by a quota of 100", 99 <= count <= 101)


def joins(folder):
    songs = Songs(folder / "songs", 24)
    with Cluster(folder, 3, balanced=True) as cluster:
        fill(cluster, songs, range(24))
        check("all nodes find all", not settled(cluster, cluster.nodes, songs, {n: f"song-{n}" for n in range(24)}))
        with Load(cluster, songs, range(24), [cluster.balancer], threads=3, pause=0.05) as load:
            load.phase = "three nodes"
            time.sleep(8)
            load.phase = "a fourth comes"
            begin = time.time()
            node = cluster.add_node()
            started = time.time() - begin
            # From here on it is asked: not before it has all.
            check("it is ready", cluster.until_ready(node))
            ready = time.time() - begin
            cluster.balancer.reload()
            time.sleep(8)
            sent = cluster.balancer.state()
            load.phase = "the first goes"
            # It ends by itself what is under way; the balancer sees that it is gone.
            cluster.nodes[0].stop()
            time.sleep(8)
            left = cluster.balancer.state()
        for phase in ("three nodes", "a fourth comes", "the first goes"):
            say(phase, load.told(phase))
        print(f"  started in {started:.1f} s, ready after {ready:.1f} s; requests: {sent} and then {left}")
        fetched = sum(f.stat().st_size for f in (node.folder / "segments").rglob("*.earcat"))
        size = int(cluster.database.ask("SELECT sum(size) FROM catalog_segment WHERE dropped IS NULL"))
        check(f"the new node has fetched {fetched} bytes of a catalog of {size}", fetched <= size * 1.2)
        check("it answers", sent["node-4"][1] > 0)
        told = load.told()
        check("no answer was wrong, and nobody was told that nothing matches", told["wrong"] == 0 and told["nothing"] == 0)
        check(f"no request failed {load.reasons()}", told["refused"] == 0 and told["broken"] == 0)
        end = time.time() + 20
        while cluster.database.ask("SELECT count(*) FROM node WHERE until > now()") != "3" and time.time() < end:
            time.sleep(0.2)
        listed = cluster.command("cluster", "status").stdout
        check("`earshot cluster status` shows three nodes", listed.count("searches generation") == 3)


def upgrade(folder):
    old = os.environ.get("EARSHOT_OLD")
    songs = Songs(folder / "songs", 40)
    print(f"  from {old} to {EARSHOT}" if old else "  EARSHOT_OLD names no older program: each node is replaced by the same", flush=True)
    with Cluster(folder, 3, balanced=True, program=old) as cluster:
        fill(cluster, songs, range(12))
        check("all nodes find all", not settled(cluster, cluster.nodes, songs, {n: f"song-{n}" for n in range(12)}))
        acknowledged, refused, stop = [], [], threading.Event()

        def adding():
            for number in range(12, 40):
                while not stop.is_set():
                    answer = cluster.add(cluster.balancer, f"song-{number}", songs.whole[number])
                    if answer and answer[0] in (200, 201):
                        acknowledged.append(number)
                        break
                    refused.append(answer)
                    time.sleep(0.2)
                if stop.is_set():
                    return
                time.sleep(0.4)

        thread = threading.Thread(target=adding, daemon=True)
        with Load(cluster, songs, range(12), [cluster.balancer], threads=3, pause=0.05) as load:
            load.phase = "before"
            time.sleep(5)
            load.phase = "replacing"
            thread.start()
            for number, node in enumerate(cluster.nodes, 1):
                cluster.balancer.set(number, "drain")
                time.sleep(0.5)
                begin = time.time()
                node.stop()
                node.program = EARSHOT
                node.start(node.port)
                check(f"node {number} is replaced in {time.time() - begin:.1f} s", cluster.until_ready(node))
                cluster.balancer.set(number, "ready")
                time.sleep(3)
            load.phase = "after"
            time.sleep(4)
            stop.set()
            thread.join()
        for phase in ("before", "replacing", "after"):
            say(phase, load.told(phase))
        told = load.told()
        check(f"no question failed {load.reasons()}", told["right"] == told["queries"])
        check(f"no addition failed ({len(acknowledged)} acknowledged, refused {refused[:2]})", not refused)
        wrong = settled(cluster, cluster.nodes, songs, {n: f"song-{n}" for n in [*range(12), *acknowledged]})
        check(f"every node finds what was acknowledged {wrong[:3]}", not wrong)
        print("  a newer version has brought the database to its form", flush=True)
        for part in cluster.database.ask("SELECT part FROM earshot_migration ORDER BY part").split():
            cluster.database.ask(f"UPDATE earshot_migration SET step = step + 1 WHERE part = '{part}'")
            done = cluster.command("serve", "--data", str(folder / f"newer-{part}"), "--port", "0", "--log-level", "error")
            told = (done.stdout + done.stderr).strip().splitlines()[-1:]
            cluster.database.ask(f"UPDATE earshot_migration SET step = step - 1 WHERE part = '{part}'")
            check(f"{part}: a node of this version does not start: {told}", done.returncode != 0 and "newer version" in str(told))
        cluster.database.ask("UPDATE earshot_migration SET step = step + 1")
        time.sleep(3)
        wrong = settled(cluster, cluster.nodes, songs, {n: f"song-{n}" for n in range(12)})
        check("nodes that run go on", not wrong)
        cluster.database.ask("UPDATE earshot_migration SET step = step - 1")


def processor_time(processes):
    """Seconds of processes, of their children, and of those that they have ended."""
    total = 0
    for process in processes:
        try:
            children = open(f"/proc/{process}/task/{process}/children").read().split()
            fields = open(f"/proc/{process}/stat").read().rsplit(")", 1)[1].split()
        except OSError:
            continue
        total += sum(int(f) for f in fields[11:15]) / os.sysconf("SC_CLK_TCK")
        total += processor_time(children)
    return total


def throughput(folder, seconds="20"):
    songs = Songs(folder / "songs", 60)
    seconds = float(seconds)
    for count in (1, 3):
        (folder / f"{count}").mkdir(mode=0o755)
        with Cluster(folder / f"{count}", count) as cluster:
            fill(cluster, songs, range(50))
            check("all nodes find all", not settled(cluster, cluster.nodes, songs, {n: f"song-{n}" for n in range(50)}))
            time.sleep(10)
            parts = {"nodes": [n.process.pid for n in cluster.nodes], "PostgreSQL": [cluster.database.process()],
                     "bucket": [p.pid for p in cluster.objects.processes], "asking": [os.getpid()]}
            active = "SELECT active_time, xact_commit FROM pg_stat_database WHERE datname = 'postgres'"
            time.sleep(1)
            database = [float(f) for f in cluster.database.ask(active).split("|")]
            before = {name: processor_time(p) if name != "asking" else time.process_time() for name, p in parts.items()}
            begin = time.time()
            with Load(cluster, songs, range(60), cluster.nodes, threads=6, pause=0) as load:
                time.sleep(seconds)
                took = time.time() - begin
                after = {name: processor_time(p) if name != "asking" else time.process_time() for name, p in parts.items()}
            time.sleep(1)
            then = [float(f) for f in cluster.database.ask(active).split("|")]
            answers = len([a for a in load.answers if a[1] + a[2] <= begin + took])
            times = sorted(a[2] for a in load.answers)
            print(f"  {count} {'node' if count == 1 else 'nodes'}: {answers / took:.0f} questions a second, median {times[len(times) // 2] * 1000:.0f} ms, "
                  f"99 % {times[int(len(times) * 0.99)] * 1000:.0f} ms")
            print("  milliseconds of the processor a question: "
                  + ", ".join(f"{name} {(after[name] - before[name]) / answers * 1000:.2f}" for name in parts))
            print(f"  PostgreSQL worked {(then[0] - database[0]) / took / 10:.1f} % of the time, {(then[1] - database[1]) / took:.0f} transactions a second")
            told = load.told()
            bad = told["wrong"] + told["refused"] + told["broken"]
            check(f"no answer was wrong or refused ({bad})", bad == 0)


def soak(folder, minutes="20"):
    songs = Songs(folder / "songs", 60)
    minutes = float(minutes)
    with Cluster(folder, 3) as cluster:
        fill(cluster, songs, range(30))
        first, second, third = cluster.nodes
        stop, changes = threading.Event(), [0, 0, 0]

        def changing():
            rng = random.Random(5)
            there = set()
            while not stop.is_set():
                number = rng.randrange(30, 60)
                node = rng.choice([first, second])
                if number in there:
                    answer = cluster.ask(node, "DELETE", f"/v1/references/song-{number}")
                    there.discard(number)
                    changes[1] += 1
                else:
                    answer = cluster.add(node, f"song-{number}", songs.whole[number])
                    there.add(number)
                    changes[0] += 1
                if not answer or answer[0] not in (200, 201, 204):
                    changes[2] += 1
                    print(f"  {answer}")
                time.sleep(0.5)

        rows = ("SELECT (SELECT count(*) FROM lease), (SELECT count(*) FROM node), (SELECT count(*) FROM catalog_segment WHERE dropped IS NULL), "
                "(SELECT count(*) FROM catalog_segment WHERE dropped IS NOT NULL), (SELECT count(*) FROM catalog_object), "
                "(SELECT count(*) FROM pg_stat_activity WHERE application_name = 'earshot')")
        samples = []
        thread = threading.Thread(target=changing, daemon=True)
        with Load(cluster, songs, range(30), [first, second], threads=2, pause=0.1) as load:
            thread.start()
            begin, kills = time.time(), 0
            print("  minute; memory in MB, open files, bytes of segments in MB of nodes 1 and 2; rows: leases, nodes, segments, merged ones, objects; connections")
            while time.time() < begin + minutes * 60:
                time.sleep(min(30, minutes * 60 / 12))
                sizes = [sum(f.stat().st_size for f in (n.folder / "segments").rglob("*.earcat")) / 1e6 for n in (first, second)]
                sample = ([n.rss() for n in (first, second)], [n.descriptors() for n in (first, second)], sizes,
                          [int(f) for f in cluster.database.ask(rows).split("|")])
                samples.append(sample)
                print(f"  {(time.time() - begin) / 60:5.1f}; {[round(m) for m in sample[0]]} {sample[1]} {[round(s, 2) for s in sizes]}; {sample[3]}", flush=True)
                # A node that comes again and again under a new name.
                if time.time() - begin > (kills + 1) * max(60, minutes * 10):
                    kills += 1
                    third.stop(signal.SIGKILL)
                    third.start(third.port)
            stop.set()
            thread.join()
        told = load.told()
        say(f"{changes[0]} additions, {changes[1]} removals, {kills} kills", told)
        check("no answer was wrong or refused", told["right"] == told["queries"] and changes[2] == 0)
        third_of = max(1, len(samples) // 3)
        early, late = samples[third_of:2 * third_of] or samples, samples[2 * third_of:]
        for index in (0, 1):
            memory = [sum(s[0][index] for s in part) / len(part) for part in (early, late)]
            check(f"node {index + 1}: memory {memory[0]:.0f} MB in the second third, {memory[1]:.0f} MB in the last", memory[1] <= memory[0] * 1.1 + 10)
            files = [max(s[1][index] for s in part) for part in (early, late)]
            check(f"node {index + 1}: {files[0]} open files at most in the second third, {files[1]} in the last", files[1] <= files[0] * 1.2 + 10)
            # What was merged stays for ten minutes.
            size = max(s[2][index] for s in samples)
            print(f"  node {index + 1}: segments took {size:.1f} MB at most")
        # Nodes that died are listed for a day.
        check(f"rows of leases ({late[-1][3][0]}) and nodes ({late[-1][3][1]}) do not add up", late[-1][3][0] <= 12 and late[-1][3][1] <= 3 + kills)
        check(f"connections do not add up ({late[-1][3][5]})", late[-1][3][5] <= 3 * 10)
