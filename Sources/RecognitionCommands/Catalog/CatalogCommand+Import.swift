import ArgumentParser
import CommandKit
import Earshot
import Foundation

extension CatalogCommand {
    struct ImportCommand: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "import",
            abstract: "Add the references of other catalogs to one.",
            discussion: """
                A reference with equal signature and items is left out, whatever its name; one whose name is taken by other \
                content gets a number behind it. Where the last catalog is not there, it is made, in the form that its suffix \
                asks for. A folder that `catalog export` wrote counts as a catalog.

                EXAMPLES
                  earshot catalog import music.earcat music.earstore    from a file to a store
                  earshot catalog import new.earcat more.earstore music.earstore
                """
        )

        @Argument(help: "Catalogs, the last one being that which is added to.", completion: .file())
        var catalogs: [String]

        @OptionGroup var waiting: WaitOptions

        @Flag(name: .long, help: "Print one JSON object.")
        var json = false

        func validate() throws {
            guard catalogs.count >= 2 else { throw ValidationError("Name at least two catalogs.") }
            let last = catalogs[catalogs.count - 1]
            if !FileManager.default.fileExists(atPath: last) { try CatalogCommand.checkName(last) }
        }

        private struct Report: Encodable {
            let catalog: String
            var references = 0
            var added = 0
            var skipped = 0
        }

        func run() async throws {
            let path = catalogs[catalogs.count - 1]
            let destination = URL(fileURLWithPath: path)
            let sources = try catalogs.dropLast().map { path in
                let url = URL(fileURLWithPath: path)
                return ExportedFolder.exists(at: url)
                    ? try ExportedFolder(url).catalog() : try CatalogArgument.open(path)
            }
            for source in sources { try source.verify() }
            if !FileManager.default.fileExists(atPath: path) {
                let limits = sources[0].queryLimits
                if case .store = CatalogForm(destination) {
                    _ = try CatalogStore.create(at: destination, queryLimits: limits)
                } else {
                    try Catalog(queryLimits: limits).write(to: destination)
                }
            }
            var report = Report(catalog: path)
            for source in sources {
                let (added, skipped, count) = try CatalogForm.change(destination, patience: waiting.patience(path)) {
                    catalog in
                    guard catalog.isEmpty else {
                        let result = try catalog.add(source)
                        return (result.added, result.skipped, catalog.count)
                    }
                    // Into an empty catalog everything goes as it is.
                    let limits = catalog.queryLimits
                    catalog = source
                    catalog.queryLimits = limits
                    return (source.count, 0, source.count)
                }
                report.added += added
                report.skipped += skipped
                report.references = count
            }
            if json {
                Terminal.print(try JSON.document(report))
            } else {
                Terminal.print(
                    "\(path): \(DisplayText.plural(report.references, "reference", "references")) (\(report.added) added, "
                        + "\(report.skipped) there already)"
                )
            }
        }
    }
}
