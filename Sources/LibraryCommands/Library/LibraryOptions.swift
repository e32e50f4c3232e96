import ArgumentParser
import CommandKit
import Earshot
import EarshotAlbums
import EarshotFingerprints
import EarshotLibrary
import EarshotMusic
import EarshotRecognition
import EarshotSQLite
import Foundation

/// A collection, and who knows its albums.
struct LibraryOptions: ParsableArguments {
    @Argument(help: "A folder, or files.", completion: .file())
    var paths: [String]

    @Option(name: .shortAndLong, help: "The catalog to search.", completion: .file(extensions: ["earcat", "earstore"]))
    var catalog: String?

    @OptionGroup var music: MusicOptions

    @Option(
        name: .long,
        parsing: .upToNextOption,
        help: "Leave out kinds of evidence: sound, fingerprints, tags, identifiers, names."
    )
    var without: [String] = []

    @Option(name: .long, help: "How many files are read at once; one for each processor unless said.")
    var readers: Int?

    @Flag(name: .long, help: "Look at everything again, whatever earlier runs found.")
    var fresh = false

    func validate() throws {
        for name in without where !AlbumEvidence.named.contains(where: { $0.name == name }) {
            let known = AlbumEvidence.named.map(\.name).joined(separator: ", ")
            throw ValidationError("There is no kind of evidence named \(name): choose of \(known).")
        }
        if let readers, !(1...64).contains(readers) { throw ValidationError("--readers is 1 to 64.") }
    }

    /// The folder, where it is one.
    var folder: URL? {
        paths.count == 1 && isFolder(paths[0]) ? URL(fileURLWithPath: paths[0]).standardizedFileURL : nil
    }

    private var evidence: AlbumEvidence {
        without.reduce(.all) { evidence, name in
            evidence.subtracting(AlbumEvidence.named.first { $0.name == name }?.evidence ?? [])
        }
    }

    /// Identifies the collection, with a bar on the terminal.
    func identify(withCovers: Bool = false) async throws -> (LibraryReport, AlbumIdentificationResult, LibraryKnowledge)
    {
        var options = AlbumIdentifier.Options()
        options.evidence = evidence
        options.readers = readers ?? ProcessInfo.processInfo.activeProcessorCount
        options.preferences.language = music.language.flatMap(ISOCodes.language) ?? music.language
        options.preferences.country = music.country
        options.preferences.coverArt = withCovers
        // Art that stands for a genre is no cover, and a large picture can be made smaller.
        options.preferences.genreArt = false
        options.preferences.imageSizes = [.xlarge, .large, .medium, .small, .thumbnail]
        options.isFresh = fresh
        let knowledge = try await self.knowledge()
        options.scope = try await scope(knowledge, withCovers: withCovers)
        let identifier = AlbumIdentifier(knowledge.albums, options: options, cache: try cache())
        let operation =
            if paths.count == 1, isFolder(paths[0]) {
                identifier.identify(folder: URL(fileURLWithPath: paths[0]))
            } else {
                identifier.identify(files: try paths.map(file))
            }
        let result = try await withTaskCancellationHandler {
            await showProgress(of: operation)
            return try await operation.value
        } onCancel: {
            operation.cancel()
        }
        return (LibraryReport(result), result, knowledge)
    }

    private func knowledge() async throws -> LibraryKnowledge {
        if let (service, _) = try music.remote() {
            return LibraryKnowledge(albums: service, content: service, music: nil)
        }
        let store = try await music.database.existing()
        let opened = try catalog.map { try CatalogArgument.open($0) }
        var service = LocalRecognitionService(music: store, pictures: FFmpegPictureMaker()) {
            (signature) async throws(EarshotError) in
            try opened?.match(signature)
        }
        if let opened {
            service.references = { track, artist throws(EarshotError) in
                try opened.references(ofTrack: track, artist: artist)
            }
        }
        let hearing = try fingerprints()?.trackScoring(in: store)
        return LibraryKnowledge(albums: AlbumDecider(service, hearing: hearing), content: service, music: store)
    }

    /// The fingerprints beside the file of music, as `earshot admin fingerprints add` puts them there; `nil` if there are none.
    private func fingerprints() throws(EarshotError) -> FingerprintLibrary? {
        guard let folder = try music.database.file?.deletingLastPathComponent() else { return nil }
        let store = folder.appendingPathComponent(FingerprintFiles.storeName)
        let index = folder.appendingPathComponent(FingerprintFiles.indexName, isDirectory: true)
        guard evidence.contains(.fingerprints), FileManager.default.fileExists(atPath: store.path),
            FileManager.default.fileExists(atPath: index.path)
        else { return nil }
        let library = FingerprintLibrary(
            index: try FingerprintIndex(at: index, access: .reading),
            store: try SQLiteFingerprintStore(url: store)
        )
        return library.index.count > 0 ? library : nil
    }

    private func cache() throws -> SQLiteLibraryCache {
        let url = UserFolders().own("library.sqlite", .cache)
        try? FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        return try SQLiteLibraryCache(url: url)
    }

    /// A text that tells sources of knowledge apart: they answer differently about the same files.
    private func scope(_ knowledge: LibraryKnowledge, withCovers: Bool) async throws(EarshotError) -> String {
        var parts = ["\(AlbumDecider.version)", music.language ?? "", music.country ?? ""]
        let now = Date().timeIntervalSince1970
        if let store = knowledge.music {
            parts += [try music.database.name, "\(try await store.generation())"]
            if let catalog {
                let found = try? FileManager.default.attributesOfItem(atPath: catalog)
                let written = (found?[.modificationDate] as? Date)?.timeIntervalSince1970 ?? 0
                parts += [catalog, "\((found?[.size] as? NSNumber)?.int64Value ?? 0) \(written)"]
            }
            parts.append("\(try fingerprints()?.index.count ?? 0)")
            if withCovers { parts.append("covers") }
        } else {
            // What a service knows grows: it is asked again every week. Addresses of its covers last an hour.
            let state = withCovers ? "covers \(UUID())" : "\(Int(now / 604_800))"
            parts += [music.service.address ?? "", music.service.client ?? "", state]
        }
        return parts.joined(separator: "\t")
    }

    private func isFolder(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
    }

    private func file(_ path: String) throws -> URL {
        guard FileManager.default.fileExists(atPath: path) else {
            throw EarshotError(.assetNotFound, "There is no file at \(path): check the path.")
        }
        guard !isFolder(path) else {
            throw EarshotError(.assetIsDirectory, "\(path) is a folder: name one folder, or files.")
        }
        return URL(fileURLWithPath: path)
    }

    private func showProgress(of operation: AlbumOperation) async {
        var reading: ProgressBar?
        var asking: ProgressBar?
        var done = 0
        for await event in operation.events {
            switch event {
            case .waiting, .done: break
            case .reading(let count, let total):
                let bar = reading ?? ProgressBar(total: total, done: count > 1 ? count : 0)
                if reading != nil { bar.step(audioSeconds: 0) }
                reading = bar
            case .querying(let count, let total):
                reading?.finish()
                let bar = asking ?? ProgressBar(total: total)
                if count > done + 1 || asking != nil { bar.step(audioSeconds: 0) }
                (asking, done) = (bar, count)
            }
        }
        (asking ?? reading)?.finish()
    }
}
