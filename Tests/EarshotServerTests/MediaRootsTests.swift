import EarshotCore
import Foundation
import TestSupport
import Testing

@testable import EarshotServer

@Suite("Media folders")
struct MediaRootsTests {
    private func code(_ body: () throws -> Void) -> EarshotError.Code? {
        do {
            try body()
            return nil
        } catch {
            return (error as? EarshotError)?.code
        }
    }

    @Test("files in a media folder are found, through links that stay in it too")
    func inside() throws {
        try withTemporaryFolder { folder in
            let media = try TestMedia(in: folder)
            let roots = try MediaRoots([try MediaRoot(name: "music", folder: media.music)])
            let place = try roots.place("music/Album/long.flac")
            #expect(place.url.lastPathComponent == "long.flac")
            #expect(place.size == 111_039)
            #expect(try roots.place("music/in.flac").url == place.url)
            #expect(roots.id(of: place.url) == "music/Album/long.flac")
            #expect(roots.id(of: media.music.appendingPathComponent("Album/long.flac")) == "music/Album/long.flac")
            #expect(roots.id(of: folder.appendingPathComponent("secret.wav")) == nil)
            #expect(roots.id(of: folder.appendingPathComponent("musical/x.wav")) == nil)
            #expect(try roots.place("music", .folder).url.lastPathComponent == "music")
            #expect(code { _ = try roots.place("music/nothing.wav") } == .entityNotFound)
            #expect(code { _ = try roots.place("music/Album") } == .entityNotFound)
            #expect(code { _ = try roots.place("music/Album/long.flac/x") } == .entityNotFound)
            #expect(code { _ = try roots.place("other/x.wav") } == .entityNotFound)
            #expect(code { _ = try roots.place("") } == .requestInvalid)
            #expect(code { _ = try roots.place("music/" + String(repeating: "x", count: 5_000)) } == .requestInvalid)
        }
    }

    @Test(
        "whatever leads out of a media folder is refused, with the reason",
        .requirements("R-MR-138"),
        arguments: [
            ("music/../secret.wav", "parent reference"), ("../secret.wav", "parent reference"),
            ("music/Album/../../secret.wav", "parent reference"), ("..", "parent reference"),
            ("/etc/passwd", "slash"), ("music//etc/passwd", "slash"), ("music/", "slash"), ("music/.", "dot"),
            ("music/.hidden", "dot"), ("./music/in.flac", "dot"), ("music/in.flac\0.wav", "zero byte"),
            ("music/%2e%2e/secret.wav", "escaped twice"), ("music/%2E%2E%2Fsecret.wav", "escaped twice"),
            ("music/%252e%252e/secret.wav", "escaped twice"), ("music/a%00", "escaped twice"),
            ("music/\u{301}/../../secret.wav", "parent reference"), ("music/out/inside.wav", "link"),
            ("music/out.wav", "link"), ("music/lost", "link"), ("music/out/nothing.wav", "link"),
        ]
    )
    func outside(id: String, reason: String) throws {
        try withTemporaryFolder { folder in
            let media = try TestMedia(in: folder)
            let roots = try MediaRoots([try MediaRoot(name: "music", folder: media.music)])
            do throws(EarshotError) {
                let place = try roots.place(id)
                Issue.record("\(place.url.path) was opened")
            } catch {
                #expect(error.code == .accessDenied)
                #expect(error.message.contains(reason), "\(error.message)")
                #expect(!error.message.contains(folder.path))
            }
        }
    }

    @Test("of random paths none leads out of the media folder", .requirements("R-MR-138"))
    func random() throws {
        try withTemporaryFolder { folder in
            let media = try TestMedia(in: folder)
            let roots = try MediaRoots([try MediaRoot(name: "music", folder: media.music)])
            let top = try roots.place("music", .folder).url.path
            let pieces = [
                "music", "Album", "long.flac", "in.flac", "out", "out.wav", "lost", "inside.wav", "secret.wav", "..",
                ".", "", "/", "//", "%2e", "%2E%2e", "%2f", "%252f", "%00", "\0", "\\", "..\\", "\u{301}", "\u{FF0E}",
                "\u{2024}\u{2024}", " ", "~", "etc", "passwd", "outside", folder.path, "file:", "C:", "e\u{301}",
            ]
            property("paths", rounds: 3_000) { random in
                var id = Bool.random(using: &random) ? "music" : ""
                for _ in 0..<Int.random(in: 0...7, using: &random) {
                    id += ["/", "/", "/", "", "%2f"].randomElement(using: &random) ?? ""
                    id += pieces.randomElement(using: &random) ?? ""
                }
                for kind in [MediaRoots.Kind.file, .folder] {
                    do throws(EarshotError) {
                        let path = try roots.place(id, kind).url.path
                        guard path == top || path.hasPrefix(top + "/") else { return false }
                    } catch {
                        let codes: [EarshotError.Code] = [.accessDenied, .entityNotFound, .requestInvalid]
                        guard codes.contains(error.code) else { return false }
                    }
                }
                return true
            }
        }
    }

    @Test("a folder is listed without what its links lead to outside", .requirements("R-MR-138"))
    func listing() throws {
        try withTemporaryFolder { folder in
            let media = try TestMedia(in: folder)
            let roots = try MediaRoots([try MediaRoot(name: "music", folder: media.music)])
            #expect(
                try roots.files(below: "music").map(\.id) == [
                    "music/Album/long.flac", "music/Album/tagged.m4a", "music/Album/tagged.mp3",
                    "music/Album/tagged.ogg", "music/damaged.mp3", "music/in.flac", "music/late.mkv",
                    "music/surround.wav",
                ]
            )
            #expect(code { _ = try roots.files(below: "music/out") } == .accessDenied)
            #expect(try roots.files(below: "music/Album").count == 4)
        }
    }

    @Test("a media folder that cannot be one is refused")
    func roots() throws {
        try withTemporaryFolder { folder in
            #expect(code { _ = try MediaRoot("nothing") } == .configurationInvalid)
            #expect(code { _ = try MediaRoot("a/b=\(folder.path)") } == .configurationInvalid)
            #expect(code { _ = try MediaRoot("=\(folder.path)") } == .configurationInvalid)
            let root = try MediaRoot("a=\(folder.path)")
            #expect(root.name == "a")
            #expect(code { _ = try MediaRoots([root, root]) } == .configurationInvalid)
            let missing = try MediaRoot("b=\(folder.path)/none")
            #expect(code { _ = try MediaRoots([missing]) } == .configurationInvalid)
        }
    }

    @Test(
        "a slice of a timeline is the same run of the whole, with silence where nothing is heard",
        .requirements("R-MR-137")
    )
    func slices() throws {
        let format = AudioFormat(sampleRate: 1_000, channelCount: 2, sampleType: .int16)
        property("slices") { random in
            // Blocks with gaps and overlaps, and the timeline they make.
            var (blocks, whole, time): ([AudioBlock], [Int16], Int64) = ([], [], 0)
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                time = max(0, time + Int64(Int.random(in: -20...40, using: &random)))
                let frames = Int.random(in: 1...50, using: &random)
                let samples = (0..<frames * 2).map { _ in Int16.random(in: .min ... .max, using: &random) }
                blocks.append(
                    AudioBlock(
                        AudioBuffer(samples, sampleRate: 1_000, channelCount: 2),
                        at: MediaTime(value: time, timescale: 1_000)
                    )
                )
                let known = whole.count
                if known < Int(time) * 2 { whole += [Int16](repeating: 0, count: Int(time) * 2 - known) }
                let first = max(0, whole.count - Int(time) * 2)
                if first < samples.count { whole += samples[first...] }
                time += Int64(frames)
            }
            let start = Int.random(in: 0...150, using: &random)
            let length = Int.random(in: 1...100, using: &random)
            var slice = SampleSlice(start: Int64(start), length: Int64(length), format: format)
            var bytes: [UInt8] = []
            for block in blocks {
                slice.append(block)
                while let part = slice.next() { bytes += part }
            }
            let wanted = whole.dropFirst(start * 2).prefix(length * 2).map(\.littleEndian)
            return bytes == wanted.withUnsafeBytes { Array($0) }
        }
    }
}
