// Journals of tag changes of arbitrary bytes, with and without check sums that fit: refused as `storeDamaged`, or read; and cut
// short, no change is there that was not there before.

import EarshotAlbums
import EarshotCore
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
    for size in stride(from: 24, to: bytes.count, by: max(1, bytes.count / 16)) {
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
    guard bytes.count >= 24 else { return bytes }
    seal(0..<20)
    var start = 24
    while start + 16 <= bytes.count {
        let size = (0..<4).reduce(0) { $0 | Int(bytes[start + 4 + $1]) << (8 * $1) }
        seal(start..<start + 8)
        guard size <= bytes.count - start - 16 else { break }
        seal(start..<start + 12 + size)
        start += 16 + size
    }
    return bytes
}

fuzz { bytes in
    exercise(bytes)
    exercise(sealed(bytes))
    // The head of a journal in front, so that every input is one.
    exercise(sealed(Array("EARSHJNL".utf8) + [1, 0, 0, 0] + [UInt8](repeating: 0, count: 12) + bytes))
}
