import Earshot
import EarshotTags
import Foundation

// The code on the first pages of the package and its modules, as it is printed there: `GuideTests` compares the two.

enum ReadmeSnippets {
    static func tenLines(_ songs: [URL], _ clip: URL) async throws {
        var catalog = Catalog()
        for song in songs {
            let signature = try await SignatureGenerator.signature(from: AssetReader(song))
            try catalog.add(signature, representing: [MediaItem(try await Asset.load(song))])
        }
        let query = try await SignatureGenerator.signature(from: AssetReader(clip))
        let match = try catalog.match(query)
        for item in match?.mediaItems ?? [] {
            print(item.title ?? "?", "at", item.matchOffset.seconds, "s, confidence", item.confidence)
        }
    }

    static func live(_ catalog: Catalog) async throws {
        let session = MatchSession(catalog: catalog)
        for try await event in session.events(from: try await CaptureSource()) {
            guard case .matched(let match, _) = event, let item = match.mediaItems.first else { continue }
            print(item.title ?? "?", "at", item.predictedCurrentMatchOffset.label)
        }
    }
}

enum ModulePageSnippets {
    static func earshot(_ songs: [URL], _ recording: URL) async throws {
        var catalog = Catalog()
        for url in songs {
            let asset = try await Asset.load(url)
            let signature = try await SignatureGenerator.signature(from: AssetReader(asset))
            try catalog.add(signature, representing: [MediaItem(asset)])
        }
        let query = try await SignatureGenerator.signature(from: AssetReader(recording))
        if let item = try catalog.match(query)?.mediaItems.first {
            print("\(item.title ?? "untitled") at \(item.matchOffset.label)")
        }
    }

    static func core() {
        let start = MediaTime(frames: 44_100, sampleRate: 44_100)  // one second in
        let frame = MediaTime(value: 1, timescale: 25)  // one frame of video
        print((start + frame).label)  // 00:01
    }

    static func asset(_ url: URL) async throws {
        let asset = try await Asset.load(url)
        print(asset.tags.title ?? "untitled", asset.duration.label)

        let reader = try await AssetReader(asset, options: .init(sampleRate: 16_000, channels: .mono))
        for try await block in reader {
            print(block.time.label, block.buffer.frameCount)
        }
    }

    static func tags(_ url: URL) async throws {
        var edit = TagEdit()
        try edit.set("ALBUMARTIST", to: "Various")
        try await TagFile.write(edit, to: url)
    }

    static func capture() async throws {
        let source = try await CaptureSource(options: .init(sampleRate: 16_000, channels: .mono))
        for try await block in source {
            print(block.time.label, block.buffer.frameCount)
        }
    }

    static func signature(_ source: some AudioSource, _ url: URL) async throws {
        var generator = SignatureGenerator()
        for try await block in source {
            try generator.append(block.buffer, at: block.time)
        }
        let signature = generator.signature()
        try signature.write(to: url)
    }

    static func catalog(_ signature: Signature, _ query: Signature, _ url: URL) throws {
        var catalog = Catalog()
        try catalog.add(signature, representing: [MediaItem(properties: [.title: "Sirius"])])
        try catalog.write(to: url)

        if let match = try catalog.match(query), let item = match.mediaItems.first {
            print(item.title ?? "untitled", item.matchOffset.label, item.confidence)
        }
    }

    static func store(_ additions: [Catalog.Addition], _ url: URL) throws {
        let store = try CatalogStore(url)
        try store.change { catalog in
            for outcome in try catalog.add(additions, duplicates: .skip) where !outcome.isAdded {
                print(outcome.id, outcome.duplicates.first?.id ?? "")
            }
        }
    }

    static func session(_ catalog: Catalog, _ source: some AudioSource, show: (String) -> Void) async throws {
        let session = MatchSession(catalog: catalog)
        for try await event in session.liveEvents(from: source) {
            switch event {
            case .session(.matched(let match, _)): show(match.mediaItems.first?.title ?? "?")
            case .content(let change): show("\(change.event.entry.title)")
            case .session, .level: break
            }
        }
    }
}
