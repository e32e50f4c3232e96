import BenchmarkSupport
import Earshot
import Foundation

/// Builds a set of references and measures it.
struct StepRun {
    let real: [Reference]
    let synthesis: Synthesis
    let queries: [QueryFolder.Query]
    /// What the same queries find among the real references alone, by mode.
    let alone: [Bool: Set<String>]
    /// Of how many queries the search for other speeds and pitches is measured, at most.
    let escalated: Int
    let perFile: Int
    let jobs: Int
    let seed: UInt64

    func run(_ count: Int, in folder: URL) throws -> Step {
        // Real references stand evenly among the others.
        let real = Array(real.prefix(count))
        let places = Dictionary(uniqueKeysWithValues: real.indices.map { ($0 * count / real.count, $0) })
        let synthesis = synthesis
        let (files, building) = try CatalogSet.write(count: count, perFile: perFile, jobs: jobs, to: folder) { number in
            if let index = places[number] {
                return CatalogSet.Entry(id: real[index].id, signature: real[index].signature)
            }
            return CatalogSet.Entry(id: ReferenceID("synthetic-\(number)"), signature: synthesis.reference(number))
        }
        let start = ProcessorTime.now
        let set = try CatalogSet(files)
        let open = ProcessorTime.now - start
        let (memoryOpen, memoryAfter, mappedAfter) = try MemoryProbe.run(files, queries: queries)
        let facts = try files.map { try CatalogFile($0) }
        let lists = (facts.last?.listSizes ?? []).sorted()
        let figures = try [false, true].map { try ask(set, escalates: $0) }
        let realHours = real.reduce(0) { $0 + $1.signature.duration.seconds } / 3600
        return Step(
            references: count,
            real: real.count,
            hours: realHours + Double(count - real.count) * Double(Synthesis.seconds) / 3600,
            files: files.count,
            seed: seed,
            synthesisCPU: building.synthesis,
            buildCPU: building.processor,
            buildWall: building.wall,
            bytes: facts.reduce(0) { $0 + $1.bytes },
            landmarkBytes: facts.reduce(0) { $0 + $1.landmarkBytes },
            indexBytes: facts.reduce(0) { $0 + $1.indexBytes },
            openCPU: open.processor,
            openWall: open.wall,
            memoryOpen: memoryOpen,
            memoryAfter: memoryAfter,
            mappedAfter: mappedAfter,
            memoryBuilding: building.memory,
            keys: facts.last?.keys ?? 0,
            lists: [0.5, 0.99, 1].map { Output.quantile(lists, $0) },
            postings: facts.reduce(0) { $0 + $1.postings },
            queries: figures
        )
    }

    /// Asks every query, or, with escalation, as many as were asked for, evenly out of all.
    private func ask(_ set: CatalogSet, escalates: Bool) throws -> Step.Queries {
        let asked = asked(escalates: escalates)
        var (times, right, wrong) = ([Double](), 0, 0)
        let line = ProgressLine(escalates ? "shipped" : "plain", total: asked.count)
        for (index, query) in asked.enumerated() {
            let start = ProcessorTime.nowOfThread
            let found = try Engine.search(set.catalog, for: query.signature, escalates: escalates)
            times.append((ProcessorTime.nowOfThread - start).processor)
            if found.isAnswered { if Self.isRight(found.id, query) { right += 1 } else { wrong += 1 } }
            line.show(index + 1)
        }
        let known = alone[escalates] ?? []
        return Step.Queries(
            mode: escalates ? "shipped" : "plain",
            count: asked.count,
            cpuMedian: Output.median(times),
            cpuMean: Output.mean(times),
            recall: Double(right) / Double(max(1, asked.count)),
            recallAlone: Double(asked.count { known.contains($0.id) }) / Double(max(1, asked.count)),
            wrong: wrong
        )
    }

    private func asked(escalates: Bool) -> [QueryFolder.Query] {
        guard escalates, queries.count > escalated else { return queries }
        return (0..<escalated).map { queries[$0 * queries.count / escalated] }
    }

    /// Whether a reference is the one that a query was cut from.
    static func isRight(_ id: String?, _ query: QueryFolder.Query) -> Bool {
        guard let id, let truth = query.truth else { return false }
        return URL(fileURLWithPath: id).deletingPathExtension().lastPathComponent == truth
    }
}
