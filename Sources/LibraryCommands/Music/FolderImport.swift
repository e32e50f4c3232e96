import CommandKit
import EarshotCore
import EarshotMedia
import EarshotMusic
import EarshotRecognition
import Foundation

/// Brings the tags and covers of a folder of audio files into a store.
///
/// For each folder the store keeps which files were read, with their sizes and dates: what has not changed is passed over
/// the next time, and an import that was ended goes on.
struct FolderImport {
    /// The outcome of an import.
    struct Summary: Encodable {
        let folder: String
        /// Audio files there are.
        var files = 0
        /// Of these, files that have not changed since they were last read.
        var unchanged = 0
        /// Files that were passed over.
        var rejected = 0
        /// Pictures that were kept, each once.
        var pictures = 0
        /// Pictures that could not be used.
        var picturesRejected = 0
        /// Artists, albums, tracks and pictures that were written.
        var changes = 0
    }

    /// The files of a folder that were read, for the next run.
    private struct Ledger: Codable {
        /// The picture beside the files.
        var cover: String?
        /// Files by name.
        var files: [String: String] = [:]
    }

    private static let batchSize = 50
    private static let readers = 4

    let store: any MusicStore
    let unknown: UnknownDescriptors
    /// Told of each file and picture that is passed over.
    let rejected: (EarshotError, _ file: String) -> Void

    /// - Throws: Errors of the store.
    func run(_ files: MusicFiles, of folder: String, restart: Bool, _ bar: ProgressBar) async throws -> Summary {
        var summary = Summary(folder: folder, files: files.files.count)
        var pictures: Set<EntityID<Picture>> = []
        let groups = Dictionary(grouping: files.files.map(\.url)) { $0.deletingLastPathComponent().path }
        for (path, urls) in groups.sorted(by: { $0.key < $1.key }) {
            try await readFolder(path, urls, restart: restart, &pictures, &summary, bar)
        }
        for failure in files.failures {
            summary.rejected += 1
            rejected(EarshotError(.assetUnreadable, failure.message), failure.file)
        }
        return summary
    }

    private func readFolder(
        _ path: String,
        _ urls: [URL],
        restart: Bool,
        _ pictures: inout Set<EntityID<Picture>>,
        _ summary: inout Summary,
        _ bar: ProgressBar
    ) async throws {
        let name = "folder \(path)"
        let folder = CoverFolder(path)
        var before = Ledger()
        if !restart, let text = try await store.checkpoint(name) {
            before = (try? JSONDecoder().decode(Ledger.self, from: Data(text.utf8))) ?? Ledger()
        }
        // Another picture beside the files may be the cover of any of them.
        let known = before.cover == folder.stamp ? before.files : [:]
        var ledger = Ledger(cover: folder.stamp)
        var fresh: [(url: URL, stamp: String)] = []
        for url in urls {
            let stamp = ChangeStamp.stamp(of: url)
            if let stamp, known[url.lastPathComponent] == stamp {
                ledger.files[url.lastPathComponent] = stamp
            } else {
                fresh.append((url, stamp ?? ""))
            }
        }
        summary.unchanged += urls.count - fresh.count
        bar.skip(urls.count - fresh.count)
        for start in stride(from: 0, to: fresh.count, by: Self.batchSize) {
            let batch = fresh[start..<min(fresh.count, start + Self.batchSize)]
            var changes: [MusicChange] = []
            for (file, result) in zip(batch, await Self.load(batch.map(\.url), bar)) {
                do {
                    changes += try self.changes(try result.get(), in: folder, &pictures, &summary)
                    ledger.files[file.url.lastPathComponent] = file.stamp
                } catch let error as EarshotError {
                    summary.rejected += 1
                    rejected(error, file.url.path)
                }
            }
            summary.pictures = pictures.count
            changes = try await MetadataMerger(into: store, keepsNames: true).filled(changes)
            summary.changes += changes.count
            let text = String(decoding: try JSONEncoder().encode(ledger), as: UTF8.self)
            try await store.apply(changes + [.checkpoint(name, value: text)])
        }
    }

    // MARK: - Files

    private struct Loaded: Sendable {
        var place: Int
        var result: Result<Asset, EarshotError>
    }

    /// Opens files, a few at once, and gives them in their order.
    private static func load(_ urls: [URL], _ bar: ProgressBar) async -> [Result<Asset, EarshotError>] {
        var loaded: [Loaded] = []
        await withTaskGroup(of: Loaded.self) { group in
            for (place, url) in urls.enumerated() {
                if place >= readers, let done = await group.next() {
                    loaded.append(done)
                    bar.step(audioSeconds: 0)
                }
                group.addTask { await load(url, place) }
            }
            for await done in group {
                loaded.append(done)
                bar.step(audioSeconds: 0)
            }
        }
        return loaded.sorted { $0.place < $1.place }.map(\.result)
    }

    /// A function of its own: inside the closure of a task, Swift 6.3 mixes up what an optimized build captures beside a
    /// typed error.
    private static func load(_ url: URL, _ place: Int) async -> Loaded {
        do {
            let asset = try await Asset.load(url)
            return Loaded(place: place, result: .success(asset))
        } catch {
            return Loaded(place: place, result: .failure(error))
        }
    }

    private func changes(
        _ asset: Asset,
        in folder: CoverFolder,
        _ pictures: inout Set<EntityID<Picture>>,
        _ summary: inout Summary
    ) throws -> [MusicChange] {
        guard !asset.streams.isEmpty else {
            throw EarshotError(.noAudioStream, "\(asset.url.path) has no sound: name it otherwise, or leave it out.")
        }
        var track = try TrackTags(asset.tags.values).description(duration: asset.duration, unknown: unknown)
        var changes: [MusicChange] = []
        if track.album != nil, let (picture, bytes) = cover(of: asset, in: folder, &summary) {
            track.covers = [picture.id]
            if pictures.insert(picture.id).inserted { changes.append(.picture(picture, bytes)) }
        }
        if track.album != nil, let (picture, bytes) = back(in: folder, &summary) {
            track.covers.append(picture.id)
            if pictures.insert(picture.id).inserted { changes.append(.picture(picture, bytes)) }
        }
        return changes + track.changes
    }

    private func back(in folder: CoverFolder, _ summary: inout Summary) -> (Picture, Data)? {
        switch folder.back {
        case .success(let back)?: return back
        case .failure(let error)?:
            if !folder.wasToldOfBack {
                folder.wasToldOfBack = true
                summary.picturesRejected += 1
                rejected(error, folder.path)
            }
            return nil
        case nil: return nil
        }
    }

    private func cover(of asset: Asset, in folder: CoverFolder, _ summary: inout Summary) -> (Picture, Data)? {
        if let artwork = asset.artwork {
            switch CoverFolder.picture(Data(artwork.bytes), named: asset.url.path) {
            case .success(let cover): return cover
            case .failure(let error):
                summary.picturesRejected += 1
                rejected(error, asset.url.path)
            }
        }
        switch folder.cover {
        case .success(let cover)?: return cover
        case .failure(let error)?:
            if !folder.wasTold {
                folder.wasTold = true
                summary.picturesRejected += 1
                rejected(error, folder.path)
            }
            return nil
        case nil: return nil
        }
    }
}

extension Tags {
    /// The values by the names as the file spells them.
    var values: [String: String] {
        Dictionary(names.compactMap { name in self[name].map { (name, $0) } }, uniquingKeysWith: { first, _ in first })
    }
}
