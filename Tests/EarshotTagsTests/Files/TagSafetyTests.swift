import EarshotCore
import EarshotMedia
import EarshotTags
import Foundation
import TestSupport
import Testing

@Suite("The file behind tags")
struct TagSafetyTests {
    private func edit(_ title: String = "New title") throws -> TagEdit {
        var edit = TagEdit()
        try edit.set("TITLE", to: title)
        return edit
    }

    @Test("A link keeps leading to the file, which is written")
    func links() throws {
        try TagFixtures.withCopies(["tagged.mp3"]) { urls in
            let folder = urls[0].deletingLastPathComponent()
            let elsewhere = folder.appendingPathComponent("elsewhere")
            try FileManager.default.createDirectory(at: elsewhere, withIntermediateDirectories: false)
            let link = elsewhere.appendingPathComponent("link.mp3")
            try FileManager.default.createSymbolicLink(atPath: link.path, withDestinationPath: "../tagged.mp3")
            _ = try TagFile.writeBlocking(edit(), to: link)
            #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link.path) == "../tagged.mp3")
            #expect(try TagFile.loadBlocking(urls[0])["TITLE"] == ["New title"])
            #expect(try TagFixtures.names(elsewhere) == ["link.mp3"])
        }
    }

    @Test("A file that may not be written is refused, and stays as it is")
    func readOnly() throws {
        try TagFixtures.withCopies(["tagged.mp3"]) { urls in
            let bytes = try TagFixtures.bytes(urls[0])
            chmod(urls[0].path, 0o444)
            let error = #expect(throws: EarshotError.self) { _ = try TagFile.writeBlocking(edit(), to: urls[0]) }
            #expect(error?.code == .writeFailed && error?.message.contains(urls[0].path) == true)
            #expect(try TagFixtures.bytes(urls[0]) == bytes)
        }
    }

    @Test("A full disk is told, and the file stays as it is", .enabled(if: SmallDisk.isThere))
    func fullDisk() throws {
        try SmallDisk.with(kibibytes: 100) { folder in
            let url = try TagFixtures.copy("chirp.flac", to: folder)
            let bytes = try TagFixtures.bytes(url)
            var large = try edit()
            large.set(TagPicture(bytes: TagFixtures.picture(200_000)))
            let error = #expect(throws: EarshotError.self) { _ = try TagFile.writeBlocking(large, to: url) }
            #expect(
                error?.code == .writeFailed && error?.message.contains("no space") == true,
                "\(error?.message ?? "")"
            )
            #expect(try TagFixtures.bytes(url) == bytes)
            #expect(try TagFixtures.names(folder) == ["chirp.flac"])
            // Also when the copy has no room.
            try Data(count: 60_000).write(to: folder.appendingPathComponent("rest"))
            let second = #expect(throws: EarshotError.self) { _ = try TagFile.writeBlocking(edit(), to: url) }
            #expect(second?.code == .writeFailed)
            #expect(try TagFixtures.bytes(url) == bytes)
        }
    }

    @Test("A folder that may not be written is refused, and the file stays as it is", .enabled(if: Stranger.isThere))
    func readOnlyFolder() throws {
        try TagFixtures.withCopies(["tagged.mp3"]) { urls in
            let bytes = try TagFixtures.bytes(urls[0])
            chmod(urls[0].path, 0o666)
            chmod(urls[0].deletingLastPathComponent().path, 0o555)
            let error = Stranger.run {
                #expect(throws: EarshotError.self) { _ = try TagFile.writeBlocking(edit(), to: urls[0]) }
            }
            #expect(error?.code == .writeFailed && error?.message.contains("access rights") == true)
            #expect(try TagFixtures.bytes(urls[0]) == bytes)
        }
    }

    @Test("A file whose group has rights of its own and cannot be kept is refused", .enabled(if: Stranger.isThere))
    func group() throws {
        try TagFixtures.withCopies(["tagged.mp3"]) { urls in
            let bytes = try TagFixtures.bytes(urls[0])
            chmod(urls[0].deletingLastPathComponent().path, 0o777)
            chown(urls[0].path, Stranger.user, 4_321)
            chmod(urls[0].path, 0o640)
            let error = Stranger.run {
                #expect(throws: EarshotError.self) { _ = try TagFile.writeBlocking(edit(), to: urls[0]) }
            }
            #expect(
                error?.code == .writeFailed && error?.message.contains("group 4321") == true,
                "\(error?.message ?? "")"
            )
            #expect(try TagFixtures.bytes(urls[0]) == bytes)
            // A group that may do no more than everybody takes nothing with it.
            chmod(urls[0].path, 0o644)
            try Stranger.run { _ = try TagFile.writeBlocking(edit(), to: urls[0]) }
            #expect(try TagFixtures.bytes(urls[0]) != bytes)
        }
    }

    @Test("Owner, group and extended attributes go over to the new file")
    func owner() throws {
        try TagFixtures.withCopies(["tagged.mp3"]) { urls in
            let isRoot = geteuid() == 0
            if isRoot { chown(urls[0].path, Stranger.user, 4_321) }
            let value = Array("5 stars".utf8)
            let hasAttributes = ExtendedAttribute.set("user.rating", of: urls[0], to: value)
            _ = try TagFile.writeBlocking(edit(), to: urls[0])
            var status = stat()
            #expect(stat(urls[0].path, &status) == 0)
            #expect(!isRoot || status.st_uid == Stranger.user && status.st_gid == 4_321)
            #expect(!hasAttributes || ExtendedAttribute.get("user.rating", of: urls[0]) == value)
        }
    }

    @Test("A file that somebody else changes with its time set back keeps that change")
    func timeSetBack() throws {
        try TagFixtures.withCopies(["tagged.mp3"]) { urls in
            var other = try TagFixtures.bytes(urls[0])
            other[other.count - 1] ^= 1
            var status = stat()
            #expect(stat(urls[0].path, &status) == 0)
            let error = #expect(throws: EarshotError.self) {
                _ = try TagFile.writeBlocking(edit(), to: urls[0]) { step in
                    guard step == .verified, let handle = FileHandle(forUpdatingAtPath: urls[0].path) else { return }
                    // In place, so that only the time at which anything changed tells.
                    try? handle.write(contentsOf: Data(other))
                    try? handle.close()
                    let time = FileTime(status).systemTime
                    utimensat(AT_FDCWD, urls[0].path, [time, time], 0)
                }
            }
            #expect(error?.code == .fileChanged)
            #expect(try TagFixtures.bytes(urls[0]) == other)
        }
    }

    @Test("A file whose tags are others than those that a change was planned for is left as it is")
    func planned() throws {
        try TagFixtures.withCopies(["tagged.mp3"]) { urls in
            let state = try TagFile.loadBlocking(urls[0]).state
            func prepare() throws -> StagedTags? {
                try StagedTags.prepare(urls[0], edit: edit(), expected: state, options: .init())
            }
            #expect(try prepare() != nil)
            _ = try TagFile.writeBlocking(edit("Meanwhile"), to: urls[0])
            let error = #expect(throws: EarshotError.self) { _ = try prepare() }
            #expect(error?.code == .fileChanged)
        }
    }

    @Test("Rights go over to the new file, its time only when wanted")
    func attributes() throws {
        try TagFixtures.withCopies(["tagged.mp3"]) { urls in
            let path = urls[0].path
            chmod(path, 0o640)
            let time = timespec(tv_sec: 1_000_000_000, tv_nsec: 5_000_000)
            utimensat(AT_FDCWD, path, [time, time], 0)
            var options = TagFile.WritingOptions()
            options.keepsModificationTime = true
            _ = try TagFile.writeBlocking(edit(), to: urls[0], options: options)
            var status = stat()
            #expect(stat(path, &status) == 0)
            #expect(status.st_mode & 0o7777 == 0o640)
            #expect(FileTime(status) == FileTime(seconds: 1_000_000_000, nanoseconds: 5_000_000))
            _ = try TagFile.writeBlocking(edit("Again"), to: urls[0])
            #expect(stat(path, &status) == 0)
            #expect(FileTime(status).seconds > 1_000_000_000)
        }
    }

    @Test("What is missing, no file, no media or of another type is told apart")
    func refusals() throws {
        try TagFixtures.withCopies(["tagged.ogg"]) { urls in
            let folder = urls[0].deletingLastPathComponent()
            func code(_ url: URL) throws -> EarshotError.Code? {
                #expect(throws: EarshotError.self) { _ = try TagFile.writeBlocking(edit(), to: url) }?.code
            }
            #expect(try code(folder.appendingPathComponent("missing.mp3")) == .assetNotFound)
            #expect(try code(folder) == .assetIsDirectory)
            let text = folder.appendingPathComponent("text.mp3")
            try Data("This is no music.".utf8).write(to: text)
            #expect(try code(text) == .mediaTypeUnsupported)
            try Data().write(to: text)
            #expect(try code(text) == .mediaTypeUnsupported)
            // The comments break off.
            let bytes = try TagFixtures.bytes(urls[0])
            try Data(bytes.prefix(100)).write(to: urls[0])
            #expect(try [.assetUnreadable, .metadataInvalid].contains(code(urls[0])))
            #expect(try TagFixtures.bytes(urls[0]) == Array(bytes.prefix(100)))
        }
    }

    @Test("The kind of file is told by its content, not by its name")
    func content() throws {
        try TagFixtures.withCopies(["chirp.flac"]) { urls in
            let wrong = urls[0].deletingPathExtension().appendingPathExtension("mp3")
            try FileManager.default.moveItem(at: urls[0], to: wrong)
            #expect(try TagFile.writeBlocking(edit(), to: wrong).container == .flac)
        }
    }

    @Test(
        "A file that somebody else changes meanwhile keeps that change",
        arguments: [StagedTags.Step.copied, .edited]
    )
    func meanwhile(_ step: StagedTags.Step) throws {
        try TagFixtures.withCopies(["tagged.mp3"]) { urls in
            let other = try TagFixtures.bytes(urls[0]) + [0]
            let error = #expect(throws: EarshotError.self) {
                _ = try TagFile.writeBlocking(edit(), to: urls[0]) {
                    if $0 == step { try? Data(other).write(to: urls[0]) }
                }
            }
            #expect(error?.code == .fileChanged)
            #expect(try TagFixtures.bytes(urls[0]) == other)
            #expect(try TagFixtures.names(urls[0].deletingLastPathComponent()) == ["tagged.mp3"])
        }
    }

    @Test("Lost at any step, the old file or the new one is there, and what is left is removed by the next run")
    func kills() throws {
        for name in TagFixtures.all {
            try TagFixtures.withCopies([name]) { urls in
                let old = try TagFixtures.bytes(urls[0])
                let folder = urls[0].deletingLastPathComponent()
                var states: [StagedTags.Step: [String: Data]] = [:]
                let sound = try AudioDigest.blocking(urls[0])
                _ = try TagFile.writeBlocking(edit(), to: urls[0]) { step in
                    var files: [String: Data] = [:]
                    for name in (try? TagFixtures.names(folder)) ?? [] {
                        files[name] = try? Data(contentsOf: folder.appendingPathComponent(name))
                    }
                    states[step] = files
                }
                let new = try TagFixtures.bytes(urls[0])
                #expect(states.count == 4 && old != new)
                for (step, files) in states {
                    for name in try TagFixtures.names(folder) {
                        try FileManager.default.removeItem(at: folder.appendingPathComponent(name))
                    }
                    for (name, data) in files { try data.write(to: folder.appendingPathComponent(name)) }
                    #expect(try TagFixtures.bytes(urls[0]) == (step == .replaced ? new : old))
                    #expect(files.count == (step == .replaced ? 1 : 2))
                    _ = try TagFile.writeBlocking(edit("Third"), to: urls[0])
                    #expect(try TagFixtures.names(folder) == [name])
                    #expect(try AudioDigest.blocking(urls[0]) == sound)
                }
            }
        }
    }

    @Test("What a living process is writing is no leftover")
    func living() throws {
        try withTemporaryFolder { folder in
            let staged = try StagedFile(in: folder.path, for: "a file")
            // A lock counts between descriptors, also of one process.
            StagedFile.removeLeftovers(in: folder.path)
            #expect(try TagFixtures.names(folder).count == 1)
            withExtendedLifetime(staged) {}
        }
    }

    @Test("No damage crashes; what is refused stays as it was, and what is written keeps its sound")
    func damage() throws {
        var outcomes: [Bool: Int] = [:]
        try TagFixtures.withCopies(TagFixtures.all) { copies in
            var urls = copies
            var originals = try urls.map { try TagFixtures.bytes($0) }
            // Ends of tags that say to be of no size, on which the search for the end of the sound must not stand still.
            let bare = try TagFixtures.bareMP3()
            let ape = Array("APETAGEX".utf8) + [0xD0, 7] + [UInt8](repeating: 0, count: 22)
            for (index, end) in [ape, Array("-00015LYRICS200".utf8)].enumerated() {
                urls.append(urls[0].deletingLastPathComponent().appendingPathComponent("end \(index).mp3"))
                originals.append(bare + end)
            }
            var round = 0
            property("damaged files", rounds: 400) { generator in
                let which = round % urls.count
                round += 1
                // Tags and tables stand at the ends.
                var bytes = originals[which]
                let head = generator.mutated(Array(bytes.prefix(1_500)))
                let tail = generator.mutated(Array(bytes.suffix(600)))
                bytes = Bool.random(using: &generator) ? head + bytes.dropFirst(1_500) : bytes.dropLast(600) + tail
                try Data(bytes).write(to: urls[which])
                do {
                    let sound = try AudioDigest.blocking(urls[which])
                    _ = try TagFile.writeBlocking(try edit(), to: urls[which])
                    outcomes[true, default: 0] += 1
                    return try AudioDigest.blocking(urls[which]) == sound
                } catch let error as EarshotError {
                    outcomes[false, default: 0] += 1
                    return try error.code != .internalError && TagFixtures.bytes(urls[which]) == bytes
                }
            }
        }
        // Both kinds must occur, or the test proves nothing.
        #expect(outcomes[true, default: 0] > 20 && outcomes[false, default: 0] > 20)
    }
}
