import ArgumentParser
import BenchmarkSupport
import EarshotCore
import EarshotMonitor
import EarshotSignatures
import Foundation
import Synchronization

/// Takes a bundle into a store, with lookups meanwhile on request.
struct Ingest: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Take a bundle into a store.")

    @Argument(help: "The bundle.") var bundle: String
    @Argument(help: "The folder of the store.") var store: String
    @Option(help: "Another bundle, taken in before, for whose references the store is asked all the while.")
    var during: String?

    func run() async throws {
        let store = BundleStore(folder: URL(fileURLWithPath: store, isDirectory: true))
        var looking: Task<(lookups: Int, found: Int, longest: Double), any Error>?
        if let during {
            try await store.ingest(FileBundleSource(URL(fileURLWithPath: during)))
            let query = try References(during, every: 1, limit: 1).references[0].signature
                .slice(from: MediaTime(seconds: 5), duration: MediaTime(seconds: 5)).signature
            looking = Task.detached {
                var (lookups, found, longest) = (0, 0, 0.0)
                while !Task.isCancelled {
                    let before = ProcessorTime.now.wall
                    if try !store.lookup(query).isEmpty { found += 1 }
                    longest = max(longest, ProcessorTime.now.wall - before)
                    lookups += 1
                }
                return (lookups, found, longest)
            }
        }
        let source = try FileBundleSource(URL(fileURLWithPath: bundle))
        let start = ProcessorTime.now
        let report = try await store.ingest(source)
        let used = ProcessorTime.now - start
        looking?.cancel()
        Output.table([
            ["outcome", "s", "s of CPU", "peak MB", "bundle MB", "stored MB"],
            [
                "\(report.outcome)", Output.number(used.wall), Output.number(used.processor),
                Output.number(Double(ProcessMemory.peak) / 1e6, 0), Output.number(Double(report.byteCount) / 1e6, 1),
                Output.number(Double(report.bundle.storedByteCount) / 1e6, 1),
            ],
        ])
        if let result = try await looking?.value {
            print(
                "lookups meanwhile: \(result.lookups), found \(result.found), failed 0, longest",
                Output.number(result.longest * 1_000, 0),
                "ms"
            )
        }
    }
}

/// References read back from a bundle.
struct References {
    private(set) var references: [BundleReference] = []

    init(_ path: String, every: Int, limit: Int) throws {
        guard let file = FileHandle(forReadingAtPath: path) else { throw Failure("\(path) cannot be read.") }
        var reader = BundleReader(name: path)
        var number = 0
        while references.count < limit, let piece = try file.read(upToCount: 1 << 20), !piece.isEmpty {
            reader.append(piece)
            while let record = try reader.next() {
                guard case .reference(let reference) = record else { continue }
                if number % every == 0, references.count < limit { references.append(reference) }
                number += 1
            }
        }
        guard !references.isEmpty else { throw Failure("\(path) has no references.") }
    }
}
