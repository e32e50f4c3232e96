// Live feeds of arbitrary bytes in arbitrary pieces, with and without check sums that fit: refused as `requestInvalid`, or read;
// in any pieces the same. What is read can be written and put into an index.

import EarshotCore
import EarshotMusic
import EarshotSignatures
import EarshotStations
import Foundation
import LibFuzzer

/// What a reader gives for bytes in pieces: the pieces of the channel up to the first error, and whether there was one.
func read(_ bytes: [UInt8], cut: () -> Int) -> (pieces: [LiveChunk], channel: String?, isRefused: Bool) {
    var reader = LiveFeedReader()
    var pieces: [LiveChunk] = []
    do {
        var offset = 0
        while offset < bytes.count {
            let end = min(bytes.count, offset + cut())
            reader.append(bytes[offset..<end])
            while let piece = try reader.next() { pieces.append(piece) }
            offset = end
        }
        try reader.finish()
        return (pieces, reader.channel?.rawValue, false)
    } catch {
        precondition(error.code == .requestInvalid, "\(error)")
        return (pieces, reader.channel?.rawValue, true)
    }
}

func exercise(_ bytes: [UInt8]) throws {
    let whole = read(bytes) { max(1, bytes.count) }
    let single = read(bytes) { 1 }
    precondition(single.pieces == whole.pieces && single.isRefused == whole.isRefused)
    guard let channel = whole.channel else { return }
    var writer = try LiveFeedWriter(channel: EntityID(channel))
    var written = [UInt8](writer.header)
    let index = LiveIndex()
    for piece in whole.pieces {
        written += try writer.data(of: piece)
        let end = piece.start.addingTimeInterval(piece.signature.duration.seconds)
        _ = try index.append(piece, channel: EntityID(channel), now: end)
    }
    precondition(read(written) { 7 }.pieces == whole.pieces)
}

/// The same bytes with the check sums of header, records and signatures put right.
func sealed(_ bytes: [UInt8]) -> [UInt8] {
    guard bytes.count > 20 else { return bytes }
    var bytes = bytes
    func seal(_ range: Range<Int>) {
        bytes.replaceSubrange(range.upperBound..<range.upperBound + 4, with: littleEndian(checksum(bytes[range])))
    }
    var start = 16 + Int(bytes[12]) + Int(bytes[13]) << 8
    guard start + 4 <= bytes.count else { return bytes }
    seal(0..<start)
    start += 4
    while start + 12 <= bytes.count {
        let size = (0..<4).reduce(0) { $0 | Int(bytes[start + 4 + $1]) << (8 * $1) }
        let end = start + 8 + size
        guard end + 4 <= bytes.count else { break }
        if size >= 24 { seal(start + 24..<end - 4) }
        seal(start..<end)
        start = end + 4
    }
    return bytes
}

fuzz { bytes in
    do {
        try exercise(bytes)
        try exercise(sealed(bytes))
    } catch {
        preconditionFailure("\(error)")
    }
}
