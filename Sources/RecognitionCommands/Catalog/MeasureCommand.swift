import ArgumentParser
import CommandKit
import CoreFoundation
import Earshot
import EarshotSignatures
import Foundation

/// Figures for the measurements page.
struct MeasureCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "measure",
        abstract: "Measure what catalogs cost on this machine.",
        discussion: """
            What is made for measuring lies among the temporary files and is taken away at the end, unless a place for it is \
            named.

            EXAMPLES
              earshot catalog measure adding --source music.earcat --sizes 1000,10000
              earshot catalog measure merging --source music.earcat --count 200
              earshot catalog measure opening music.earcat
            """,
        subcommands: [AddingCommand.self, MergingCommand.self, OpeningCommand.self]
    )

    /// User and system time of the process so far, in seconds.
    static var processorTime: Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// The most memory that the process has had resident, in bytes.
    static var peakMemory: Int {
        var usage = rusage()
        #if os(Linux)
            getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
            return usage.ru_maxrss * 1024
        #else
            getrusage(RUSAGE_SELF, &usage)
            return usage.ru_maxrss
        #endif
    }

    /// Processor time of a body, in milliseconds.
    static func milliseconds(_ body: () throws -> Void) rethrows -> Double {
        let start = processorTime
        try body()
        return (processorTime - start) * 1000
    }
}

extension MeasureCommand {
    struct AddingCommand: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "adding",
            abstract: "Let a store grow, and print the processor time of adding at several sizes.",
            discussion: """
                What is added is made of real landmarks: seconds of a catalog's references, drawn at random, each series of \
                them shifted in frequency by a random amount.
                """
        )

        @Argument(help: "Keep the store here; without it none is kept.", completion: .file(extensions: ["earstore"]))
        var store: String?

        @Option(name: .long, help: "A catalog to take landmarks from.")
        var source: String

        @Option(name: .long, help: "Sizes at which to measure.")
        var sizes = "1000,10000,100000"

        @Option(name: .long, help: "Seconds of a reference.")
        var seconds = 10

        @Option(name: .long, help: "References in one commit.")
        var batch = 64

        @Option(name: .long, help: "What the draw follows from.")
        var seed: UInt64 = 1

        @OptionGroup var format: JSONOption

        func run() async throws {
            let scratch = try store == nil ? ScratchFolder("measure") : nil
            defer { withExtendedLifetime(scratch) {} }
            let url =
                store.map { URL(fileURLWithPath: $0) } ?? scratch?.url.appendingPathComponent("measured.earstore")
                ?? URL(fileURLWithPath: "measured.earstore")
            var maker = SignatureMaker(try CatalogArgument.open(source), seed: seed)
            let store = try CatalogStore.create(at: url)
            var count = 0
            var table = MeasureTable(
                format,
                [
                    "references", "files", "MB", "ms/reference", "ms alone", "s alone, most", "ms duplicates",
                    "ms opening",
                ]
            )
            for size in sizes.split(separator: ",").compactMap({ Int($0) }) {
                let before = count
                var spent = 0.0
                while count < size {
                    let additions = (0..<min(batch, size - count)).map { maker.addition(count + $0, seconds: seconds) }
                    spent += try MeasureCommand.milliseconds {
                        try store.change { _ = try $0.add(additions, duplicates: .ignore) }
                    }
                    count += additions.count
                }
                // One by one, merges that fall due included.
                var alone: [Double] = []
                for number in 0..<64 {
                    let addition = maker.addition(1_000_000_000 + size + number, seconds: seconds)
                    alone.append(
                        try MeasureCommand.milliseconds {
                            try store.change { _ = try $0.add([addition], duplicates: .ignore) }
                        }
                    )
                }
                count += 64
                let catalog = store.catalog
                let strangers = (0..<10).map { maker.addition($0, seconds: seconds).signature }
                let search = try MeasureCommand.milliseconds {
                    for stranger in strangers { _ = try catalog.duplicates(of: stranger) }
                }
                let opening = try MeasureCommand.milliseconds { _ = try Catalog(contentsOf: url) }
                table.add([
                    ("references", Double(size), 0),
                    ("files", Double(store.segmentCount), 0),
                    ("megabytes", Double(store.byteCount) / 1e6, 2),
                    ("millisecondsPerReference", spent / Double(max(1, size - before)), 2),
                    ("millisecondsAlone", alone.reduce(0, +) / Double(alone.count), 2),
                    ("mostSecondsAlone", (alone.max() ?? 0) / 1000, 2),
                    ("millisecondsDuplicates", search / Double(strangers.count), 1),
                    ("millisecondsOpening", opening, 1),
                ])
            }
            try table.finish()
        }
    }

    struct OpeningCommand: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "opening",
            abstract: "Open a catalog file and search it, mapped or read."
        )

        @Argument(help: "A catalog file.")
        var catalog: String

        @Flag(name: .long, help: "Read the file into memory in place of mapping it.")
        var read = false

        @Option(name: .long, help: "Queries, each 5 s of a reference drawn at random.")
        var queries = 50

        @Option(name: .long, help: "What the draw follows from.")
        var seed: UInt64 = 1

        @Option(name: .long, help: ArgumentHelp("Write the queries into this folder, and end.", visibility: .hidden))
        var writingQueries: String?

        @OptionGroup var format: JSONOption

        func run() async throws {
            let url = URL(fileURLWithPath: self.catalog)
            if let writingQueries {
                return try write(url, to: URL(fileURLWithPath: writingQueries, isDirectory: true))
            }
            let list = try drawnQueries()
            let memory = MeasureCommand.peakMemory
            let clock = ContinuousClock()
            var catalog = Catalog()
            let start = MeasureCommand.processorTime
            let opening = try clock.measure {
                catalog = read ? try Catalog(data: Data(contentsOf: url)) : try Catalog(contentsOf: url)
            }
            let opened = MeasureCommand.processorTime
            var walls: [Double] = []
            for query in list {
                let wall = try clock.measure { _ = try catalog.match(query) }
                walls.append(Double(wall.components.attoseconds) / 1e15 + Double(wall.components.seconds) * 1000)
            }
            let end = MeasureCommand.processorTime
            let rest = walls.dropFirst().sorted()
            let wall = Double(opening.components.attoseconds) / 1e15 + Double(opening.components.seconds) * 1000
            let median = rest.isEmpty ? 0 : rest[(rest.count - 1) / 2]
            let processor = (end - opened) * 1000 / Double(max(1, list.count))
            try format.print(
                String(
                    format: "%@: opening %.1f ms (%.1f ms CPU), first query %.1f ms, then %.1f ms in the median; "
                        + "%.1f ms CPU a query; peak memory %.0f MB (%.0f before)",
                    read ? "read" : "mapped",
                    wall,
                    (opened - start) * 1000,
                    walls.first ?? 0,
                    median,
                    processor,
                    Double(MeasureCommand.peakMemory) / 1e6,
                    Double(memory) / 1e6
                ),
                [
                    "isMapped": .boolean(!read),
                    "openingMilliseconds": .number(wall),
                    "openingProcessorMilliseconds": .number((opened - start) * 1000),
                    "firstQueryMilliseconds": .number(walls.first ?? 0),
                    "medianQueryMilliseconds": .number(median),
                    "queryProcessorMilliseconds": .number(processor),
                    "peakMemoryBytes": .integer(MeasureCommand.peakMemory),
                    "memoryBytesBefore": .integer(memory),
                ]
            )
        }

        /// Queries made by another process, so that nothing of the catalog is in the memory of this one.
        private func drawnQueries() throws -> [Signature] {
            let scratch = try ScratchFolder("measure")
            defer { withExtendedLifetime(scratch) {} }
            let process = Process()
            process.executableURL = Bundle.main.executableURL ?? URL(fileURLWithPath: CommandLine.arguments[0])
            process.arguments = [
                "catalog", "measure", "opening", catalog, "--queries", "\(queries)", "--seed", "\(seed)",
                "--writing-queries", scratch.url.path,
            ]
            try process.run()
            process.waitUntilExit()
            guard process.terminationStatus == 0 else { throw ExitCode(process.terminationStatus) }
            return try FileManager.default.contentsOfDirectory(atPath: scratch.url.path).sorted()
                .map { try Signature(contentsOf: scratch.url.appendingPathComponent($0)) }
        }

        /// Writes queries out of a catalog as signature files.
        private func write(_ catalog: URL, to folder: URL) throws {
            var maker = SignatureMaker(try CatalogArgument.open(catalog.path), seed: seed)
            var number = 0
            for _ in 0..<20 * queries where number < queries {
                let slice = maker.slice(seconds: 5)
                guard !slice.isEmpty else { continue }
                try slice.write(to: folder.appendingPathComponent("\(number).earsig"))
                number += 1
            }
        }
    }
}

/// Makes signatures out of those of a catalog.
struct SignatureMaker {
    private var pool: [Signature] = []
    private var state: UInt64

    init(_ catalog: Catalog, seed: UInt64) {
        state = seed
        // A few hundred are enough of a mixture.
        let ids = catalog.referenceIDs
        for index in stride(from: 0, to: ids.count, by: max(1, ids.count / 400)) {
            if let reference = try? catalog.reference(ids[index]), reference.signature.duration.seconds >= 8 {
                pool.append(reference.signature)
            }
        }
    }

    private mutating func draw(_ bound: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return bound > 0 ? Int((state >> 33) % UInt64(bound)) : 0
    }

    mutating func slice(seconds: Int) -> Signature {
        guard !pool.isEmpty else {
            return Signature(configuration: .standard, duration: .zero, landmarks: [])
        }
        let whole = pool[draw(pool.count)]
        let start = draw(max(1, Int(whole.duration.seconds) - seconds))
        return whole.slice(
            from: MediaTime(value: Int64(start), timescale: 1),
            duration: MediaTime(value: Int64(seconds), timescale: 1)
        ).signature
    }

    mutating func addition(_ number: Int, seconds: Int) -> Catalog.Addition {
        var landmarks: [Landmark] = []
        for second in stride(from: 0, to: seconds, by: 2) {
            let shift = draw(481) - 240
            let base = UInt32(second * Landmark.stepsPerSecond)
            landmarks += slice(seconds: min(2, seconds - second)).landmarks.compactMap { landmark in
                let frequency = Int(landmark.frequency) + shift
                guard (0..<1_920).contains(frequency) else { return nil }
                return Landmark(
                    time: base + landmark.time,
                    frequency: UInt16(frequency),
                    tier: landmark.tier
                )
            }
        }
        return Catalog.Addition(
            id: ReferenceID("reference-\(number)"),
            signature: Signature(
                configuration: .standard,
                duration: MediaTime(value: Int64(seconds), timescale: 1),
                landmarks: landmarks.sorted()
            ),
            items: []
        )
    }
}
