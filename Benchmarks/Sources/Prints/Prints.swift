import ArgumentParser
import BenchmarkSupport
import EarshotCore
import EarshotFingerprints
import Foundation

/// How the index of whole-file fingerprints grows and answers.
@main
struct Prints: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "prints",
        abstract: "Measure an index of many whole-file fingerprints: building it, its size, and what a query takes.",
        discussion: """
            Fingerprints are made up out of those of real music, and the real ones stand among them. The same seed makes \
            the same ones.

            EXAMPLES
              for file in Music/*; do earshot-fpcalc "$file"; done > real.txt
              for file in Music-as-mp3/*; do earshot-fpcalc "$file"; done > damaged.txt
              prints real.txt --damaged damaged.txt --count 1000000 --out index
            """
    )

    @Argument(help: "What earshot-fpcalc wrote of real music.") var real: String
    @Option(help: "What it wrote of the same music in other encodings.") var damaged: String?
    @Option(help: "Fingerprints in the index.") var count = 100_000
    @Option(help: "Fingerprints that are added at a time.") var batch = 250_000
    @Option(help: "Queries of each kind.") var queries = 300
    @Option(help: "The folder of the index; one that is there is taken as it is.") var out = "prints-index"
    @Option(help: "The number from which all that is drawn follows.") var seed: UInt64 = 1
    @Option(help: "Threads that make fingerprints up.") var jobs = 2
    @Flag(help: "Leave the segments as a service has them, instead of making one of them.") var several = false
    @Flag(help: "Leave the index where it is.") var keep = false

    func run() throws {
        let originals = try FingerprintFile.read(real)
        let synthesis = try FingerprintSynthesis(originals, seed: seed)
        Realism(originals, synthesis).report()
        let folder = URL(fileURLWithPath: out)
        if !FileManager.default.fileExists(atPath: folder.appendingPathComponent("manifest").path) {
            try build(originals, synthesis, in: folder)
        }
        let index = try FingerprintIndex(at: folder, access: .reading)
        let size = try FileManager.default.contentsOfDirectory(atPath: out).reduce(0) {
            let attributes = try FileManager.default.attributesOfItem(atPath: out + "/" + $1)
            return $0 + ((attributes[.size] as? Int) ?? 0)
        }
        print(
            "\(index.count) fingerprints in \(index.segmentCount) segments, \(size) bytes, "
                + "\(size / max(1, index.count)) for each"
        )
        try QueryRun(index, originals, synthesis, damaged: damaged.map(FingerprintFile.read) ?? [], count: count)
            .report(queries: queries)
        print(
            "memory: \(ProcessMemory.anonymous / 1_000_000) MB of its own, \(ProcessMemory.mapped / 1_000_000) MB of the "
                + "files mapped"
        )
        if !keep { try FileManager.default.removeItem(at: folder) }
    }

    /// Adds the real fingerprints and as many made-up ones as are wanted, and makes one segment of them unless several are wanted.
    private func build(
        _ originals: [FileFingerprint],
        _ synthesis: FingerprintSynthesis,
        in folder: URL
    ) throws {
        let index = try FingerprintIndex(at: folder, access: .writing)
        var (making, adding) = (0.0, 0.0)
        let start = ProcessorTime.now
        var next = 0
        while next < count {
            let before = ProcessorTime.now
            let numbers = next..<min(count, next + batch)
            let parts = stride(from: numbers.lowerBound, to: numbers.upperBound, by: 5_000).map {
                $0..<min(numbers.upperBound, $0 + 5_000)
            }
            let made = try Parallel.map(parts, jobs: jobs) { part in
                try part.map { number in
                    let isReal = number < originals.count
                    let fingerprint = isReal ? originals[number] : try synthesis.fingerprint(number)
                    return FingerprintIndex.Entry(id: UInt64(number), fingerprint: fingerprint)
                }
            }
            let middle = ProcessorTime.now
            try index.add(made.lazy.joined())
            making += (middle - before).processor
            adding += (ProcessorTime.now - middle).processor
            next = numbers.upperBound
            Output.note(
                "\(next) of \(count), \(Int((ProcessorTime.now - start).wall)) s, \(index.segmentCount) segments"
            )
        }
        let before = ProcessorTime.now
        if !several { try index.merge() }
        let merging = ProcessorTime.now - before
        Output.table([
            ["fingerprints", "s of CPU to make them up", "to add", "for the last merge", "s by the clock", "peak MB"],
            [
                "\(index.count)", Output.number(making, 1), Output.number(adding, 1),
                Output.number(merging.processor, 1), Output.number((ProcessorTime.now - start).wall, 1),
                "\(ProcessMemory.peak / 1_000_000)",
            ],
        ])
    }
}
