import EarshotCore
import Foundation
import TestSupport
import Testing

@testable import EarshotMedia

@Suite("Tags that FFmpeg is given")
struct TagLimitTests {
    private func patches(_ bytes: [UInt8], isPipe: Bool = false) -> [TagLimit.Patch] {
        TagLimit.patches(size: isPipe ? nil : bytes.count) { offset, count in
            guard offset < bytes.count else { return [] }
            return Array(bytes[offset..<min(bytes.count, offset + count)])
        }
    }

    private func changed(_ bytes: [UInt8], by patches: [TagLimit.Patch]) -> [UInt8] {
        var bytes = bytes
        bytes.withUnsafeMutableBufferPointer { buffer in for patch in patches { patch.apply(to: buffer, at: 0) } }
        return bytes
    }

    @Test("The first 2,000 tags of a file are read and the sound stays the same", arguments: ManyTags.allCases)
    func files(_ kind: ManyTags) async throws {
        let folder = try TemporaryFolder()
        let suffix = kind.plain.split(separator: ".").last ?? ""
        let few = try folder.write(try kind.bytes(1_000), as: "few.\(suffix)")
        let many = try folder.write(try kind.bytes(4_500), as: "many.\(suffix)")
        #expect(patches(try kind.bytes(1_000)).isEmpty)
        #expect(!patches(try kind.bytes(4_500)).isEmpty)
        let (some, most) = (try await Asset.load(few), try await Asset.load(many))
        #expect(some.tags.names.count >= 900, "the file has tags that FFmpeg reads")
        #expect((1_000...2_100).contains(most.tags.names.count))
        #expect(
            try AudioDigest.blocking(many, .samples) == AudioDigest.blocking(Fixtures.url(kind.plain), .samples)
        )
    }

    // Not with tags in a row: without a name FFmpeg passes over one of them only when it looks what a stream is.
    @Test("A pipe is read with so many tags as a file", arguments: [ManyTags.id3, .flac, .ogg, .opus])
    func pipes(_ kind: ManyTags) async throws {
        let bytes = try kind.bytes(4_500)
        let pipe = Pipe()
        let (input, output) = (pipe.fileHandleForReading, pipe.fileHandleForWriting)
        let writing = Thread {
            try? output.write(contentsOf: Data(bytes))
            try? output.close()
        }
        writing.start()
        let asset = try await Asset.load(try #require(URL(string: "pipe:\(input.fileDescriptor)")))
        #expect((1_000...2_100).contains(asset.tags.names.count))
        #expect(asset.streams.count == 1)
        // Whoever writes ends with whoever reads.
        try input.close()
    }

    @Test("Files as they are have nothing to change", arguments: Fixtures.readable)
    func plain(_ name: String) throws {
        let bytes = try Fixtures.bytes(name)
        #expect(patches(bytes).isEmpty)
        #expect(patches(bytes, isPipe: true).isEmpty)
    }

    @Test("A large picture and padding are left as they are")
    func pictures() throws {
        let picture = ManyTags.frame(
            "APIC",
            [0] + Array("image/png".utf8) + [0, 3, 0] + [UInt8](repeating: 7, count: 5 << 20)
        )
        let padding = [UInt8](repeating: 0, count: 100_001)
        let tag = ManyTags.id3(ManyTags.frames(0..<1_500) + picture + ManyTags.frames(1_500..<1_900) + padding)
        #expect(patches(tag + (try Fixtures.bytes("half1.mp3"))).isEmpty)
    }

    @Test("Frames behind padding, in chapters, and of much text are counted")
    func hidden() throws {
        let padded = ManyTags.frames(0..<1_000) + [UInt8](repeating: 0, count: 10_000) + ManyTags.frames(0..<1_500)
        #expect(patches(ManyTags.id3(padded)).count == 1)
        let chapter = Array("one".utf8) + [UInt8](repeating: 0, count: 17) + ManyTags.frames(0..<2_500)
        #expect(patches(ManyTags.id3(ManyTags.frame("CHAP", chapter))).count == 1)
        let long = ManyTags.frame("TXXX", [0] + [UInt8](repeating: 0x61, count: TagLimit.textLimit))
        #expect(patches(ManyTags.id3(long)).map(\.offset) == [10])
    }

    @Test("Tags in boxes that go on to the end of the file are counted")
    func openEnded() throws {
        var movie = try ManyTags.mp4.bytes(2_500)
        for name in ["moov", "udta", "meta", "ilst"] {
            let place = try #require(movie.ranges(of: ManyTags.text(name)).last).lowerBound
            movie.replaceSubrange(place - 4..<place, with: [0, 0, 0, 0])
        }
        #expect(patches(movie).map(\.bytes) == [[0, 0, 0, 0] + ManyTags.text("free")])
    }

    @Test("Comments behind a stream in Ogg that has none are counted")
    func streams() throws {
        func page(_ flags: UInt8, _ body: [UInt8]) -> [UInt8] {
            ManyTags.text("OggS") + [0, flags] + [UInt8](repeating: 0, count: 8) + ManyTags.little(4_711)
                + [UInt8](repeating: 0, count: 8) + [1, UInt8(body.count)] + body
        }
        let skeleton = ManyTags.text("fishead") + [UInt8](repeating: 0, count: 57)
        let bone = ManyTags.text("fisbone") + [UInt8](repeating: 0, count: 45)
        for head in [page(2, skeleton), page(2, skeleton) + page(0, bone)] {
            let bytes = head + (try ManyTags.ogg.bytes(2_500))
            #expect(patches(bytes).count == 1)
            #expect(patches(bytes, isPipe: true).count == 1)
        }
    }

    @Test("Any bytes are looked through, and what was changed needs no other change")
    func property() {
        TestSupport.property("tag limit", rounds: 200) { generator in
            let kind = ManyTags.allCases.randomElement(using: &generator) ?? .id3
            var bytes = try kind.bytes(Int.random(in: 0...2_400, using: &generator))
            for _ in 0..<Int.random(in: 0...40, using: &generator) {
                // Most of what is read lies at the begin, and a tag of APE at the end.
                let isHead = Int.random(in: 0..<4, using: &generator) > 0
                let place = Int.random(in: 0..<(isHead ? min(200, bytes.count) : bytes.count), using: &generator)
                bytes[place] =
                    [0, 0x7F, 0x80, 0xFF, .random(in: 0...255, using: &generator)].randomElement(using: &generator) ?? 0
            }
            let found = patches(bytes)
            guard found.allSatisfy({ $0.offset >= 0 && $0.bytes.count <= 65_307 }) else { return false }
            return patches(changed(bytes, by: found)).count <= found.count
        }
        TestSupport.property("tag limit, noise") { generator in
            let heads = ["ID3\u{4}\0\0\0\0", "fLaC", "OggS", "RIFF\0\0\0\0WAVE", "FORM\0\0\0\0AIFF", "\0\0\0\u{8}ftyp"]
            let noise = (0..<Int.random(in: 0...3_000, using: &generator)).map { _ in
                UInt8.random(in: 0...255, using: &generator)
            }
            let bytes = Array((heads.randomElement(using: &generator) ?? "").utf8) + noise
            _ = patches(bytes)
            return patches(bytes, isPipe: true).allSatisfy { $0.offset <= bytes.count }
        }
    }
}
