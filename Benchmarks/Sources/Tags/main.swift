// Writes, undoes and checks tags of a folder of music, for scripts/checks/tags.
//
//   tags write FOLDER JOURNAL ROUND   other tags for every file, and another name for every third, beginning at file ROUND
//   tags undo JOURNAL                 undoes all that the journal holds
//   tags digest FILE…                 the digest of each file's sound
//
// Prints a line for every file done: its path, or `failed`, the path and why. Ends with 1 when one failed.

import EarshotCore
import EarshotMedia
import EarshotTags
import Foundation

func fail(_ text: String) -> Never {
    FileHandle.standardError.write(Data("tags: \(text)\n".utf8))
    exit(2)
}

/// Every file below a folder, in order.
func files(_ folder: URL) throws -> [URL] {
    try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted()
        .map { folder.appendingPathComponent($0) }
        .filter { !$0.hasDirectoryPath && !$0.lastPathComponent.hasPrefix(".") && !$0.pathExtension.isEmpty }
}

/// A bitmap, one pixel wide, of 54 bytes and four for each row.
func picture(_ rows: Int, _ round: Int) -> TagPicture {
    func number(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
    let head = Array("BM".utf8) + number(54 + 4 * rows) + number(0) + number(54) + number(40) + number(1) + number(rows)
    let rest = [1, 0, 24, 0] + number(0) + number(4 * rows) + number(0) + number(0) + number(0) + number(0)
    return TagPicture(bytes: head + rest + (0..<4 * rows).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ round) })
}

func change(_ file: URL, _ index: Int, _ round: Int, in folder: URL) throws -> TagWriter.Change {
    var edit = TagEdit()
    try edit.set("TITLE", to: "Round \(round), file \(index) " + String(repeating: "音", count: round % 40))
    try edit.set("ARTIST", to: ["One", "Two \(round)"])
    try edit.set("MUSICBRAINZ_TRACKID", to: UUID().uuidString.lowercased())
    if index % 4 == round % 4 { edit.set(picture(1_000 + 800 * (round % 30), round)) }
    if index % 4 == (round + 1) % 4 { edit.removePictures() }
    guard index % 3 == round % 3 else { return TagWriter.Change(file: file, edit: edit) }
    let name = try RenameTemplate("{artist}/Round {round}/{title}")
        .path(
            for: ["ARTIST": ["Artist \(index % 5)"], "ROUND": ["\(round)"], "TITLE": ["Song"]],
            suffix: file.pathExtension
        )
    return TagWriter.Change(file: file, edit: edit, destination: folder.appendingPathComponent(name))
}

var hasFailed = false
let arguments = Array(CommandLine.arguments.dropFirst())
switch arguments.first {
case "write":
    guard arguments.count == 4, let round = Int(arguments[3]) else { fail("write FOLDER JOURNAL ROUND") }
    let folder = URL(fileURLWithPath: arguments[1])
    let writer = TagWriter(journal: try await TagJournal.open(URL(fileURLWithPath: arguments[2])), root: folder)
    let all = try files(folder)
    let order = all.indices.map { ($0 + round * 7) % all.count }
    let changes = try order.map { try change(all[$0], $0, round, in: folder) }
    for outcome in await writer.write(changes, progress: { print($0.done, $0.file?.path ?? "") }) {
        guard let error = outcome.error else { continue }
        hasFailed = true
        print("failed", outcome.url.path, error)
    }
case "undo":
    guard arguments.count == 2 else { fail("undo JOURNAL") }
    for outcome in await (try await TagJournal.open(URL(fileURLWithPath: arguments[1]))).undo() {
        guard let error = outcome.error else { continue }
        hasFailed = true
        print("failed", outcome.change.newURL.path, error)
    }
case "digest":
    for path in arguments.dropFirst() {
        do throws(EarshotError) {
            print(try await AudioDigest.of(URL(fileURLWithPath: path)), path)
        } catch {
            hasFailed = true
            print("failed", path, error)
        }
    }
default:
    fail("write, undo or digest")
}
exit(hasFailed ? 1 : 0)
