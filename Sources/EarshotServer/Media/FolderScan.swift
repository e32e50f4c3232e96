import EarshotCore
import EarshotLibrary
import EarshotMedia
import Foundation
import Logging

/// Learns of the music in media folders by the tags of their files, again and again; what has not changed is not read anew.
actor FolderScan: MediaIndex {
    /// How many files are read before those that are known are told of them.
    private static let pieceSize = 64

    private let roots: MediaRoots
    private let interval: Duration
    private let logger: Logger
    private let live = LiveLibraryIndex()
    /// What each file was when it was read.
    private var stamps: [String: String] = [:]
    private var isComplete = false

    /// - Parameters:
    ///   - roots: The folders.
    ///   - interval: How long it rests before it looks again.
    ///   - logger: Told what was found.
    init(_ roots: MediaRoots, interval: Duration = .seconds(300), logger: Logger) {
        self.roots = roots
        self.interval = interval
        self.logger = logger
    }

    func state() async -> MediaIndexState {
        MediaIndexState(index: await live.snapshot, isComplete: isComplete)
    }

    func run() async {
        while !Task.isCancelled {
            await scan()
            guard (try? await Task.sleep(for: interval)) != nil else { return }
        }
    }

    /// Looks once.
    func scan() async {
        let begin = ContinuousClock.now
        var found: Set<String> = []
        var isWhole = true
        for root in roots.roots {
            do throws(EarshotError) {
                let roots = roots
                let places = try await BlockingWork.run { () throws(EarshotError) in
                    try roots.files(below: root.name)
                }
                found.formUnion(places.map(\.id))
                let new = places.filter { stamps[$0.id] != $0.stamp }
                for first in stride(from: 0, to: new.count, by: Self.pieceSize) {
                    guard !Task.isCancelled else { return }
                    await read(Array(new[first..<min(new.count, first + Self.pieceSize)]))
                }
            } catch {
                // A disk that is away is no reason to forget what is on it.
                isWhole = false
                logger.warning(
                    "A media folder could not be looked at",
                    metadata: ["root": "\(root.name)", "reason": "\(error.message)"]
                )
            }
        }
        if isWhole {
            let gone = stamps.keys.filter { !found.contains($0) }
            await live.remove(gone.map(Self.identifier))
            for id in gone { stamps[id] = nil }
        }
        let seconds = (ContinuousClock.now - begin).seconds
        if !isComplete {
            logger.info("Media folders were looked at", metadata: ["files": "\(found.count)", "seconds": "\(seconds)"])
        }
        isComplete = true
    }

    private func read(_ places: [MediaRoots.Place]) async {
        let items = await withCheckedContinuation { continuation in
            DispatchQueue.global(qos: .utility).async {
                continuation.resume(returning: places.map(Self.item))
            }
        }
        await live.add(items.compactMap(\.self))
        // One that cannot be read is not tried again before it changes.
        for (place, item) in zip(places, items) {
            if item == nil { await live.remove([Self.identifier(place.id)]) }
            stamps[place.id] = place.stamp
        }
    }

    private static func identifier(_ id: String) -> ItemID { ItemID(library: "media folders", key: id) }

    /// A file as an item; nothing for one without sound.
    private static func item(_ place: MediaRoots.Place) -> MusicItem? {
        guard let asset = try? Asset.loadBlocking(place.url), !asset.streams.isEmpty else { return nil }
        let tags = asset.tags
        return MusicItem(
            id: identifier(place.id),
            assetURL: place.url,
            kind: asset.hasVideo ? .musicVideo : .song,
            title: tags.title ?? place.url.deletingPathExtension().lastPathComponent,
            artist: tags.artist,
            album: tags.album,
            albumArtist: tags.albumArtist,
            composer: tags.composer,
            genre: tags.genre,
            discNumber: number(tags.disc),
            trackNumber: number(tags.track),
            year: tags.date.flatMap { Int($0.prefix(4)) },
            duration: asset.duration
        )
    }

    /// The number of `3` or `3/12`.
    private static func number(_ text: String?) -> Int? {
        text.flatMap { $0.split(separator: "/").first }.flatMap { Int($0.trimmingCharacters(in: .whitespaces)) }
    }
}
