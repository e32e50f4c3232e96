#if os(Linux) || os(macOS)
    import EarshotCore
    import Foundation
    import TestSupport
    import Testing

    @testable import EarshotLibrary

    @Suite("Watching a folder")
    struct FolderWatcherTests {
        private let quiet = MediaTime(value: 1, timescale: 20)

        /// The next scan that something came of.
        private func next(
            _ events: inout AsyncThrowingStream<FolderScanEvent, any Error>.Iterator
        ) async throws -> [LibraryChange] {
            var changes: [LibraryChange] = []
            while let event = try await events.next(isolation: #isolation) {
                if case .changed(let change) = event { changes.append(change) }
                if case .ended = event, !changes.isEmpty { return changes }
            }
            return changes
        }

        @Test("Files that come, also into new folders, move, change and go are seen", .timeLimit(.minutes(2)))
        func changes() async throws {
            try await withTemporaryFolder { folder in
                let song = { SmallFiles.song($0, title: "\($0)") }
                try song(1).write(to: folder.appendingPathComponent("1.mp3"))
                let library = FolderLibrary(folder)
                var events = library.watch(settlingFor: quiet).makeAsyncIterator()
                #expect(try await next(&events).map(\.kind) == [.added])
                let id = try await library.items().map(\.id)

                let inner = folder.appendingPathComponent("new/inner")
                try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: true)
                try song(2).write(to: inner.appendingPathComponent("2.mp3"))
                #expect(try await next(&events).map(\.kind) == [.added])

                try FileManager.default.moveItem(
                    at: folder.appendingPathComponent("1.mp3"),
                    to: inner.appendingPathComponent("one.mp3")
                )
                let moved = try await next(&events)
                #expect(moved.map(\.kind) == [.moved] && moved.map(\.item) == id)

                // A folder that moved is watched under its new name.
                let other = folder.appendingPathComponent("other")
                try FileManager.default.moveItem(at: folder.appendingPathComponent("new"), to: other)
                #expect(try await next(&events).map(\.kind) == [.moved, .moved])
                try FileManager.default.removeItem(at: other.appendingPathComponent("inner/2.mp3"))
                #expect(try await next(&events).map(\.kind) == [.removed])
                #expect(try await library.items().map(\.assetURL?.lastPathComponent) == ["one.mp3"])
            }
        }

        @Test("A folder that is not there cannot be watched")
        func absent() async {
            let watcher = FolderWatcher(URL(fileURLWithPath: "/nowhere/at/all"))
            await #expect { for try await _ in watcher {} } throws: { ($0 as? EarshotError)?.code == .assetNotFound }
        }
    }
#endif
