"""Nodes that hold a part of the catalog each, and search it together."""
import math
import signal
import time

from cluster.surroundings import SIGNATURE, Cluster, Load, Songs, check, fill, say, settled

# The curve by which a score in nats becomes a confidence (MatchingParameters).
SLOPE, MIDDLE = 0.41, -0.46
# Above this confidence the digits that are told do not tell scores apart.
SURE = 1 - 1e-9


def damaged(songs, count):
    """Questions: pieces of recordings as they are, in noise, at other speeds, cut low and high, and of recordings that are not there."""
    import numpy
    questions = []
    kinds = ("clean", "noise", "much noise", "faster", "slower", "low", "high", "short", "quiet", "foreign")
    for index in range(count):
        number, kind = index // len(kinds), kinds[index % len(kinds)]
        rng = numpy.random.default_rng(10_000 + index)
        samples = songs.samples(number % len(songs.whole) if kind != "foreign" else 1_000 + number)
        begin = int(rng.uniform(1, 10) * songs.rate)
        piece = samples[begin:begin + (4 if kind == "short" else 8) * songs.rate]
        power = numpy.sqrt(numpy.mean(piece ** 2))
        if kind in ("noise", "much noise"):
            piece = piece + rng.normal(0, power * (0.5 if kind == "noise" else 1.5), len(piece))
        elif kind in ("faster", "slower"):
            speed = 1.03 if kind == "faster" else 0.97
            piece = numpy.interp(numpy.arange(0, len(piece) - 1, speed), numpy.arange(len(piece)), piece)
        elif kind in ("low", "high"):
            spectrum = numpy.fft.rfft(piece)
            frequencies = numpy.fft.rfftfreq(len(piece), 1 / songs.rate)
            spectrum[frequencies > 1_500 if kind == "low" else frequencies < 1_200] = 0
            piece = numpy.fft.irfft(spectrum, len(piece))
        elif kind == "quiet":
            piece = piece * 0.02
        questions.append((kind, songs.signature(songs.write(piece))))
    print(f"  {count} questions", flush=True)
    return questions


def answers(cluster, node, questions):
    """What a node answers to each question: the status with the whole answer."""
    told = []
    for _, query in questions:
        answer = cluster.ask(node, "POST", "/v1/recognitions?history=0&single=0", query, SIGNATURE)
        told.append(answer or (0, {}))
    return told


def said(answer):
    """An answer without what names the request."""
    return answer if answer[0] == 200 else (answer[0], answer[1].get("error", {}).get("code"))


def nats(match):
    confidence = min(match["placement"]["confidence"], SURE)
    return MIDDLE + math.log(confidence / (1 - confidence)) / SLOPE if confidence > 0 else -math.inf


def kept(alone, together):
    """Says that an answer has all that one machine answers, at the same place and with the same score."""
    if alone[0] != together[0]:
        return False
    if alone[0] != 200:
        return said(alone) == said(together)
    if "searched" in together[1]:
        return False
    found = {m["placement"]["reference"]: m for m in together[1]["matches"]}
    for match in alone[1]["matches"]:
        other = found.get(match["placement"]["reference"])
        if other is None or abs(other["placement"]["offset"] - match["placement"]["offset"]) > 1e-6 or abs(nats(other) - nats(match)) > 0.5:
            return False
    return True


def equivalence(folder, count="500"):
    songs = Songs(folder / "songs", 40)
    questions = damaged(songs, int(count))
    # The first node holds all and answers alone; the second has no room for anything and asks others.
    with Cluster(folder, 1) as cluster:
        alone = cluster.nodes[0]
        # Before there are many small segments to merge.
        cluster.copies("all")
        fill(cluster, songs, range(40))
        expected = answers(cluster, alone, questions)
        found = sum(1 for status, told in expected if status == 200 and told["matches"])
        print(f"  one machine finds {found} of {len(questions)}", flush=True)
        check("one machine finds most of them, and answers all", found >= len(questions) / 2 and all(s in (200, 422) for s, _ in expected))
        root = cluster.add_node(room=1)
        cluster.copies(1)
        leaves = []
        for number in range(1, 5):
            leaves.append(cluster.add_node(room=1 << 30))
            check(f"{number} with a part each have it", cluster.until_placed([root, *leaves]))
            told = answers(cluster, root, questions)
            asked = [int(sum(v for n, v in cluster.figures(leaf).items() if n.startswith("http_requests") and "cluster/searches" in n)) for leaf in leaves]
            print(f"  requests to the leaves so far: {asked}", flush=True)
            check("each of them was asked", all(asked))
            if number == 1:
                other = [q[0] for q, one, two in zip(questions, expected, told) if said(one) != said(two)]
                check(f"one leaf answers as one machine, to the last byte {other[:5]}", not other)
            other = [(q[0], one[1], two[1]) for q, one, two in zip(questions, expected, told) if not kept(one, two)]
            check(f"{number}: every answer of one machine is answered, with the same offset and score {str(other[:1])[:600]}", not other)
            more = sum(1 for one, two in zip(expected, told) if one[0] == two[0] == 200 and len(two[1]["matches"]) > len(one[1]["matches"]))
            print(f"  {number}: {more} answers have more matches than those of one machine", flush=True)


def lost(folder):
    songs = Songs(folder / "songs", 32)
    with Cluster(folder, 4, searching=True) as cluster:
        # Before there are many small segments to merge.
        cluster.copies(2)
        fill(cluster, songs, range(24))
        check("all nodes have what is placed on them", cluster.until_placed(cluster.nodes))
        segments = [cluster.figures(node) for node in cluster.nodes]
        print("  segments elsewhere: " + ", ".join(str(int(f.get("earshot_catalog_segments_elsewhere", -1))) for f in segments), flush=True)
        expected = {n: f"song-{n}" if n < 24 else None for n in range(32)}
        wrong = settled(cluster, cluster.nodes, songs, expected, 30)
        check(f"all nodes find all, and say that the rest is not there {wrong[:3]}", not wrong)
        left = cluster.nodes[2:]
        with Load(cluster, songs, range(24), left, threads=3) as load:
            load.phase = "before"
            time.sleep(5)
            for node in cluster.nodes[:2]:
                node.stop(signal.SIGKILL)
            load.phase, killed = "two are lost", time.time()
            foreign = [cluster.find(node, songs.query[30]) for node in left]
            wrong = settled(cluster, left, songs, expected, 60)
            late = time.time() - killed
            load.phase = "after"
            time.sleep(5)
        for phase in ("before", "two are lost", "after"):
            say(phase, load.told(phase))
        told = load.told()
        print(f"  of a recording that is not there, in the first moment: {foreign}")
        check("no answer was wrong, nobody was told that nothing matches, and no line broke",
              told["wrong"] == 0 and told["nothing"] == 0 and told["broken"] == 0)
        check(f"{late:.0f} s after two nodes were lost the others find all {wrong[:3]}", not wrong and late <= 60)
        after = load.told("after")
        check(f"and go on to {load.reasons()[:200]}", after["right"] == after["queries"])
