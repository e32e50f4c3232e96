import CommandKit
import EarshotAlbums
import EarshotCore
import EarshotMedia
import EarshotMusic
import EarshotRecognition
import EarshotTags
import Foundation

/// The changes that would be written into the files of an identified collection.
struct LibraryPlan {
    private(set) var items: [TagPlan] = []
    private(set) var failures: [FileFailure]

    /// - Parameters:
    ///   - decisions: The decisions on the files.
    ///   - urls: The addresses of the files, by their names.
    ///   - failures: The files for which there is no plan already, and why.
    ///   - options: The options of the plan.
    ///   - covers: The cover of an album; none where there is none.
    init(
        _ decisions: [FileDecision],
        urls: [String: URL],
        failures: [FileFailure] = [],
        options: TagPlan.Options,
        covers: (MusicMatchReference) async -> TagPicture?
    ) async {
        self.failures = failures
        for decision in decisions where options.includes(decision) {
            guard let url = urls[decision.file] else { continue }
            do throws(EarshotError) {
                let tags = try await TagFile.load(url)
                let hasCover = tags.pictures.contains { $0.kind == .frontCover }
                let cover = hasCover ? nil : await covers(MusicMatchReference(decision))
                guard let plan = try TagPlan(decision, tags: tags, cover: cover, options: options), !plan.isEmpty else {
                    continue
                }
                items.append(plan)
            } catch {
                self.failures.append(FileFailure(file: decision.file, error))
            }
        }
        items = TagPlan.settled(items)
    }

    /// Prints the changes, file by file.
    func print() {
        for item in items {
            Terminal.print(Terminal.bold(Terminal.shown(item.id)))
            for difference in item.differences {
                if !difference.old.isEmpty {
                    Terminal.print(Terminal.dim("  - \(difference.name): \(text(difference.old))"))
                }
                Terminal.print("  + \(difference.name): \(text(difference.new))")
            }
            if !item.change.edit.pictures.isEmpty { Terminal.print("  + the cover") }
            for name in item.losses {
                Terminal.print(Terminal.dim("  - \(Terminal.shown(name)), of which ID3v2.4 has nothing"))
            }
            if let path = item.path { Terminal.print("  → \(Terminal.shown(path))") }
        }
        if items.isEmpty, failures.isEmpty { Terminal.print("Nothing has to be changed.") }
        complain()
    }

    /// The files for which there is no plan, and why.
    func complain() {
        for failure in failures { Self.complain(failure) }
    }

    static func complain(_ failure: FileFailure) {
        Terminal.printError(Terminal.shown("\(failure.file): \(failure.message)"))
    }

    private func text(_ values: [String]) -> String { Terminal.shown(values.joined(separator: "; ")) }

    /// A file's changes for programs.
    struct Record: Encodable {
        struct Difference: Encodable {
            let name: String
            let old, new: [String]
        }

        let file: String
        let changes: [Difference]
        /// Tags that ID3v2.4 has no place for, and writing leaves out.
        let drops: [String]
        let path: String?
        let putsCoverIn: Bool
    }

    var records: [Record] {
        items.map { item in
            Record(
                file: item.id,
                changes: item.differences.map { Record.Difference(name: $0.name, old: $0.old, new: $0.new) },
                drops: item.losses,
                path: item.path,
                putsCoverIn: !item.change.edit.pictures.isEmpty
            )
        }
    }
}

/// The album whose cover is asked for.
struct MusicMatchReference {
    let album: String?
    let address: String?

    init(_ decision: FileDecision) {
        album = decision.match?.album.id?.rawValue
        // A picture that stands for a genre is no cover of any album.
        address = decision.match?.album.coverArt.flatMap { $0.isGenreArt ? nil : $0.url }
    }
}
