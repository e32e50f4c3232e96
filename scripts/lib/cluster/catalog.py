"""What happens to the catalog of a cluster: removals during merges, two who merge, damage, a full disk, a restore."""
import os
import random
import shutil
import signal
import subprocess
import threading
import time
from pathlib import Path

from cluster.surroundings import Cluster, Load, Songs, check, fill, say, settled


def deletes(folder, count="100"):
    count = int(count)
    songs = Songs(folder / "songs", count)
    with Cluster(folder, 2) as cluster:
        a, b = cluster.nodes
        for number in range(count):
            answer = cluster.add(cluster.nodes[number % 2], f"song-{number}", songs.whole[number])
            if not answer or answer[0] != 201:
                check(f"song {number} is added: {answer}", False)
                return
        order = list(range(count))
        random.Random(3).shuffle(order)
        gone, found_again = order[: count * 2 // 3], 0
        times = {}
        for number in gone:
            answer = cluster.ask(random.choice(cluster.nodes), "DELETE", f"/v1/references/song-{number}")
            times[number] = time.time()
            if not answer or answer[0] != 204:
                check(f"song {number} is removed: {answer}", False)
        looks, end = 0, time.time() + 10
        while time.time() < end:
            other = random.choice(gone)
            if time.time() - times[other] > 2:
                looks += 1
                found_again += cluster.find(random.choice(cluster.nodes), songs.query[other]) != ()
        check(f"none was found two seconds after it was removed, in {looks} looks", found_again == 0 and looks > 50)
        expected = {n: None if n in times else f"song-{n}" for n in range(count)}
        wrong = settled(cluster, cluster.nodes, songs, expected)
        check(f"in the end the others are found, and only they {wrong[:3]}", not wrong)
        merged = cluster.database.ask("SELECT count(*) FROM catalog_segment WHERE dropped IS NOT NULL")
        check(f"{merged} segments were merged meanwhile", int(merged) > 0)


def bucket(folder):
    songs = Songs(folder / "songs", 12)
    with Cluster(folder, 2) as cluster:
        a, b = cluster.nodes
        for number in range(4):
            cluster.add(a, f"song-{number}", songs.whole[number])
        known = {n: f"song-{n}" for n in range(4)}
        check("both nodes find what was added", not settled(cluster, [a, b], songs, known))
        cluster.objects.kill()
        begin = time.time()
        answer = cluster.add(a, "song-5", songs.whole[5])
        check(f"without the bucket nothing is added: {answer and answer[0]} after {time.time() - begin:.1f} s", bool(answer) and answer[0] == 503)
        check("everything is found", not settled(cluster, [a, b], songs, known))
        answer = cluster.ask(b, "DELETE", "/v1/references/song-3")
        check("references are removed", bool(answer) and answer[0] == 204)
        known[3] = None
        check("and not found", not settled(cluster, [a, b], songs, known))
        # A node that begins anew has all in its folder.
        b.stop(signal.SIGKILL)
        b.start()
        check("a node starts without the bucket", not settled(cluster, [b], songs, known))
        cluster.objects.start()
        end = time.time() + 30
        while time.time() < end and (cluster.add(a, "song-5", songs.whole[5]) or (0,))[0] not in (200, 201):
            time.sleep(0.3)
        known[5] = "song-5"
        check("when it is back, adding goes on", not settled(cluster, [a, b], songs, known))
        # Damage, seen by a node that has to fetch.
        # Nodes merge each five seconds what is due: a merged segment would take the place of the damaged one.
        live, since = [], time.time()
        while time.time() - since < 7:
            now = cluster.database.ask("SELECT object FROM catalog_segment WHERE dropped IS NULL ORDER BY position").split()
            if now != live:
                live, since = now, time.time()
            time.sleep(0.5)
        for what in ("damaged", "cut short"):
            key = f"catalogs/catalog/{live[0]}.earcat"
            whole = cluster.bucket.get_object(Bucket="nodes", Key=key)["Body"].read()
            broken = bytes([whole[0]]) + bytes(255 - b for b in whole[1:64]) + whole[64:] if what == "damaged" else whole[:-7]
            cluster.bucket.put_object(Bucket="nodes", Key=key, Body=broken)
            b.stop(signal.SIGKILL)
            shutil.rmtree(b.folder / "segments")
            b.start()
            time.sleep(3)
            status = cluster.ask(b, "GET", "/ready")
            check(f"an object that is {what} is named: {str(status)[:160]}", bool(status) and status[0] == 503 and live[0][:12] in str(status[1]))
            answers = {cluster.find(b, songs.query[n]) for n in range(6, 12)}
            check(f"nobody is told that nothing matches: {answers}", answers == {"refused"})
            found = {n for n in known if known[n] and cluster.find(b, songs.query[n]) == (known[n],)}
            print(f"  {len(found)} of {sum(1 for n in known if known[n])} are found in the other segments ({len(live)} in all)")
            cluster.bucket.put_object(Bucket="nodes", Key=key, Body=whole)
            wrong = settled(cluster, [b], songs, known, 40)
            check(f"it heals without a restart {wrong[:2]}", not wrong)


def merges(folder):
    songs = Songs(folder / "songs", 14)
    with Cluster(folder, 1, apart=True) as cluster:
        first = cluster.nodes[0]
        # Whatever is due until now is merged, and three segments of the lowest tier are left.
        fill(cluster, songs, range(7))
        time.sleep(11)
        number = 7
        while cluster.database.ask("SELECT count(*) FROM catalog_segment WHERE dropped IS NULL AND reference_count = 1") != "3":
            fill(cluster, songs, [number])
            number += 1
        before = int(cluster.database.ask("SELECT count(*) FROM catalog_segment WHERE dropped IS NOT NULL"))
        known = {n: f"song-{n}" for n in range(number + 1)}
        # The fourth calls for a merge. Without a line to the bucket it lasts, and the holder of the lease can be met.
        fill(cluster, songs, [number])
        cluster.network.cut(first.machine, cluster.store_machine)
        end = time.time() + 20
        while cluster.database.ask("SELECT count(*) FROM lease WHERE name = 'merge/catalog' AND until > now()") != "1" and time.time() < end:
            time.sleep(0.02)
        time.sleep(0.5)
        first.process.send_signal(signal.SIGSTOP)
        held = cluster.database.ask("SELECT holder, fence FROM lease WHERE name = 'merge/catalog' AND until > now()")
        check(f"a node stands still while it holds the lease: {held}", bool(held))
        unnamed = "SELECT count(*) FROM catalog_object o WHERE NOT EXISTS (SELECT FROM catalog_segment s WHERE s.object = o.object)"
        check("it has announced what it merges", cluster.database.ask(unnamed) == "1")
        second = cluster.add_node()
        end = time.time() + 60
        while cluster.database.ask("SELECT count(*) FROM catalog_segment WHERE dropped IS NOT NULL") == str(before) and time.time() < end:
            time.sleep(0.2)
        now = cluster.database.ask("SELECT holder, fence FROM lease WHERE name = 'merge/catalog'")
        check(f"another one merges when the lease is over: {now}", now != held)
        merged = cluster.database.ask("SELECT number, object FROM catalog_segment WHERE dropped IS NULL ORDER BY position")
        cluster.network.join(first.machine, cluster.store_machine)
        first.process.send_signal(signal.SIGCONT)
        time.sleep(12)
        after = cluster.database.ask("SELECT number, object FROM catalog_segment WHERE dropped IS NULL ORDER BY position")
        check("the first one goes on, and what it merged is not kept", after == merged)
        check("its object is one that nothing names", int(cluster.database.ask(unnamed)) >= 1)
        twice = cluster.database.ask("SELECT sum(reference_count) FROM catalog_segment WHERE dropped IS NULL")
        check(f"each reference is there once ({twice} of {len(known)})", int(twice) == len(known))
        wrong = settled(cluster, [first, second], songs, known)
        check(f"both find all {wrong[:2]}", not wrong)


def disk(folder):
    songs = Songs(folder / "songs", 24)
    with Cluster(folder, 1) as cluster:
        first = cluster.nodes[0]
        fill(cluster, songs, range(4))
        second = cluster.add_node(start=False)
        segments = second.folder / "segments"
        segments.mkdir(parents=True)
        second.folder.chmod(0o700)
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m,mode=700", "tmpfs", str(segments)], capture_output=True, text=True)
        if mounted.returncode:
            raise SystemExit(f"a small disk needs root: {mounted.stderr.strip()}")
        try:
            second.start()
            known = {n: f"song-{n}" for n in range(4)}
            check("a node with little room finds all", not settled(cluster, [second], songs, known))
            filler = segments / "filler"
            file = os.open(filler, os.O_WRONLY | os.O_CREAT)
            try:
                while os.write(file, bytes(4096)):
                    pass
            except OSError:
                pass
            finally:
                os.close(file)
            added = list(range(4, 16))
            fill(cluster, songs, added, [first])
            time.sleep(5)
            ready = cluster.ask(second, "GET", "/ready")
            check(f"a full disk is named: {str(ready)[:240]}", bool(ready) and ready[0] == 503 and "segments" in str(ready[1]) and "no room" in str(ready[1]))
            # Of what is in memory the searched sources are still open.
            found = {n: cluster.find(second, songs.query[n]) for n in known}
            check(f"what was there before is found {found}", all(found[n] == (known[n],) for n in known))
            answers = {cluster.find(second, songs.query[n]) for n in range(16, 24)}
            check(f"nobody is told that nothing matches: {answers}", answers == {"refused"})
            answer = cluster.add(second, "song-16", songs.whole[16])
            check(f"adding there is refused: {str(answer)[:160]}", bool(answer) and answer[0] in (503, 507))
            half = [f.name for f in segments.glob("*.earcat")
                    if not f.name.startswith(subprocess.run(["sha256sum", str(f)], capture_output=True, text=True).stdout[:64])]
            check(f"no segment is half there {half}", not half)
            filler.unlink()
            begin = time.time()
            known.update({n: f"song-{n}" for n in added})
            wrong = settled(cluster, [second], songs, known, 40)
            check(f"with room again it heals without a restart, after {time.time() - begin:.1f} s {wrong[:2]}", not wrong)
            check("and is ready", cluster.until_ready(second, 5))
            answer = cluster.add(second, "song-16", songs.whole[16])
            check("and adds", bool(answer) and answer[0] == 201)
        finally:
            second.stop(signal.SIGKILL)
            subprocess.run(["umount", str(segments)], check=True)


def restore(folder):
    songs = Songs(folder / "songs", 20)
    with Cluster(folder, 2) as cluster:
        first, second = cluster.nodes
        fill(cluster, songs, range(10))
        check("a reference is removed", (cluster.ask(first, "DELETE", "/v1/references/song-3") or (0,))[0] == 204)
        dump = folder / "dump"
        programs = cluster.database.programs
        subprocess.run([f"{programs}/pg_dump", "--format=custom", f"--file={dump}", cluster.database.address], check=True)
        # What comes after it: additions, removals, merges.
        fill(cluster, songs, range(10, 18))
        for number in (0, 1, 12):
            cluster.ask(second, "DELETE", f"/v1/references/song-{number}")
        time.sleep(6)
        dropped = cluster.database.ask("SELECT count(*) FROM catalog_segment WHERE dropped IS NOT NULL")
        generation = cluster.database.ask("SELECT generation FROM catalog")
        for node in cluster.nodes:
            node.stop()
        done = subprocess.run([f"{programs}/pg_restore", "--clean", "--if-exists", "--single-transaction", f"--dbname={cluster.database.address}", str(dump)],
                              capture_output=True, text=True)
        check(f"the dump is put back {done.stderr[-300:]}", done.returncode == 0)
        print(f"  {dropped} segments were merged since, generation {generation} is {cluster.database.ask('SELECT generation FROM catalog')} again")
        # One of them has its folder, with segments of a time that never was; the other has lost it.
        shutil.rmtree(second.folder)
        done = cluster.command("cluster", "check")
        check(f"`earshot cluster check` finds all objects: {(done.stdout + done.stderr).strip()}", done.returncode == 0)
        for node in cluster.nodes:
            node.start(node.port)
        known = {n: f"song-{n}" if n < 10 and n != 3 else None for n in range(20)}
        wrong = settled(cluster, cluster.nodes, songs, known)
        check(f"both serve what was there at the dump, and nothing else {wrong[:3]}", not wrong)
        fill(cluster, songs, [10, 19])
        known.update({10: "song-10", 19: "song-19"})
        wrong = settled(cluster, cluster.nodes, songs, known)
        check(f"and go on from there {wrong[:3]}", not wrong)
        # A node that merged the segment meanwhile would have the check not look for it.
        for node in cluster.nodes:
            node.stop()
        live = cluster.database.ask("SELECT object FROM catalog_segment WHERE dropped IS NULL ORDER BY position LIMIT 1")
        cluster.bucket.delete_object(Bucket="nodes", Key=f"catalogs/catalog/{live}.earcat")
        done = cluster.command("cluster", "check")
        check(f"an object that is missing is named: {done.stdout.strip()}", done.returncode == 1 and live in done.stdout)
