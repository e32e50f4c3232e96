import Earshot
import Foundation

// The code of the guide "Your first catalog", as it is printed there: `GuideTests` compares the two.

extension MediaItemKey {
    static let teacher: MediaItemKey = "teacher"
    static let episode: MediaItemKey = "episode"
}

enum FirstCatalogSnippets {
    static func tenLines(_ songs: [URL], _ clip: URL, _ file: URL, show: (String) -> Void) async throws -> Catalog {
        var catalog = Catalog()
        for song in songs {
            let signature = try await SignatureGenerator.signature(from: AssetReader(song))
            try catalog.add(signature, representing: [MediaItem(try await Asset.load(song))])
        }
        try catalog.write(to: file)
        let query = try await SignatureGenerator.signature(from: AssetReader(clip))
        for item in try catalog.match(query)?.mediaItems ?? [] {
            show("\(item.title ?? "?") at \(item.matchOffset.label)")
        }
        return catalog
    }

    static func items(_ signature: Signature) throws -> (MediaItem, Catalog) {
        var catalog = Catalog()
        let item = try MediaItem(properties: [.title: "Sums", .teacher: "Ada", .episode: 3])
        try catalog.add(signature, representing: [item], id: "lessons/3")
        return (item, catalog)
    }

    static func ranges(_ signature: Signature) throws -> Catalog {
        var catalog = Catalog()
        let prologue = try MediaItem(properties: [.title: "Prologue", .timeRanges: [[0, 95.5]]])
        let whole = try MediaItem(properties: [.title: "The play"])
        try catalog.add(signature, representing: [prologue, whole], id: "play")
        return catalog
    }

    static func store(
        _ signature: Signature,
        _ item: MediaItem,
        in folder: URL,
        show: (String) -> Void
    ) throws -> CatalogStore {
        let store = try CatalogStore.create(at: folder)
        let outcomes = try store.change { catalog in
            try catalog.add([.init(id: "lessons/3", signature: signature, items: [item])], duplicates: .skip)
        }
        for outcome in outcomes where !outcome.isAdded {
            show("\(outcome.id) is there already: \(outcome.duplicates.first?.id ?? "?")")
        }
        return store
    }

    static func match(_ query: Signature, in catalog: Catalog, show: (String) -> Void) throws {
        guard let match = try catalog.match(query) else { return show("Nothing matched.") }
        for reference in match.references {
            let best = reference.best
            show("\(reference.id) from \(best.referenceRange.lowerBound.label), confidence \(best.confidence)")
        }
    }

    static func plays(_ recording: Signature, in catalog: Catalog, show: (String) -> Void) throws {
        for play in try catalog.plays(in: recording) {
            show("\(play.queryRange.lowerBound.label)-\(play.queryRange.upperBound.label) \(play.id)")
        }
    }
}
