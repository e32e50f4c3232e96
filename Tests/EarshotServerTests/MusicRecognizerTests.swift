import EarshotAPI
import EarshotClient
import EarshotCore
import EarshotMusic
import EarshotRecognition
import Foundation
import TestSupport
import Testing

@testable import EarshotServer

@Suite("Music queries of an app")
struct MusicRecognizerTests {
    private func recognizer(
        _ service: TestService,
        _ preferences: ContentPreferences = ContentPreferences()
    ) async throws -> MusicRecognizer {
        let client = try await service.client()
        let context = try ServiceContext(license: try service.license([client]), at: service.time.now)
        let registration = try await context.register(
            try ClientIdentifier(client.identifier ?? ""),
            appVersion: "1",
            modules: [.music]
        )
        return try MusicRecognizer(
            try context.service(registration),
            registration: registration,
            preferences: preferences
        )
    }

    /// Samples of a piece as signed 16-bit bytes at 44.1 kHz, each sample repeated or left out as the rates go.
    private func bytes(_ seed: UInt64, rate: Int = 44_100) -> Data {
        let samples = TestMusic.piece(seed).samples(from: 10, seconds: 8)
        var data = Data()
        for index in 0..<Int(8 * Double(rate)) {
            // Linear between samples, which is enough for a test's tones.
            let place = Double(index) * 16_000 / Double(rate)
            let low = min(Int(place), samples.count - 2)
            let part = Float(place - Double(low))
            let value = samples[low] * (1 - part) + samples[low + 1] * part
            withUnsafeBytes(of: Int16(max(-1, min(1, value)) * 32_000).littleEndian) { data.append(contentsOf: $0) }
        }
        return data
    }

    @Test(
        "audio in pieces of any size finds tracks, and albums, without a monitor",
        .requirements("R-ACR-110", "R-ACR-111", "R-ACR-115")
    )
    func audio() async throws {
        try await TestService.run { (service: TestService) async throws in
            let music = try await recognizer(service)
            try music.begin(sampleRate: 44_100, bytesPerSample: 2, channelCount: 1)
            var rest = bytes(1)[...]
            for size in sequence(first: 1, next: { $0 * 3 }) {
                guard !rest.isEmpty else { break }
                try music.write(Data(rest.prefix(size)))
                rest = rest.dropFirst(size)
            }
            let fingerprint = try music.end()
            let tracks: [TrackResult] = try await music.tracks(of: fingerprint)
            #expect(tracks.map(\.id) == ["lantern"])
            #expect(abs((tracks.first?.position ?? 0) - 10_000) < 100)
            let albums: [AlbumResult] = try await music.albums(of: fingerprint)
            #expect(albums.map(\.id) == ["rail"])
            #expect(albums.first?.tracks.map(\.id) == ["lantern"])
        }
    }

    @Test("each field of a text alone finds something", .requirements("R-ACR-112"))
    func texts() async throws {
        try await TestService.run { (service: TestService) async throws in
            let music = try await recognizer(service)
            #expect(try await music.albums(MusicQuery(album: "morning rail")).map(\.id).contains("rail"))
            #expect(try await music.tracks(MusicQuery(track: "lantern")).map(\.id) == ["lantern"])
            #expect(try await music.artists(MusicQuery(artist: "tin foxes")).map(\.id) == ["foxes"])
            #expect(try await music.tracks(MusicQuery("foxes lantern")).map(\.id) == ["lantern"])
            #expect(try await music.tracks(LyricQuery("lantern over the hill")).map(\.id) == ["lantern"])
        }
    }

    @Test(
        "a result carries mood, tempo, credits, contributors, artist, album and track",
        .requirements("R-ACR-113")
    )
    func everything() async throws {
        try await TestService.run { (service: TestService) async throws in
            var preferences = ContentPreferences()
            (preferences.mood, preferences.tempo, preferences.era) = (true, true, true)
            let music = try await recognizer(service, preferences)
            let track = try #require(try await music.tracks(MusicQuery(track: "lantern")).first)
            #expect(track.title == "Lantern")
            #expect(!track.mood.isEmpty)
            #expect(!track.tempo.isEmpty)
            #expect(track.credits.map(\.name) == ["The Tin Foxes"])
            #expect(track.credits.map(\.role) == [.main])
            #expect(track.artist?.name == "The Tin Foxes")
            #expect(track.artist?.origin.isEmpty == false)
            #expect(track.album?.title == "Morning Rail")
            #expect(track.album?.trackCount == 9)
        }
    }

    @Test("a thread may wait for the result of each query", .requirements("R-ACR-114"))
    func waiting() async throws {
        try await TestService.run { (service: TestService) async throws in
            let music = try await recognizer(service)
            try music.begin(sampleRate: 44_100, bytesPerSample: 2, channelCount: 1)
            try music.write(bytes(1))
            let fingerprint = try music.end()
            let (results, told) = AsyncStream.makeStream(of: Result<[String?], any Error>.self)
            let thread = Thread {
                told.yield(
                    Result {
                        let tracks = try music.tracks(MusicQuery(track: "lantern"))
                        let albums = try music.albums(MusicQuery(album: "morning rail"))
                        let artists = try music.artists(MusicQuery(artist: "tin foxes"))
                        let sung = try music.tracks(LyricQuery("lantern over the hill"))
                        let heard = try music.tracks(of: fingerprint)
                        let heardAlbums = try music.albums(of: fingerprint)
                        return (tracks + sung + heard).map(\.id?.rawValue) + (albums + heardAlbums).map(\.id?.rawValue)
                            + artists.filter { $0.id == "foxes" }.map(\.id?.rawValue)
                    }
                )
            }
            thread.start()
            var iterator = results.makeAsyncIterator()
            let found = try await iterator.next()?.get()
            #expect(found == ["lantern", "lantern", "lantern", "rail", "rail", "foxes"])
        }
    }

    @Test("a source of another format than was declared is refused", .requirements("R-ACR-116"))
    func formats() async throws {
        try await TestService.run { (service: TestService) async throws in
            let music = try await recognizer(service)
            func code(_ body: () throws -> Void) -> EarshotError.Code? {
                do {
                    try body()
                    return nil
                } catch {
                    return (error as? EarshotError)?.code
                }
            }
            let mono = AudioBuffer([Float](repeating: 0, count: 100), sampleRate: 44_100, channelCount: 1)
            #expect(code { try music.write(mono) } == .notStarted)
            #expect(code { _ = try music.end() } == .notStarted)
            try music.begin(sampleRate: 44_100, bytesPerSample: 2, channelCount: 2)
            #expect(code { try music.write(mono) } == .audioFormatInvalid)
            try music.begin(sampleRate: 48_000, bytesPerSample: 2, channelCount: 1)
            #expect(code { try music.write(mono) } == .audioFormatInvalid)
            #expect(
                code { try music.begin(sampleRate: 44_100, bytesPerSample: 3, channelCount: 1) } == .audioFormatInvalid
            )
            #expect(code { try music.begin(sampleRate: 0) } == .audioFormatInvalid)
            try music.begin()
            try music.write(mono)
            #expect(code { _ = try music.end() } == .signatureInvalid)
        }
    }

    @Test("a registration for monitoring makes no music queries", .requirements("R-ACR-005", "R-ACR-019"))
    func modules() throws {
        let registration = Registration(modules: [.monitoring], service: "http://x", client: "1", user: "u.s")
        let service = HTTPRecognitionService(
            try #require(URL(string: "http://127.0.0.1:1")),
            configuration: try ClientConfiguration(clientIdentifier: "12345678-ABC")
        )
        #expect {
            _ = try MusicRecognizer(service, registration: registration)
        } throws: {
            ($0 as? EarshotError)?.code == .registrationMismatch
        }
    }
}
