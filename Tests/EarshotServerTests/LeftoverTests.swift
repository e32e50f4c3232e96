import EarshotPieces
import Foundation
import TestSupport
import Testing

@testable import EarshotServer

@Suite("What lost processes have left")
struct LeftoverTests {
    private func make(_ paths: [String], in folder: URL, changed: Date) throws {
        for path in paths {
            let file = folder.appendingPathComponent(path)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            try Data("x".utf8).write(to: file)
            try FileManager.default.setAttributes([.modificationDate: changed], ofItemAtPath: file.path)
        }
    }

    private func files(_ folder: URL) throws -> Set<String> {
        Set(
            try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { path in
                var isFolder: ObjCBool = false
                _ = FileManager.default.fileExists(
                    atPath: folder.appendingPathComponent(path).path,
                    isDirectory: &isFolder
                )
                return !isFolder.boolValue
            }
        )
    }

    @Test("what was not finished goes, what commands may be at work on after an hour, and the rest stays")
    func removal() throws {
        try withTemporaryFolder { folder in
            let now = Date(timeIntervalSince1970: 1_800_000_000)
            let id = UUID().uuidString
            let own = [
                "tmp-\(id).earcat", ".earshot-catalog.earcat", "upload-\(id)",
                "backups/20270115T080000Z-a1b2.partial/music.sqlite",
            ]
            let shared = [
                ".earshot-\(id).partial", "bundle-shelf/tmp-\(id)", "bundle-shelf/.earshot-\(id).partial",
                "published/radio/.earshot-\(id).partial",
            ]
            let kept = [
                "music.sqlite", "catalog.earstore/manifest", "backups/20270115-1/music.sqlite", "bundle-shelf/ads.json",
                "published/radio/1.earcat", "pieces/tmp-\(id)", "tmp-notes",
                // What people name so, and a backup that the operator's command makes.
                "catalog-copy.earcat", "tmp-1.earcat", "upload-1", "upload-2026/song.wav", "tmp-\(id)",
                ".earshot-1.partial", "bundle-shelf/tmp-1", "backups/nightly.partial/music.sqlite",
            ]
            try make(own + shared + kept, in: folder, changed: now)
            Leftovers(in: folder, at: now.addingTimeInterval(3_000)).remove()
            #expect(try files(folder) == Set(shared + kept))
            Leftovers(in: folder, at: now.addingTimeInterval(4_000)).remove()
            #expect(try files(folder) == Set(kept))
            // Where there is nothing, nothing is amiss.
            Leftovers(in: folder.appendingPathComponent("none"), at: now).remove()
        }
    }

    @Test("covers that were being written go with what is left of conversions and removals")
    func pieces() throws {
        try withTemporaryFolder { folder in
            let id = PieceID()
            try make(
                ["\(id)/part", "\(id)/part.incoming", "\(id)/.earshot-1.partial", ".work-1/x", ".removed-1/x"],
                in: folder,
                changed: Date()
            )
            PieceFiles(folder: folder).removeLeftovers()
            #expect(try files(folder) == ["\(id)/part", "\(id)/part.incoming"])
        }
    }

    @Test("files of pieces are put aside where the store was lost, and removed where it has given the piece up")
    func lostStore() async throws {
        try await TestService.run { (service: TestService) async throws in
            let pieces = service.server.pieces
            let lost = PieceID()
            func made() throws -> Set<String> {
                try make(["pieces/\(lost)/part"], in: service.folder, changed: Date())
                return try files(service.folder)
            }
            #expect(try made().contains("pieces/\(lost)/part"))
            try await pieces.begin()
            let aside = try files(service.folder).filter { $0.hasSuffix("/\(lost)/part") }
            #expect(aside.count == 1 && aside.first?.hasPrefix("pieces-") == true)
            _ = try await service.drop(token: try await service.author("Ada"))
            #expect(try made().isSuperset(of: aside))
            try await pieces.begin()
            #expect(try files(service.folder).filter { $0.hasSuffix("/\(lost)/part") } == aside)
        }
    }
}
