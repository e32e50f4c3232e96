import ArgumentParser
import BenchmarkSupport
import EarshotBroadcast
import EarshotCatalogs
import EarshotCore
import EarshotMonitor
import EarshotMusic
import EarshotSignatures
import Foundation

/// Makes a bundle of many references.
struct Build: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Make a bundle of made-up references.")

    @Argument(help: "A catalog of real music.") var catalog: String
    @Argument(help: "The bundle.") var bundle: String
    @Option(help: "References.") var count = 10_000
    @Option(help: "Seconds that each lasts.") var seconds = 30
    @Option(help: "Bytes of custom data of each.") var custom = 64
    @Option(help: "The bundle's version.") var version: UInt64 = 1
    @Option(help: "The number of the first reference.") var first = 0
    @Option(help: "The bundle's identifier.") var id = "benchmark"

    func run() throws {
        let madeUp = try MadeUp(URL(fileURLWithPath: catalog), seconds: seconds)
        let start = ProcessorTime.now
        var synthesis = 0.0
        let header = try BundleHeader(id: id, version: version, creationDate: Date(timeIntervalSince1970: 0))
        let writer = try BundleWriter(URL(fileURLWithPath: bundle), header: header)
        var random = SeededGenerator(seed: 1)
        for number in first..<first + count {
            let before = ProcessorTime.now.processor
            let signature = madeUp.reference(number)
            let bytes = Data((0..<custom).map { _ in UInt8(truncatingIfNeeded: random.next()) })
            synthesis += ProcessorTime.now.processor - before
            let work = VideoWork(id: EntityID("work-\(number / 10)"), title: Name("Work \(number / 10)"))
            try writer.add(
                BundleReference(
                    id: ReferenceID("reference \(number)"),
                    signature: signature,
                    title: "Reference \(number)",
                    customData: CustomData(identifier: "custom-\(number)", bytes: bytes)
                ),
                work: work
            )
        }
        let summary = try writer.finish(replacing: true)
        let used = ProcessorTime.now - start
        Output.table([
            ["references", "works", "bytes", "s of CPU", "s of CPU to make references up", "peak MB"],
            [
                "\(summary.referenceCount)", "\(summary.workCount)", "\(summary.byteCount)",
                Output.number(used.processor - synthesis), Output.number(synthesis),
                Output.number(Double(ProcessMemory.peak) / 1e6, 0),
            ],
        ])
    }
}
