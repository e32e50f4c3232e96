import EarshotLibrary
import Foundation
import TestSupport
import Testing

@Suite("The guide to folders of music")
struct FolderGuideTests {
    @Test("Its examples are compiled as they are printed")
    func examples() throws {
        let blocks = try GuideArticle("Docs/folders.md").code
        let url = packageFolder.appendingPathComponent("Tests/EndToEndTests/Guides/FolderSnippets.swift")
        let compiled = try String(contentsOf: url, encoding: .utf8)
            .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        #expect(blocks.count == 3)
        for block in blocks { #expect(compiled.holds(block), "\(block.joined(separator: "\n"))") }
    }

    @Test("From an item to its samples it takes fewer than 20 lines, and they run", .requirements("R-MR-140"))
    func samples() async throws {
        let shortest = try #require(try GuideArticle("Docs/folders.md").code.first)
        #expect(shortest.count < 20 && shortest.contains { $0.contains("requireAsset") })
        try await withTemporaryFolder { folder in
            let fixtures = packageFolder.appendingPathComponent("Tests/EarshotMediaTests/Fixtures")
            for name in ["chirp.flac", "tagged.mp3"] {
                try FileManager.default.copyItem(
                    at: fixtures.appendingPathComponent(name),
                    to: folder.appendingPathComponent(name)
                )
            }
            #expect(try await FolderSnippets.samples(folder) > 10_000)
            let library = FolderLibrary(folder)
            for try await _ in library.scan() {}
            var queue = PlayQueue()
            try await FolderSnippets.find(library, &queue)
            #expect(queue.current == nil)
        }
    }
}
