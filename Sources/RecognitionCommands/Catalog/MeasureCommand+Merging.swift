import ArgumentParser
import CommandKit
import Earshot
import Foundation

extension MeasureCommand {
    struct MergingCommand: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "merging",
            abstract: "Merge many small catalogs in memory, and print the processor time.",
            discussion: """
                The catalogs are made of real landmarks, as `adding` makes them. In a folder that is named they stay, for \
                `earshot catalog merge`.
                """
        )

        @Argument(help: "Keep the catalogs in this folder; without it none are kept.", completion: .directory)
        var folder: String?

        @Option(name: .long, help: "A catalog to take landmarks from.")
        var source: String

        @Option(name: .long, help: "Catalogs.")
        var count = 2_000

        @Option(name: .long, help: "References in each.")
        var references = 5

        @Option(name: .long, help: "Seconds of a reference.")
        var seconds = 30

        @Option(name: .long, help: "What the draw follows from.")
        var seed: UInt64 = 1

        @OptionGroup var format: JSONOption

        func run() async throws {
            let scratch = try self.folder == nil ? ScratchFolder("measure") : nil
            defer { withExtendedLifetime(scratch) {} }
            let folder =
                self.folder.map { URL(fileURLWithPath: $0, isDirectory: true) } ?? scratch?.url
                ?? URL(fileURLWithPath: ".", isDirectory: true)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            var maker = SignatureMaker(try CatalogArgument.open(source), seed: seed)
            var urls: [URL] = []
            for number in 0..<count {
                var catalog = Catalog()
                for place in 0..<references {
                    let addition = maker.addition(number * references + place, seconds: seconds)
                    try catalog.add(addition.signature, representing: addition.items, id: addition.id)
                }
                urls.append(try catalog.write(to: folder.appendingPathComponent(String(format: "%05d.earcat", number))))
            }
            var merged = Catalog()
            var table = MeasureTable(format, ["catalogs", "references", "s in all", "ms/catalog since"])
            var (before, start) = (0, MeasureCommand.processorTime)
            let beginning = start
            for (number, url) in urls.enumerated() {
                try merged.add(contentsOf: url)
                // Measured at eighths: what grows with the size shows in the last column.
                guard number + 1 == count || (number + 1) * 8 % count == 0 else { continue }
                let now = MeasureCommand.processorTime
                table.add([
                    ("catalogs", Double(number + 1), 0),
                    ("references", Double(merged.count), 0),
                    ("secondsInAll", now - beginning, 2),
                    ("millisecondsPerCatalog", (now - start) * 1000 / Double(number + 1 - before), 2),
                ])
                (before, start) = (number + 1, now)
            }
            try table.finish()
        }
    }
}
