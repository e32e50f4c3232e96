import EarshotCore
import EarshotMedia
import Foundation
import TestSupport
import Testing

@Suite("What cannot be read")
struct ErrorTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// The error of opening a file; the message must name the file and the step.
    private func failure(_ url: URL, options: AssetReader.Options = .init()) async throws -> EarshotError.Code? {
        let error = await #expect(throws: EarshotError.self) {
            _ = try await AssetReader(url, options: options)
        }
        let message = error?.message ?? ""
        #expect(message.contains(url.path))
        #expect(message.contains("opened") || message.contains("decoded"))
        return error?.code
    }

    /// A fixture with every occurrence of one text replaced by another of the same length.
    private func patched(_ name: String, _ old: String, _ new: String) throws -> URL {
        var bytes = try Fixtures.bytes(name)
        let (old, new) = (Array(old.utf8), Array(new.utf8))
        var count = 0
        for index in 0...bytes.count - old.count where bytes[index..<index + old.count].elementsEqual(old) {
            bytes.replaceSubrange(index..<index + old.count, with: new)
            count += 1
        }
        try #require(count > 0)
        return try folder.write(bytes, as: "patched-\(name)")
    }

    @Test("Nothing there, or a folder", .requirements("R-MR-101"))
    func missing() async throws {
        #expect(try await failure(folder.url.appendingPathComponent("missing.mp3")) == .assetNotFound)
        #expect(try await failure(folder.url) == .assetIsDirectory)
    }

    @Test("A text file renamed to .mp3, and other things that are no media", .requirements("R-MR-011", "R-MR-101"))
    func noMedia() async throws {
        let text = Array(String(repeating: "The quick brown fox jumps over the lazy dog. ", count: 200).utf8)
        var generator = SeededGenerator(seed: 7)
        let noise = (0..<20_000).map { _ in UInt8.random(in: 0...255, using: &generator) }
        for (name, bytes) in [("song.mp3", text), ("song.flac", text), ("song.m4a", noise), ("short.wav", [0x52])] {
            #expect(try await failure(folder.write(bytes, as: name)) == .assetUnreadable)
        }
    }

    @Test("Random bytes are never taken for a song", arguments: ["mp3", "aac", "wav", "ogg", "bin"])
    func noise(_ suffix: String) async throws {
        var generator = SeededGenerator(seed: 11)
        let noise = (0..<4_000).map { _ in UInt8.random(in: 0...255, using: &generator) }
        let url = try folder.write(noise, as: "noise.\(suffix)")
        // Chance may make a frame or two of an MP3; it must still end in an error or almost nothing.
        if let recording = try? await Recording.read(url) {
            #expect(recording.frameCount < 10_000)
        }
    }

    @Test("An empty file says so", .requirements("R-MR-101"))
    func empty() async throws {
        let url = try folder.write([], as: "empty.mp3")
        #expect(try await failure(url) == .assetUnreadable)
        let error = await #expect(throws: EarshotError.self) { _ = try await Asset.load(url) }
        #expect(error?.message.contains("empty") == true)
    }

    @Test("A file that may not be read says so", .enabled(if: geteuid() != 0, "root may read everything"))
    func forbidden() async throws {
        let url = try folder.write(Fixtures.bytes("wav16.wav"), as: "secret.wav")
        try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: url.path)
        let error = await #expect(throws: EarshotError.self) { _ = try await Asset.load(url) }
        #expect(error?.code == .assetUnreadable)
        #expect(error?.message.contains("permission") == true)
    }

    @Test("No sound, or not the track asked for", .requirements("R-MR-101"))
    func noSound() async throws {
        #expect(try await failure(Fixtures.url("silent.mp4")) == .noAudioStream)
        #expect(try await failure(Fixtures.url("multi.mkv"), options: .init(stream: .index(0))) == .noAudioStream)
        #expect(try await failure(Fixtures.url("wav16.wav"), options: .init(stream: .index(9))) == .noAudioStream)
    }

    @Test("Protected files are refused", .requirements("R-MR-097", "R-MR-101"))
    func protected() async throws {
        #expect(try await failure(Fixtures.url("protected.mp4")) == .assetProtected)
        for tag in ["drms", "enca"] {
            #expect(try await failure(patched("tagged.m4a", "mp4a", tag)) == .assetProtected)
        }
    }

    @Test("An encoding without decoder is named", .requirements("R-MR-101"))
    func unknownCodec() async throws {
        let url = try patched("alac.m4a", "alac", "qqqq")
        let error = await #expect(throws: EarshotError.self) { _ = try await AssetReader(url) }
        #expect(error?.code == .codecUnsupported)
        #expect(error?.message.contains("'qqqq'") == true)
    }

    @Test("A file with a header and no sound is whole and empty")
    func noFrames() async throws {
        let url = try folder.write(WaveFile.bytes([], sampleRate: 44_100, channelCount: 2), as: "none.wav")
        let recording = try await Recording.read(url)
        #expect(recording.blocks.isEmpty && recording.error == nil)
    }

    @Test("A local list cannot make the reader open another file")
    func lists() async throws {
        let target = try folder.write(Fixtures.bytes("half1.mp3"), as: "target.mp3")
        let playlist = """
            #EXTM3U
            #EXT-X-TARGETDURATION:1
            #EXT-X-MEDIA-SEQUENCE:0
            #EXTINF:1,
            \(target.lastPathComponent)
            #EXT-X-ENDLIST
            """
        let lists = [
            ("list.m3u8", playlist), ("list.ffconcat", "ffconcat version 1.0\nfile target.mp3\n"),
            ("list.sdp", "v=0\no=- 0 0 IN IP4 127.0.0.1\nc=IN IP4 127.0.0.1\nm=audio 5004 RTP/AVP 0\n"),
        ]
        for (name, text) in lists {
            let url = try folder.write(Array(text.utf8), as: name)
            #expect(try await failure(url) == .assetUnreadable)
        }
    }

    @Test("Damage at the begin does not move what follows")
    func damagedBegin() async throws {
        var bytes = try Fixtures.bytes("chirp.flac")
        for index in 9_500..<9_540 { bytes[index] ^= 0xA5 }
        let recording = try await Recording.read(folder.write(bytes, as: "damaged.flac"))
        #expect(recording.start == MediaTime(frames: 4_608, sampleRate: 44_100))
        #expect(recording.end == MediaTime(frames: 22_050, sampleRate: 44_100))
        #expect(recording.error == nil)
    }

    @Test("Damage in the middle is left out, counted, and does not end reading")
    func damage() async throws {
        var bytes = try Fixtures.bytes("chirp.flac")
        // One bit in the second of its five frames: it would decode, to noise.
        bytes[12_700] ^= 1
        let url = try folder.write(bytes, as: "damaged.flac")
        let reader = try await AssetReader(url)
        var recording = Recording(format: reader.format)
        for try await block in reader { recording.blocks.append(block) }
        #expect(reader.progress.damagedPacketCount > 0)
        #expect(recording.frameCount < 22_050)
        // What follows the damage lies where it belongs, behind a gap.
        #expect(recording.end == MediaTime(frames: 22_050, sampleRate: 44_100))
        for block in recording.blocks {
            let first = Int(block.time.value)
            let count = block.buffer.frameCount
            let signal = TestSignal.samples(TestSignal.left, sampleRate: 44_100, from: first, count: count)
            let heard = Recording(blocks: [block]).channel(0)
            #expect(TestSignal.largestDifference(heard, signal) <= 1 / 32768)
        }
        let progress = reader.progress
        #expect(progress.fraction == 1)
    }
}
