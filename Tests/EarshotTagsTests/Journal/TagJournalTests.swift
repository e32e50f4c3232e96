import EarshotCore
import EarshotMedia
import Foundation
import TestSupport
import Testing

@testable import EarshotTags

@Suite("Journals of changes")
struct TagJournalTests {
    /// A change with made-up facts.
    private static func change(_ number: UInt64, deltaSize: Int = 0, folders: [String] = []) -> JournalChange {
        JournalChange(
            number: number,
            milliseconds: 1_700_000_000_000,
            old: FileDigest(size: 3, bytes: [UInt8](repeating: 1, count: 32)),
            new: FileDigest(size: 5, bytes: [UInt8](repeating: 2, count: 32)),
            mode: 0o644,
            owner: 1_000,
            group: 100,
            time: FileTime(seconds: -5, nanoseconds: 999_999_999),
            deltaSize: UInt64(deltaSize),
            oldPath: "/a/夜.mp3",
            newPath: "/b",
            folders: folders
        )
    }

    private static func body(_ change: JournalChange) -> [UInt8] {
        var writer = ByteWriter()
        change.write(to: &writer)
        return writer.bytes
    }

    /// The bytes of a header without a root.
    private static let headerSize = JournalFormat.header(milliseconds: 1).count

    /// Three changes, the second of two parts and undone.
    private static var whole: [UInt8] {
        let records: [[UInt8]] = [
            JournalFormat.header(milliseconds: 1),
            JournalFormat.record(.change, body(change(1, folders: ["/b", "/b/c"]))),
            JournalFormat.record(.delta, [9, 8, 7]), JournalFormat.record(.delta, [6]),
            JournalFormat.record(.change, body(change(2, deltaSize: 4))),
            JournalFormat.record(.undone, [2, 0, 0, 0, 0, 0, 0, 0]),
            JournalFormat.record(.abandoned, [1, 0, 0, 0, 0, 0, 0, 0]),
            JournalFormat.record(.delta, [5]),
            JournalFormat.record(.change, body(change(3, deltaSize: 1))),
        ]
        return records.flatMap(\.self)
    }

    private static func read(_ bytes: [UInt8]) throws(EarshotError) -> JournalContents {
        try JournalContents(size: bytes.count, name: "test") { count, offset in
            Array(bytes.dropFirst(offset).prefix(count))
        }
    }

    @Test("The headers of the format's page are those that are written")
    func vectors() throws {
        let begin: [UInt8] = [
            0x45, 0x41, 0x52, 0x53, 0x48, 0x4A, 0x4E, 0x4C, 1, 0, 0, 0, 0, 0x68, 0xE5, 0xCF, 0x8B, 1, 0, 0,
        ]
        let bare = JournalFormat.header(milliseconds: 1_700_000_000_000)
        #expect(bare == begin + [0, 0, 0, 0] + [0x2A, 0xFC, 0xE3, 0x69])
        let rooted = JournalFormat.header(milliseconds: 1_700_000_000_000, root: "/music")
        #expect(rooted == begin + [6, 0, 0, 0] + Array("/music".utf8) + [0x96, 0x6A, 0xF2, 0x67])
        #expect(try Self.read(bare).root == nil && Self.read(rooted).root == "/music")
    }

    @Test("A root that is none, and paths that step back, are refused")
    func paths() throws {
        for root in ["music", "/a/../b", "/a/./b", "/a\0b"] {
            let error = #expect(throws: EarshotError.self) {
                _ = try Self.read(JournalFormat.header(milliseconds: 1, root: root))
            }
            #expect(error?.code == .storeDamaged)
        }
        #expect(JournalChange.isWhole("/a/..b/.c"))
        let change = Self.change(1, folders: ["/b/c"])
        #expect(change.isInside("/") && !change.isInside("/a") && !change.isInside("/b"))
    }

    @Test("What is written is read back")
    func roundTrip() throws {
        let contents = try Self.read(Self.whole)
        #expect(contents.entries.map(\.change.number) == [1, 2, 3])
        #expect(contents.entries.map(\.isUndone) == [false, true, false])
        #expect(contents.entries.map(\.isAbandoned) == [true, false, false])
        #expect(contents.entries.map(\.isOpen) == [false, false, true])
        #expect(contents.entries.map(\.delta.count) == [0, 2, 1])
        #expect(contents.entries.allSatisfy { $0.isWhole })
        #expect(contents.entries[0].change == Self.change(1, folders: ["/b", "/b/c"]))
        #expect(contents.rest == .none && contents.end == Self.whole.count)
    }

    @Test("Cut short anywhere, everything before the cut is there")
    func truncated() throws {
        let whole = try Self.read(Self.whole)
        for size in Self.headerSize..<Self.whole.count {
            let contents = try Self.read(Array(Self.whole.prefix(size)))
            #expect(contents.entries.map(\.change) == Array(whole.entries.map(\.change).prefix(contents.entries.count)))
            #expect(contents.end <= size && contents.damagedRecords == 0)
            #expect(contents.rest == (contents.end == size ? .none : .unfinished))
        }
        // Room that never got its bytes.
        let zeros = try Self.read(Self.whole + [UInt8](repeating: 0, count: 1_000))
        #expect(zeros.rest == .unfinished && zeros.entries.count == 3)
    }

    @Test("Any damage is refused or found: no change comes out that did not go in")
    func damaged() throws {
        let whole = try Self.read(Self.whole)
        let known = Dictionary(uniqueKeysWithValues: whole.entries.map { ($0.change.number, $0) })
        property("damaged journals", rounds: 2_000) { generator in
            do throws(EarshotError) {
                let contents = try Self.read(generator.mutated(Self.whole))
                return contents.entries.allSatisfy { known[$0.change.number]?.change == $0.change }
            } catch {
                return error.code == .storeDamaged
            }
        }
    }

    @Test("A damaged part spoils its own change only")
    func spoiled() throws {
        var bytes = Self.whole
        let place = try #require(Data(bytes).range(of: Data([9, 8, 7]))).lowerBound
        bytes[place] ^= 1
        let contents = try Self.read(bytes)
        #expect(contents.entries.map(\.isWhole) == [true, false, true])
        #expect(contents.damagedRecords == 1)
    }

    @Test("A later version is refused by name, later kinds of records are passed over")
    func versions() throws {
        var bytes = Self.whole
        bytes[8] = 2
        let error = #expect(throws: EarshotError.self) { _ = try Self.read(bytes) }
        #expect(error?.code == .storeDamaged && error?.message.contains("version 2") == true)
        var writer = ByteWriter()
        for number in [77, 2] as [UInt32] { writer.write(number) }
        writer.write(CRC32C.checksum(writer.bytes))
        writer.write(contentsOf: [1, 2])
        writer.write(CRC32C.checksum(writer.bytes))
        #expect(try Self.read(Self.whole + writer.bytes).rest == .none)
        let other = #expect(throws: EarshotError.self) { _ = try Self.read(Array("hello".utf8)) }
        #expect(other?.code == .storeDamaged)
    }

    @Test("Behind an unfinished record a journal goes on; a damaged one is not continued, and undone as far as it goes")
    func continuing() throws {
        try withTemporaryFolder { folder in
            let music = folder.appendingPathComponent("music")
            try FileManager.default.createDirectory(at: music, withIntermediateDirectories: false)
            let files = try MusicFixtures.copy(["tagged.mp3", "chirp.flac"], to: music)
            let before = try MusicFixtures.contents(music)
            let url = folder.appendingPathComponent("j")
            func write(_ title: String) throws -> [EarshotError?] {
                let journal = try TagJournal(opening: url)
                let changes = try files.map {
                    TagWriter.Change(file: $0, edit: try MusicFixtures.edit(title, picture: nil))
                }
                return TagWriter(journal: journal).writeBlocking(changes).map(\.error)
            }
            #expect(try write("One").allSatisfy { $0 == nil })
            // A delta that broke off, and one that is whole but whose change was never written.
            for (title, cut) in [("Two", 2), ("Another", 0)] {
                let good = try Data(contentsOf: url)
                try (good + JournalFormat.record(.delta, [1, 2, 3]).dropLast(cut)).write(to: url)
                #expect(try write(title).allSatisfy { $0 == nil })
            }
            #expect(
                try TagJournal(opening: url).contents.entries.map { $0.isWhole } == [
                    true, true, true, true, true, true,
                ]
            )
            // Behind the good ones something that is no record.
            let more = try Data(contentsOf: url)
            try (more + Data((0..<60).map { UInt8($0 + 1) })).write(to: url)
            #expect(try write("Three").allSatisfy { $0?.code == .storeDamaged })
            let journal = try TagJournal(opening: url)
            #expect(journal.undoBlocking().allSatisfy { $0.error == nil })
            #expect(try MusicFixtures.contents(music) == before)
        }
    }
}
