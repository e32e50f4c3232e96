import EarshotCatalogs
import EarshotClient
import EarshotCore
import EarshotMedia
import EarshotMusic
import EarshotRecognition
import EarshotSQLite
import EarshotSignatures
import Foundation

/// A service in this process that knows the sample music.
struct Demo: Sendable {
    let service: LocalRecognitionService
    let files: [URL]

    /// Reads the music of a folder: ten seconds of work for the samples.
    init(music folder: URL) async throws {
        files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .filter { $0.pathExtension == "ogg" }
            .sorted { $0.path < $1.path }
        let store = try SQLiteMusicStore.inMemory()
        var catalog = Catalog()
        for file in files {
            let name = file.deletingPathExtension().lastPathComponent
            let tags = try await Asset.load(file).tags
            let artist = Artist(id: EntityID("artist-\(name)"), name: Name(tags.artist ?? "Unknown"))
            let credits = [ArtistCredit(artist.name.text, artist: artist.id)]
            let album = Album(id: EntityID("album-\(name)"), title: Name(tags.album ?? "Samples"), credits: credits)
            let track = Track(
                id: EntityID(name),
                title: Name(tags.title ?? name),
                credits: credits,
                place: Track.Place(album: album.id, number: 1)
            )
            try await store.apply([.artist(artist), .album(album), .track(track)])
            let signature = try await SignatureGenerator.signature(from: AssetReader(file))
            try catalog.add(signature, representing: [], id: ReferenceID(name))
        }
        let words = Lyrics(
            id: "words",
            tracks: [EntityID(files.first?.deletingPathExtension().lastPathComponent ?? "")],
            lines: [.init("This sample is sung without words")]
        )
        try await store.apply([.lyrics(words)])
        service = LocalRecognitionService(music: store) { [catalog] (signature) throws(EarshotError) in
            try catalog.match(signature)
        }
    }

    /// Samples of a file, from a time on.
    static func samples(_ file: URL, from start: Double, seconds: Double) async throws -> PCMBuffer {
        var options = AssetReader.Options()
        options.range = MediaTime(seconds: start)..<MediaTime(seconds: start + seconds)
        options.sampleRate = 8_000
        options.channels = .mono
        var samples: [Float] = []
        for try await block in try await AssetReader(file, options: options) {
            switch block.buffer.samples {
            case .float32(let floats): samples += floats
            case .int16(let integers): samples += integers.map { Float($0) / 32_768 }
            }
        }
        return PCMBuffer(AudioBuffer(samples, sampleRate: 8_000))
    }
}

extension RecognizerApp {
    /// Every class of operation, one after the other.
    func run(_ demo: Demo, unknown: URL?) async throws {
        guard let first = demo.files.first, let last = demo.files.last else { return }
        await find(.microphone, as: .microphone)
        let samples = try await Demo.samples(last, from: 8, seconds: 8)
        if let kept = await fingerprint(samples) { await find(.fingerprint(kept), as: .fingerprint) }
        await find(.stream(samples), as: .samples)
        await find(.file(first), as: .file)
        _ = await find(files: demo.files)
        let title = screen.result?.best?.track.title
        await find(.text(MusicQuery(track: title)), as: .text)
        await find(.lyrics(LyricQuery("sung without words")), as: .lyrics)
        // What was recognized once is fetched by its identifier from then on.
        if let id = screen.result?.best?.track.id { await find(.track(id), as: .track) }
        if let unknown {
            await find(.stream(try await Demo.samples(unknown, from: 3, seconds: 8)), as: .samples)
            tell(.sought(.humming))
        }
        await showHistory()
    }
}
