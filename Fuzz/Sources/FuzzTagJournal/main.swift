// Journals of tag changes of arbitrary bytes, with and without check sums that fit: refused as `storeDamaged`, or read; and cut
// short, no change is there that was not there before. And journals of one change that is all right but for its operations, which
// are undone: the file stays as it is, and nothing else is there afterwards.

import Dispatch
import EarshotCore
import EarshotTags
import Foundation
import LibFuzzer

func changes(_ bytes: [UInt8]) -> [TagJournal.Change]? {
    do {
        return try TagJournal.changes(in: bytes)
    } catch {
        precondition(error.code == .storeDamaged, "\(error)")
        return nil
    }
}

func exercise(_ bytes: [UInt8]) {
    guard let whole = changes(bytes) else { return }
    precondition(zip(whole, whole.dropFirst()).allSatisfy { $0.number < $1.number })
    for size in stride(from: 28, to: bytes.count, by: max(1, bytes.count / 16)) {
        let cut = changes(Array(bytes.prefix(size))) ?? []
        precondition(cut.map(\.number) == whole.prefix(cut.count).map(\.number))
        precondition(cut.map(\.newURL) == whole.prefix(cut.count).map(\.newURL))
    }
}

/// The same bytes with the check sums of header and records put right.
func sealed(_ bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    func seal(_ range: Range<Int>) {
        bytes.replaceSubrange(range.upperBound..<range.upperBound + 4, with: littleEndian(checksum(bytes[range])))
    }
    guard bytes.count >= 28 else { return bytes }
    let root = (0..<4).reduce(0) { $0 | Int(bytes[20 + $1]) << (8 * $1) }
    guard root <= bytes.count - 28 else { return bytes }
    seal(0..<24 + root)
    var start = 28 + root
    while start + 16 <= bytes.count {
        let size = (0..<4).reduce(0) { $0 | Int(bytes[start + 4 + $1]) << (8 * $1) }
        seal(start..<start + 8)
        guard size <= bytes.count - start - 16 else { break }
        seal(start..<start + 12 + size)
        start += 16 + size
    }
    return bytes
}

// MARK: - Undoing

/// The new file, and its SHA-256.
let file: [UInt8] = (0..<1_024).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 8) }
let digest: [UInt8] = [
    0x4B, 0xD5, 0x15, 0xBE, 0x31, 0x50, 0x46, 0x71, 0x6E, 0x9E, 0xE4, 0xF3, 0x6A, 0xA6, 0x70, 0x51,
    0x08, 0x0E, 0x12, 0x2A, 0x1E, 0xEC, 0xEC, 0xA2, 0x70, 0x87, 0x39, 0xE6, 0xFA, 0x58, 0x60, 0xAB,
]
let folder = FileManager.default.temporaryDirectory.appendingPathComponent("earshot-fuzz-\(UUID().uuidString)").path

func text(_ text: String) -> [UInt8] {
    let count = text.utf8.count
    // Groups of seven bits, as few as it takes.
    let size = count < 0x80 ? [UInt8(count)] : [UInt8(count & 0x7F | 0x80), UInt8(count >> 7)]
    return size + Array(text.utf8)
}

func record(_ kind: UInt32, _ body: [UInt8]) -> [UInt8] {
    let head = littleEndian(kind) + littleEndian(UInt32(body.count))
    let record = head + littleEndian(checksum(head)) + body
    return record + littleEndian(checksum(record))
}

/// A journal of one change: operations that make some bytes, of which no one knows the digest, out of the new file.
func journal(size: Int, _ operations: [UInt8]) -> [UInt8] {
    var header = Array("EARSHJNL".utf8) + [1, 0, 0, 0] + [UInt8](repeating: 0, count: 8)
    header += littleEndian(UInt32(folder.utf8.count)) + Array(folder.utf8)
    header += littleEndian(checksum(header))
    var change = littleEndian(UInt64(1)) + littleEndian(Int64(0))
    change += littleEndian(UInt64(size)) + [UInt8](repeating: 1, count: 32)
    change += littleEndian(UInt64(file.count)) + digest
    change += littleEndian(UInt32(0o644)) + littleEndian(UInt32(0)) + littleEndian(UInt32(0))
    change += littleEndian(Int64(0)) + littleEndian(UInt32(0)) + littleEndian(UInt64(operations.count))
    change += text(folder + "/old") + text(folder + "/new") + [0]
    // In two parts, so that an operation goes on in the second.
    let half = operations.count / 2
    return header + record(1, Array(operations[..<half])) + record(1, Array(operations[half...])) + record(2, change)
}

func undo(_ bytes: [UInt8]) throws {
    guard bytes.count >= 2 else { return }
    let made = journal(size: Int(bytes[0]) | Int(bytes[1] & 0x1F) << 8, Array(bytes.dropFirst(2)))
    let url = URL(fileURLWithPath: folder + "/journal")
    try Data(made).write(to: url)
    let done = DispatchSemaphore(value: 0)
    Task.detached {
        let outcomes = try? await TagJournal.open(url).undo()
        // Release builds do not say why a precondition fails.
        if outcomes?.map({ $0.error?.code }) != [.storeDamaged] { fatalError("\(String(describing: outcomes))") }
        done.signal()
    }
    done.wait()
    let left = try Data(contentsOf: URL(fileURLWithPath: folder + "/new"))
    precondition(left.elementsEqual(file))
    let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    precondition(names == ["journal", "new"], "\(names)")
}

try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
try Data(file).write(to: URL(fileURLWithPath: folder + "/new"))

fuzz { bytes in
    exercise(bytes)
    exercise(sealed(bytes))
    // The head of a journal in front, so that every input is one.
    exercise(sealed(Array("EARSHJNL".utf8) + [1, 0, 0, 0] + [UInt8](repeating: 0, count: 16) + bytes))
    do {
        try undo(bytes)
    } catch {
        preconditionFailure("\(error)")
    }
}
