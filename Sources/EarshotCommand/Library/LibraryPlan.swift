import EarshotAlbums
import EarshotCatalogs
import EarshotCore
import EarshotMedia
import EarshotMetadata
import Foundation

/// What would be written into the files of an identified collection.
struct LibraryPlan {
    private(set) var items: [TagPlan] = []
    private(set) var failures: [FileFailure] = []

    /// - Parameters:
    ///   - result: What the files are.
    ///   - covers: The cover of an album; none where there is none.
    init(
        _ result: AlbumIdentificationResult,
        options: TagPlan.Options,
        covers: (MusicMatchReference) async -> TagPicture?
    ) async {
        for decision in result.matched {
            guard let url = result.urls[decision.file] else { continue }
            do throws(EarshotError) {
                let tags = try await TagFile.load(url)
                let cover = await covers(MusicMatchReference(decision))
                guard let plan = try TagPlan(decision, tags: tags, cover: cover, options: options), !plan.isEmpty else {
                    continue
                }
                items.append(plan)
            } catch {
                failures.append(FileFailure(file: decision.file, error))
            }
        }
    }

    /// What changes, file by file.
    func print() {
        for item in items {
            Console.say(Console.bold(item.id))
            for difference in item.differences {
                if !difference.old.isEmpty {
                    Console.say(Console.dim("  - \(difference.name): \(text(difference.old))"))
                }
                Console.say("  + \(difference.name): \(text(difference.new))")
            }
            if !item.change.edit.pictures.isEmpty { Console.say("  + the cover") }
            if let path = item.path { Console.say("  → \(path)") }
        }
        if items.isEmpty { Console.say("Nothing has to be changed.") }
        for failure in failures { Console.complain("\(failure.file): \(failure.message)") }
    }

    private func text(_ values: [String]) -> String { values.joined(separator: "; ") }

    /// A file's changes for programs.
    struct Record: Encodable {
        struct Difference: Encodable {
            let name: String
            let old, new: [String]
        }

        let file: String
        let changes: [Difference]
        let path: String?
        let putsCoverIn: Bool
    }

    var records: [Record] {
        items.map { item in
            Record(
                file: item.id,
                changes: item.differences.map { Record.Difference(name: $0.name, old: $0.old, new: $0.new) },
                path: item.path,
                putsCoverIn: !item.change.edit.pictures.isEmpty
            )
        }
    }
}

/// Which album's cover is asked for.
struct MusicMatchReference {
    let album: String?
    let address: String?

    init(_ decision: FileDecision) {
        album = decision.match?.albumID?.rawValue
        address = decision.match?.coverArt?.url
    }
}
