import CommandKit
import EarshotCore
import EarshotMedia
import EarshotMusic
import Foundation

/// Brings files of lyrics into a store, each to the track that it belongs to.
struct LyricsFolder {
    /// The outcome of an import.
    struct Summary: Encodable {
        let folder: String
        /// Files of lyrics there are.
        var files = 0
        /// Files whose track is known.
        var matched = 0
        /// Files that were kept without a track.
        var unmatched = 0
        /// Files that were passed over.
        var rejected = 0
    }

    /// The song that the words are of.
    private struct Song {
        var artist: String
        var title: String
        /// The track that the audio file beside the words is.
        var track: EntityID<Track>?
    }

    private static let batchSize = 100

    let store: any MusicStore
    /// Told of each file that is passed over.
    let rejected: (EarshotError, _ file: String) -> Void

    /// - Throws: Errors of the store.
    func run(_ files: MusicFiles, of folder: String, _ bar: ProgressBar) async throws -> Summary {
        var summary = Summary(folder: folder, files: files.files.count)
        var batch: [MusicChange] = []
        var neighbours = Neighbours()
        for url in files.files.map(\.url) {
            do {
                let lyrics = try await self.lyrics(url, neighbours.audio(beside: url))
                if lyrics.tracks.isEmpty { summary.unmatched += 1 } else { summary.matched += 1 }
                batch.append(.lyrics(lyrics))
            } catch let error as EarshotError where Self.isOfFile(error) {
                summary.rejected += 1
                rejected(error, url.path)
            }
            bar.step(audioSeconds: 0)
            if batch.count >= Self.batchSize {
                try await store.apply(batch)
                batch = []
            }
        }
        try await store.apply(batch)
        return summary
    }

    /// Says that only one file is wrong, and not the store.
    private static func isOfFile(_ error: EarshotError) -> Bool {
        error.code == .metadataInvalid || error.code == .assetUnreadable
    }

    private func lyrics(_ url: URL, _ audio: URL?) async throws -> Lyrics {
        guard let handle = try? FileHandle(forReadingFrom: url) else {
            throw EarshotError(.assetUnreadable, "\(url.path) cannot be read: check that you may read it.")
        }
        defer { try? handle.close() }
        // One byte more than is allowed tells that there is more.
        guard let bytes = try? handle.read(upToCount: LRCFile.maximumSize + 1) else {
            throw EarshotError(.assetUnreadable, "\(url.path) cannot be read: check the disk.")
        }
        let file = try LRCFile(bytes)
        guard let song = try await song(url, file, audio) else {
            throw EarshotError(
                .metadataInvalid,
                "Nothing says whose words these are: write [ar:…] and [ti:…] into the file, or name it \"Artist - Title\"."
            )
        }
        var tracks: [EntityID<Track>] = []
        if let id = song.track, let track = try await store.track(id) { tracks = [track.id] }
        if tracks.isEmpty {
            tracks = try await LyricsMatching(in: store).tracks(artist: song.artist, title: song.title)
        }
        return LyricsMatching.lyrics(file, artist: song.artist, title: song.title, tracks: tracks)
    }

    private func song(_ url: URL, _ file: LRCFile, _ audio: URL?) async throws -> Song? {
        if let audio, let asset = try? await Asset.load(audio) {
            let tags = TrackTags(asset.tags.values)
            if let artist = tags.artist, let title = tags.title {
                return Song(artist: artist, title: title, track: try tags.description().trackID)
            }
        }
        let named = LyricsMatching.names(ofFile: url.deletingPathExtension().lastPathComponent)
        guard let artist = file.artist ?? named?.artist, let title = file.title ?? named?.title else { return nil }
        return Song(artist: artist, title: title)
    }

    /// The audio files of the folder that was last asked for.
    private struct Neighbours {
        private var folder: String?
        private var audio: [String: URL] = [:]

        mutating func audio(beside url: URL) -> URL? {
            let parent = url.deletingLastPathComponent()
            if parent.path != folder {
                folder = parent.path
                audio = [:]
                let names = (try? FileManager.default.contentsOfDirectory(atPath: parent.path)) ?? []
                for name in names.sorted() {
                    let file = parent.appendingPathComponent(name)
                    guard MusicFiles.audioSuffixes.contains(file.pathExtension.lowercased()) else { continue }
                    let base = file.deletingPathExtension().lastPathComponent
                    audio[base] = audio[base] ?? file
                }
            }
            return audio[url.deletingPathExtension().lastPathComponent]
        }
    }
}
