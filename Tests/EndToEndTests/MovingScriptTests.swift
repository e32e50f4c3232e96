import Foundation
import TestSupport
import Testing

/// Says that there is Python, which the scripts are in and not every machine has.
private let hasPython = ["/usr/bin", "/usr/local/bin", "/opt/homebrew/bin"]
    .contains { FileManager.default.isExecutableFile(atPath: "\($0)/python3") }

@Suite("Calls of other programs", .enabled(if: hasPython))
struct MovingScriptTests {
    private func script(_ name: String, _ arguments: String..., in folder: URL) async throws -> Tool.Outcome {
        try await Tool(at: packageFolder.appendingPathComponent("Examples/Moving/\(name)")).run(
            arguments,
            environment: [
                "EARSHOT": Workshop.earshot.url.path, "OLAF_STORE": folder.appendingPathComponent("olaf.earstore").path,
            ]
        )
    }

    @Test("audfprint's calls make, extend and search a store, and are answered in its words")
    func audfprint() async throws {
        let shop = try await Workshop.shared()
        try await withTemporaryFolder { folder in
            let base = folder.appendingPathComponent("music").path
            let song = shop.folder.appendingPathComponent(Workshop.clipName).path
            let win = shop.folder.appendingPathComponent("music/win.wav").path
            let made = try await script("audfprint", "new", "-d", base, win, in: folder)
            #expect(made.status == 0, "\(made.errors)")
            let nothing = try await script("audfprint", "match", "-d", base, shop.clip.path, in: folder)
            #expect(nothing.status == 0 && nothing.output.hasPrefix("NOMATCH \(shop.clip.path) 7."), "\(nothing)")
            let added = try await script("audfprint", "add", "-d", base, song, in: folder)
            #expect(added.status == 0, "\(added.errors)")
            let found = try await script("audfprint", "match", "--dbase", base, "-N", "6", shop.clip.path, in: folder)
            // A string is equal to its composed form, whichever of the two the disk has.
            #expect(found.status == 0 && found.output.hasPrefix("Matched \(shop.clip.path) 7."), "\(found)")
            #expect(found.output.contains(" sec as \(song) at 1"), "\(found)")
            #expect(found.errors.contains("passed over"))
            let again = try await script("audfprint", "new", "-d", base, win, in: folder)
            #expect(again.status == 1 && again.errors.contains("already"))
        }
    }

    @Test("Olaf's calls store once, find, count and delete")
    func olaf() async throws {
        let shop = try await Workshop.shared()
        try await withTemporaryFolder { folder in
            let inner = shop.folder.appendingPathComponent("music/inner folder").path
            let song = shop.folder.appendingPathComponent(Workshop.clipName).path
            let stored = try await script("olaf", "store", inner, in: folder)
            #expect(stored.status == 0 && stored.output.hasSuffix("1 stored.\n"), "\(stored)")
            let again = try await script("olaf", "store", inner, in: folder)
            #expect(again.status == 0 && again.output == "0 stored.\n", "\(again)")
            let found = try await script("olaf", "query", shop.clip.path, shop.foreign.path, in: folder)
            let lines = found.output.split(separator: "\n").map { $0.components(separatedBy: ", ") }
            #expect(lines.count == 2 && lines.allSatisfy { $0.count == 11 }, "\(found)")
            #expect(lines.first?[2] == "clip.wav" && lines.last?[4] == "0")
            #expect(lines.first?[7] == song)
            let stats = try await script("olaf", "stats", in: folder)
            #expect(stats.output.hasPrefix("references"), "\(stats)")
            let gone = try await script("olaf", "delete", song, in: folder)
            #expect(gone.status == 0, "\(gone.errors)")
            let left = try await script("olaf", "query", shop.clip.path, in: folder)
            #expect(left.output.hasPrefix("1, 1, clip.wav, 0, 0,"), "\(left)")
        }
    }
}
