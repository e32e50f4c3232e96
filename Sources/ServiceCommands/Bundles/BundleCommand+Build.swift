import ArgumentParser
import CommandKit
import Earshot
import EarshotBroadcast
import EarshotCore
import EarshotMonitor
import EarshotMusic
import Foundation

extension BundleCommand {
    struct Build: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "build",
            abstract: "Make a bundle of media files.",
            discussion: """
                Files and folders are taken with the titles of their tags, or a manifest says what each file is: CSV with a \
                header, a JSON array, or lines of JSON objects. Its columns are file (from the manifest's folder on) and, \
                each as wanted, id, title, subtitle, work (an id, or an object of JSON), data (text) or dataFile, and dataID. \
                The layout is in Docs/formats/bundle.md.

                A newer version of a bundle takes the place of the older one in a store.

                EXAMPLES
                  earshot bundle build ads/ -o ads-12.earbundle --id ads --version 12
                  earshot bundle build --manifest quiz.json -o quiz.earbundle --id quiz
                """
        )

        @Argument(help: "Media files and folders.", completion: .file())
        var inputs: [String] = []

        @Option(
            name: .long,
            help: "What each file is: CSV or JSON.",
            completion: .file(extensions: ["csv", "json", "jsonl"])
        )
        var manifest: String?

        @Option(name: .shortAndLong, help: "Write the bundle here.", completion: .file(extensions: ["earbundle"]))
        var output: String

        @Option(
            name: .long,
            help: "The bundle's identifier: letters, digits, points, hyphens. Without it the output's name."
        )
        var id: String?

        @Option(name: .long, help: "Which state of the bundle it is; 1 unless stated.")
        var version: UInt64 = 1

        @Option(name: .long, help: "What the bundle is called.")
        var title: String?

        @Flag(name: .long, help: "Replace an existing output.")
        var replace = false

        @Flag(name: .long, help: "Pass over files that cannot be read, instead of ending there.")
        var skipUnreadable = false

        @Flag(name: .long, help: "Print one JSON object.")
        var json = false

        private struct Report: Encodable {
            let output: String
            let id: String
            let version: UInt64
            let references: Int
            let works: Int
            let customData: Int
            let bytes: Int
            let skipped: [String: String]
        }

        func validate() throws {
            guard inputs.isEmpty != (manifest == nil) else {
                throw ValidationError("Name the media files and folders, or a --manifest.")
            }
        }

        /// A file that is to become a reference, and what a manifest says of it.
        private struct Part {
            let file: URL
            let id: ReferenceID
            var entry: BundleManifest.Entry?
        }

        private func parts() throws -> [Part] {
            if let manifest {
                let entries = try BundleManifest(contentsOf: URL(fileURLWithPath: manifest)).entries
                return entries.map { Part(file: $0.file, id: $0.id, entry: $0) }
            }
            return try MusicFiles(inputs).files.map { Part(file: $0.url, id: $0.id) }
        }

        func run() async throws {
            let url = URL(fileURLWithPath: output)
            if !replace, FileManager.default.fileExists(atPath: output) { throw AtomicFile.exists(url) }
            let parts = try parts()
            let name = id ?? url.deletingPathExtension().lastPathComponent
            guard id != nil || BundleHeader.isID(name) else {
                throw EarshotError(
                    .bundleInvalid,
                    "The name of \(output) is no identifier of a bundle: give one of letters, digits, points and hyphens with --id."
                )
            }
            let header = try BundleHeader(id: name, version: version, title: title, creationDate: Date())
            let writer = try BundleWriter(url, header: header)
            let bar = ProgressBar(total: parts.count)
            var skipped: [String: String] = [:]
            for part in parts {
                do {
                    let reference = try await Self.reference(of: part)
                    try writer.add(reference, work: part.entry?.work)
                    bar.step(audioSeconds: reference.signature.duration.seconds)
                } catch let error as EarshotError
                    where skipUnreadable && error.code != .writeFailed && error.code != .cancelled
                {
                    skipped[part.file.path] = error.message
                    bar.step(audioSeconds: 0)
                }
            }
            bar.finish()
            guard skipped.count < parts.count else {
                throw EarshotError(
                    .assetUnreadable,
                    "No file could be read: \(skipped.values.first ?? "there was none")."
                )
            }
            let summary = try writer.finish(replacing: replace)
            let report = Report(
                output: output,
                id: name,
                version: version,
                references: summary.referenceCount,
                works: summary.workCount,
                customData: summary.customDataCount,
                bytes: summary.byteCount,
                skipped: skipped
            )
            if json { return Terminal.print(try JSON.document(report)) }
            for (path, reason) in skipped.sorted(by: { $0.key < $1.key }) { Terminal.note("\(path): \(reason)") }
            Terminal.print(
                "\(output): \(name) \(version), \(DisplayText.plural(report.references, "reference", "references")), "
                    + DisplayText.bytes(report.bytes)
            )
        }

        private static func reference(of part: Part) async throws -> BundleReference {
            let asset = try await Asset.load(part.file)
            let signature = try await Clip.audio(part.file).recognizable(named: part.file.path)
            let (item, entry) = (MediaItem(asset), part.entry)
            let name = part.file.deletingPathExtension().lastPathComponent
            return BundleReference(
                id: part.id,
                signature: signature,
                item: item,
                title: entry?.title ?? entry?.work?.title.text ?? item.title ?? name,
                subtitle: entry?.subtitle ?? entry?.work?.subtitle?.text ?? item.artist,
                workID: entry?.work?.id,
                customData: try entry?.customData()
            )
        }
    }

    struct Inspect: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "inspect",
            abstract: "Show what is in a bundle, and check every byte of it."
        )

        @Argument(help: "The bundle.", completion: .file(extensions: ["earbundle"]))
        var bundle: String

        @Flag(name: .long, help: "Print one JSON object.")
        var json = false

        private struct Reference: Encodable {
            let id: String
            let title: String?
            let subtitle: String?
            let seconds: Double
            let work: String?
            let dataID: String?
            let dataBytes: Int?
        }

        private struct Report: Encodable {
            let id: String
            let version: UInt64
            let title: String?
            let created: Date
            let bytes: Int
            let sha256: String
            let works: [String: String]
            let references: [Reference]
        }

        func run() async throws {
            var reader = BundleReader(name: bundle)
            var works: [String: String] = [:]
            var references: [Reference] = []
            var header: BundleHeader?
            var source = try FileBundleSource(URL(fileURLWithPath: bundle))
            let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 16)
            defer { buffer.deallocate() }
            while true {
                let count = try await source.read(into: buffer)
                if count == 0 { break }
                reader.append(UnsafeRawBufferPointer(rebasing: buffer.prefix(count)))
                while let record = try reader.next() {
                    switch record {
                    case .header(let found): header = found
                    case .end: break
                    case .work(let work): works[work.id.rawValue] = work.title.text
                    case .reference(let reference):
                        references.append(
                            Reference(
                                id: reference.id.rawValue,
                                title: reference.title,
                                subtitle: reference.subtitle,
                                seconds: reference.signature.duration.seconds,
                                work: reference.workID?.rawValue,
                                dataID: reference.customData?.identifier,
                                dataBytes: reference.customData?.bytes.count
                            )
                        )
                    }
                }
            }
            let summary = try reader.finish()
            guard let header else { throw EarshotError(.bundleInvalid, "\(bundle) has no header: get it again.") }
            let report = Report(
                id: header.id,
                version: header.version,
                title: header.title,
                created: header.creationDate,
                bytes: summary.byteCount,
                sha256: summary.digest.hexadecimal,
                works: works,
                references: references
            )
            if json { return Terminal.print(try JSON.document(report)) }
            Terminal.print(
                "\(header.id) \(header.version)\(header.title.map { "  \($0)" } ?? "")  "
                    + "\(DisplayText.plural(references.count, "reference", "references"))  \(DisplayText.bytes(summary.byteCount))"
            )
            for reference in references {
                var parts = [reference.id, DisplayText.length(MediaTime(seconds: reference.seconds))]
                parts += [reference.title, reference.subtitle].compactMap(\.self)
                if let work = reference.work { parts.append("work \(work)") }
                if let data = reference.dataID { parts.append("data \(data) (\(reference.dataBytes ?? 0) bytes)") }
                Terminal.print("  " + parts.joined(separator: "  "))
            }
        }
    }
}
