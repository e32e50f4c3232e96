import EarshotCore
import EarshotLibrary
import EarshotMedia
import Foundation

// The code of Docs/folders.md, as it is printed there: `FolderGuideTests` compares the two.

enum FolderSnippets {
    static func samples(_ music: URL) async throws -> Int {
        let library = FolderLibrary(music)
        for try await _ in library.scan() {}
        let song = try await library.items()[0]
        var frames = 0
        for try await block in try await AssetReader(song.requireAsset()) {
            frames += block.buffer.frameCount  // block.buffer.samples, from block.time on
        }
        return frames
    }

    static func find(_ library: FolderLibrary, _ queue: inout PlayQueue) async throws {
        let command = try LibraryCommand("play album moondance")
        let resolution = await library.index.resolve(command, in: queue.context)
        if let choice = resolution.choice {
            queue.play(choice, in: await library.index.snapshot)
        } else if var question = SongChoice(resolution) {
            question.choose(0)  // or question.cancel(), and nothing has happened
            question.play(in: &queue, await library.index.snapshot)
        }
    }

    static func watch(_ library: FolderLibrary, show: (String) -> Void) async throws {
        for try await event in library.watch() {
            guard case .changed(let change) = event else { continue }
            show("\(change.kind.rawValue) \(change.url.lastPathComponent)")
        }
    }
}
