import EarshotCore
import Foundation
import TestSupport
import Testing

@Suite("Files that appear whole or not at all")
struct AtomicFileTests {
    private func contents(of folder: URL) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    }

    private func code(_ body: () throws(EarshotError) -> Void) -> EarshotError.Code? {
        do throws(EarshotError) {
            try body()
            return nil
        } catch {
            return error.code
        }
    }

    @Test("Bytes can be put in the place of earlier ones, and writing goes on at the end")
    func overwrite() throws {
        try withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("file")
            let file = try AtomicFile(url)
            try file.write([0, 0, 0, 0])
            try file.overwrite([1, 2], at: 1)
            try file.write([3])
            try file.commit(replacing: false)
            #expect(try Data(contentsOf: url) == Data([0, 1, 2, 0, 3]))
        }
    }

    @Test("Written, committed, there; nothing else is left")
    func commit() throws {
        try withTemporaryFolder { folder in
            let destination = folder.appendingPathComponent("new.bin")
            let file = try AtomicFile(destination)
            try file.write([1, 2])
            try file.write(Data([3]))
            #expect(!FileManager.default.fileExists(atPath: destination.path))
            try file.commit(replacing: false)
            #expect(try Data(contentsOf: destination) == Data([1, 2, 3]))
            #expect(try contents(of: folder) == ["new.bin"])
        }
    }

    @Test("An existing file is refused and keeps its content")
    func refuses() throws {
        try withTemporaryFolder { folder in
            let destination = folder.appendingPathComponent("old.bin")
            try Data([9]).write(to: destination)
            #expect(
                code { () throws(EarshotError) in try AtomicFile.write([1], to: destination, replacing: false) }
                    == .destinationExists
            )
            // Also when it comes into being while the new one is written.
            let other = folder.appendingPathComponent("race.bin")
            let file = try AtomicFile(other)
            try file.write([1])
            try Data([8]).write(to: other)
            #expect(code { () throws(EarshotError) in try file.commit(replacing: false) } == .destinationExists)
            #expect(try Data(contentsOf: destination) == Data([9]))
            #expect(try Data(contentsOf: other) == Data([8]))
            #expect(try contents(of: folder) == ["old.bin", "race.bin"])
        }
    }

    @Test("An existing file is replaced when that was asked for")
    func replaces() throws {
        try withTemporaryFolder { folder in
            let destination = folder.appendingPathComponent("old.bin")
            try Data([9, 9, 9]).write(to: destination)
            try AtomicFile.write([1], to: destination, replacing: true)
            #expect(try Data(contentsOf: destination) == Data([1]))
            #expect(try contents(of: folder) == ["old.bin"])
        }
    }

    @Test("Given up, it leaves nothing and changes nothing")
    func abandoned() throws {
        try withTemporaryFolder { folder in
            let destination = folder.appendingPathComponent("old.bin")
            try Data([9]).write(to: destination)
            do {
                let file = try AtomicFile(destination)
                try file.write([UInt8](repeating: 0, count: 100_000))
                #expect(try contents(of: folder).count == 2)
            }
            #expect(try contents(of: folder) == ["old.bin"])
            #expect(try Data(contentsOf: destination) == Data([9]))
        }
    }

    @Test("Two writers of one name do not mix; the later commit is refused")
    func twoWriters() throws {
        try withTemporaryFolder { folder in
            let destination = folder.appendingPathComponent("new.bin")
            let first = try AtomicFile(destination)
            let second = try AtomicFile(destination)
            try first.write([1, 1])
            try second.write([2])
            try first.commit(replacing: false)
            #expect(code { () throws(EarshotError) in try second.commit(replacing: false) } == .destinationExists)
            #expect(try Data(contentsOf: destination) == Data([1, 1]))
            #expect(try contents(of: folder) == ["new.bin"])
        }
    }

    @Test("A name as long as the file system allows")
    func longName() throws {
        try withTemporaryFolder { folder in
            let destination = folder.appendingPathComponent(String(repeating: "n", count: 255))
            try AtomicFile.write([1], to: destination, replacing: false)
            #expect(try Data(contentsOf: destination) == Data([1]))
        }
    }

    @Test("Others may read the file as the system's mask lets them")
    func permissions() throws {
        try withTemporaryFolder { folder in
            let ours = folder.appendingPathComponent("ours.bin")
            let plain = folder.appendingPathComponent("plain.bin")
            try AtomicFile.write([1], to: ours, replacing: false)
            let descriptor = open(plain.path, O_CREAT | O_WRONLY, 0o666)
            close(descriptor)
            func mode(_ file: URL) throws -> Int? {
                try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
            }
            #expect(try mode(ours) == mode(plain))
        }
    }

    @Test("A folder that is missing, or of which a file stands in the way")
    func missingFolder() throws {
        try withTemporaryFolder { folder in
            let destination = folder.appendingPathComponent("missing/new.bin")
            let failure = #expect(throws: EarshotError.self) { try AtomicFile(destination) }
            #expect(failure?.code == .writeFailed)
            #expect(failure?.message.contains("missing") == true)
            try Data([1]).write(to: folder.appendingPathComponent("file"))
            let below = folder.appendingPathComponent("file/new.bin")
            #expect(code { () throws(EarshotError) in _ = try AtomicFile(below) } == .writeFailed)
        }
    }

    @Test("A folder in the place of the file", arguments: [true, false])
    func folderInTheWay(replacing: Bool) throws {
        try withTemporaryFolder { folder in
            let destination = folder.appendingPathComponent("taken")
            try FileManager.default.createDirectory(at: destination, withIntermediateDirectories: false)
            let failure = code { () throws(EarshotError) in
                try AtomicFile.write([1], to: destination, replacing: replacing)
            }
            #expect(failure == (replacing ? .writeFailed : .destinationExists))
            #expect(try contents(of: folder) == ["taken"])
        }
    }

    @Test("A folder that may not be written", .enabled(if: geteuid() != 0, "root may write everywhere"))
    func readOnlyFolder() throws {
        try withTemporaryFolder { folder in
            let closed = folder.appendingPathComponent("closed")
            try FileManager.default.createDirectory(
                at: closed,
                withIntermediateDirectories: false,
                attributes: [.posixPermissions: 0o555]
            )
            let failure = code { () throws(EarshotError) in
                try AtomicFile.write([1], to: closed.appendingPathComponent("a"), replacing: false)
            }
            #expect(failure == .writeFailed)
        }
    }
}
