import ArgumentParser
import CommandKit
import Earshot
import Foundation

extension CatalogCommand {
    struct CompactCommand: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "compact",
            abstract: "Bring a store into as few files as possible.",
            discussion: """
                A store merges its files by itself as it grows. This merges all of them, and frees what removed references \
                take. The store can be searched meanwhile.
                """
        )

        @Argument(help: "The store.", completion: .file(extensions: ["earstore"]))
        var store: String

        @OptionGroup var waiting: WaitOptions

        @Flag(name: .long, help: "Print one JSON object.")
        var json = false

        private struct Report: Encodable {
            let catalog: String
            let references, filesBefore, files, bytesBefore, bytes: Int
        }

        func run() async throws {
            let url = URL(fileURLWithPath: store)
            let store = try CatalogStore(url, patience: waiting.patience(self.store))
            let before = (files: store.segmentCount, bytes: store.byteCount)
            try store.compact()
            let report = Report(
                catalog: self.store,
                references: store.catalog.count,
                filesBefore: before.files,
                files: store.segmentCount,
                bytesBefore: before.bytes,
                bytes: store.byteCount
            )
            if json {
                Terminal.print(try JSON.document(report))
            } else {
                Terminal.print(
                    "\(self.store): \(DisplayText.plural(before.files, "file", "files")), \(DisplayText.bytes(before.bytes)), now "
                        + "\(DisplayText.plural(report.files, "file", "files")), \(DisplayText.bytes(report.bytes))"
                )
            }
        }
    }
}
