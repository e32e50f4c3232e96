import BenchmarkSupport
import Earshot
import EarshotCatalogs
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
    let parameters: MatchingParameters
    /// Whether the lists of the index are counted.
    let census: Bool

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
        var figures: [Step.Queries] = []
        for length in Set(queries.map(\.length)).sorted() {
            figures.append(try ask(set, length: length, escalates: false))
            if escalated > 0 { figures.append(try ask(set, length: length, escalates: true)) }
        }
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
            postings: facts.reduce(0) { $0 + $1.postings },
            blocks: facts.reduce(0) { $0 + $1.blocks },
            lists: census ? IndexCensus.of(set.catalog) : [],
            queries: figures
        )
    }

    /// Asks every query of a length, or, with escalation, as many as were asked for, evenly out of all.
    private func ask(_ set: CatalogSet, length: Int, escalates: Bool) throws -> Step.Queries {
        var parameters = parameters
        parameters.escalates = escalates
        let asked = asked(queries.filter { $0.length == length }, escalates: escalates)
        var (times, walls, right, wrong) = ([Double](), [Double](), Swift.Set<String>(), 0)
        var work = (lookups: 0, blocks: 0, hits: 0)
        let line = ProgressLine("\(length) s, \(escalates ? "shipped" : "plain")", total: asked.count)
        for (index, query) in asked.enumerated() {
            let start = ProcessorTime.nowOfThread
            let found = try Engine.search(set.catalog, for: query.signature, parameters: parameters)
            let time = ProcessorTime.nowOfThread - start
            times.append(time.processor)
            walls.append(time.wall)
            work = (work.lookups + found.lookups, work.blocks + found.blocks, work.hits + found.hits)
            if found.isAnswered { if Self.isRight(found.id, query) { right.insert(query.id) } else { wrong += 1 } }
            line.show(index + 1)
        }
        let known = alone[escalates] ?? []
        let count = Double(max(1, asked.count))
        let conditions = Dictionary(grouping: asked, by: \.condition).sorted { $0.key < $1.key }
        return Step.Queries(
            mode: escalates ? "shipped" : "plain",
            length: length,
            count: asked.count,
            cpuMedian: Output.median(times),
            cpuMean: Output.mean(times),
            cpuHigh: Output.quantile(times.sorted(), 0.9),
            wallMedian: Output.median(walls),
            lookups: Double(work.lookups) / count,
            blocks: Double(work.blocks) / count,
            hits: Double(work.hits) / count,
            recall: Double(right.count) / count,
            recallAlone: Double(asked.count { known.contains($0.id) }) / count,
            wrong: wrong,
            conditions: conditions.map { name, queries in
                Step.Queries.Condition(
                    name: name,
                    count: queries.count,
                    right: queries.count { right.contains($0.id) },
                    alone: queries.count { known.contains($0.id) }
                )
            }
        )
    }

    private func asked(_ queries: [QueryFolder.Query], escalates: Bool) -> [QueryFolder.Query] {
        guard escalates, queries.count > escalated else { return queries }
        return (0..<escalated).map { queries[$0 * queries.count / escalated] }
    }

    /// Whether a reference is the one that a query was cut from.
    static func isRight(_ id: String?, _ query: QueryFolder.Query) -> Bool {
        guard let id, let truth = query.truth else { return false }
        return URL(fileURLWithPath: id).deletingPathExtension().lastPathComponent == truth
    }
}
