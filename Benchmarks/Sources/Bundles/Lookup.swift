import ArgumentParser
import BenchmarkSupport
import EarshotCore
import EarshotMonitor
import EarshotSignatures
import Foundation

/// Asks a store for pieces of what it holds, and for what it does not.
struct Lookup: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Ask a store for pieces of a bundle.")

    @Argument(help: "The bundle.") var bundle: String
    @Argument(help: "The folder of the store, which holds it.") var store: String
    @Option(help: "Queries of each kind.") var queries = 500
    @Option(help: "Seconds that each lasts.") var length = 5.0
    @Option(help: "The share of landmarks that are lost, others coming in for them.") var lost = 0.4

    func run() throws {
        let start = ProcessorTime.now
        let store = BundleStore(folder: URL(fileURLWithPath: store, isDirectory: true))
        _ = try store.bundles
        let opening = ProcessorTime.now - start
        let count = try store.bundles.reduce(0) { $0 + $1.referenceCount }
        let references = try References(bundle, every: max(1, count / queries), limit: queries).references
        var random = SeededGenerator(seed: 3)
        var rows = [["queries, ms of CPU", "median", "99 %", "mean", "found right", "found wrong", "nothing found"]]
        for isForeign in [false, true] {
            var (times, right, wrong) = ([Double](), 0, 0)
            for reference in references {
                var signature = reference.signature
                if isForeign {
                    // Backwards and between the steps by which references are moved: no reference is like that.
                    let last = signature.landmarks.last?.time ?? 0
                    let turned = signature.landmarks.map {
                        Landmark(
                            time: last - $0.time,
                            frequency: ($0.frequency + 50) % UInt16(Landmark.frequencyCount),
                            tier: $0.tier
                        )
                    }
                    signature = Signature(
                        configuration: .standard,
                        duration: signature.duration,
                        landmarks: turned.sorted()
                    )
                }
                let latest = max(1, Int(signature.duration.seconds - length))
                let query = MadeUp.query(
                    signature,
                    from: Double(random.integer(in: 0..<latest)),
                    seconds: length,
                    lost: isForeign ? 0 : lost,
                    &random
                )
                let before = ProcessorTime.nowOfThread
                let match = try store.lookup(query).first
                times.append((ProcessorTime.nowOfThread - before).processor * 1_000)
                if let match { if match.reference == reference.id, !isForeign { right += 1 } else { wrong += 1 } }
            }
            times.sort()
            rows.append([
                isForeign ? "\(times.count) of nothing it holds" : "\(times.count) of what it holds",
                Output.number(Output.median(times)), Output.number(Output.quantile(times, 0.99)),
                Output.number(Output.mean(times)), "\(right)", "\(wrong)", "\(times.count - right - wrong)",
            ])
        }
        print(
            "\(count) references, opened in",
            Output.number(opening.wall * 1_000, 0),
            "ms; memory, mapped files apart,",
            Output.number(Double(ProcessMemory.anonymous) / 1e6, 0),
            "MB"
        )
        Output.table(rows)
    }
}
