import EarshotCore
import Foundation
import TestSupport
import Testing

@testable import ServiceCommands

@Suite("Who may read what a service keeps")
struct PrivateFolderTests {
    private func rights(_ url: URL) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: url.path)[.posixPermissions] as? Int
    }

    private func make(_ url: URL, _ rights: Int, isFolder: Bool = false) throws {
        if isFolder {
            try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
        } else {
            try Data("x".utf8).write(to: url)
        }
        try FileManager.default.setAttributes([.posixPermissions: rights], ofItemAtPath: url.path)
    }

    @Test("a folder that was open is closed to others, with all of the service in it, and links are not followed")
    func closing() throws {
        try withTemporaryFolder { folder in
            let data = folder.appendingPathComponent("data")
            let store = data.appendingPathComponent("catalog.earstore")
            let outside = folder.appendingPathComponent("outside")
            try make(outside, 0o644)
            try make(data, 0o777, isFolder: true)
            try make(store, 0o755, isFolder: true)
            let files = [
                data.appendingPathComponent("music.sqlite"), store.appendingPathComponent("segment"),
                data.appendingPathComponent("guide.sqlite"),
            ]
            for (file, rights) in zip(files, [0o644, 0o640, 0o600]) { try make(file, rights) }
            let (music, table) = (data.appendingPathComponent("Music"), data.appendingPathComponent("table.csv"))
            let song = music.appendingPathComponent("song.flac")
            try make(music, 0o755, isFolder: true)
            try make(song, 0o644)
            try make(table, 0o664)
            try FileManager.default.createSymbolicLink(
                at: data.appendingPathComponent("link.sqlite"),
                withDestinationURL: outside
            )
            #expect(try PrivateFolder.close(data) == 4)
            #expect(try rights(data) == 0o700 && rights(store) == 0o700)
            for file in files { #expect(try rights(file) == 0o600) }
            #expect(try rights(outside) == 0o644)
            // What others may have been given to read.
            for (file, mode) in [(music, 0o755), (song, 0o644), (table, 0o664)] { #expect(try rights(file) == mode) }
            #expect(try PrivateFolder.close(data) == 0)
        }
    }

    @Test(
        "a folder of another user is refused",
        .enabled(if: geteuid() == 0, "only root makes a folder of another user")
    )
    func foreign() throws {
        try withTemporaryFolder { folder in
            #expect(chown(folder.path, 12_345, 12_345) == 0)
            let error = #expect(throws: EarshotError.self) { try PrivateFolder.close(folder) }
            #expect(error?.code == .accessDenied && error?.message.contains(folder.path) == true)
        }
    }

    @Test("nobody else reads the operator's token, also where an open file was before")
    func token() throws {
        try withTemporaryFolder { folder in
            let file = OperatorTokenFile(in: folder)
            try make(URL(fileURLWithPath: file.path), 0o666)
            try file.write("earshot-admin-1")
            #expect(try rights(URL(fileURLWithPath: file.path)) == 0o600)
            #expect(try String(contentsOfFile: file.path, encoding: .utf8) == "earshot-admin-1\n")
            file.remove()
            #expect(!FileManager.default.fileExists(atPath: file.path))
        }
    }
}
