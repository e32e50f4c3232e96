// Bundles of arbitrary bytes in arbitrary pieces, with and without check sums that fit: refused as `bundleInvalid`, or read;
// in any pieces the same. The same bytes as a list for a bundle: refused as `metadataInvalid`, or read.

import EarshotBroadcast
import EarshotCatalogs
import EarshotCore
import EarshotMonitor
import EarshotMusic
import EarshotSignatures
import Foundation
import LibFuzzer

// Made anew with every format: `FuzzBundle --seed FILE` writes a bundle for the fuzzer to begin with.
if CommandLine.arguments.count == 3, CommandLine.arguments[1] == "--seed" {
    var bytes = Array("EARSHSIG".utf8) + [1, 0, 0, 0, 1, 0, 0, 0] + littleEndian(Int64(1)) + littleEndian(Int32(1))
    bytes += littleEndian(UInt32(1)) + littleEndian(UInt32(2)) + [2]
    for index in 1...2 { bytes += littleEndian(UInt32(index * 20 << 15 | index * 389 << 4)).prefix(3) }
    let signature = try Signature(data: Data(bytes + littleEndian(checksum(bytes))))
    let header = try BundleHeader(id: "b", version: 1, title: "T", creationDate: Date(timeIntervalSince1970: 1))
    let writer = try BundleWriter(URL(fileURLWithPath: CommandLine.arguments[2]), header: header)
    try writer.add(
        BundleReference(
            id: "r",
            signature: signature,
            item: try MediaItem(properties: ["x": 1]),
            title: "t",
            subtitle: "s",
            customData: CustomData(identifier: "d", bytes: Data([1, 2]))
        ),
        work: VideoWork(id: "w", title: Name("W"))
    )
    try writer.add(BundleReference(id: "q", signature: signature))
    try writer.finish(replacing: true)
    exit(0)
}

/// What a reader gives for bytes in pieces: the records up to the first error, and that.
func read(_ bytes: [UInt8], pieces: () -> Int) -> (records: [BundleRecord], error: String?) {
    var reader = BundleReader()
    var records: [BundleRecord] = []
    do {
        var offset = 0
        while offset < bytes.count {
            let end = min(bytes.count, offset + pieces())
            reader.append(bytes[offset..<end])
            while let record = try reader.next() { records.append(record) }
            offset = end
        }
        let summary = try reader.finish()
        precondition(records.last == .end(summary) && summary.byteCount == bytes.count)
        return (records, nil)
    } catch {
        precondition(error.code == .bundleInvalid, "\(error)")
        return (records, "\(error)")
    }
}

func exercise(_ bytes: [UInt8]) {
    let whole = read(bytes) { max(1, bytes.count) }
    let single = read(bytes) { 1 }
    var state = UInt32(bytes.count)
    let mixed = read(bytes) {
        state = state &* 1_664_525 &+ 1_013_904_223
        return 1 + Int(state >> 16) % 40
    }
    for other in [single, mixed] {
        precondition(other.records == whole.records)
        // What is cut short is named with the bytes that came, and magic bytes are compared as they come.
        precondition((other.error == nil) == (whole.error == nil))
    }
}

/// The same bytes with the check sums of header, records and signatures put right.
func sealed(_ bytes: [UInt8]) -> [UInt8] {
    guard bytes.count > 44 else { return bytes }
    var bytes = bytes
    func number(_ offset: Int) -> Int {
        (0..<4).reduce(0) { $0 | Int(bytes[offset + $1]) << (8 * $1) }
    }
    func seal(_ range: Range<Int>) {
        bytes.replaceSubrange(range.upperBound..<range.upperBound + 4, with: littleEndian(checksum(bytes[range])))
    }
    var start = 44 + number(32) + number(36)
    guard start + 4 <= bytes.count else { return bytes }
    seal(0..<start)
    start += 4
    while start + 12 <= bytes.count {
        let end = start + 8 + number(start + 4)
        guard end + 4 <= bytes.count else { break }
        let magic = Array("EARSHSIG".utf8)
        let place = (start..<end).first {
            $0 + magic.count + 4 <= end && bytes[$0..<$0 + magic.count].elementsEqual(magic)
        }
        if let place { seal(place..<end - 4) }
        seal(start..<end)
        start = end + 4
    }
    return bytes
}

fuzz { bytes in
    exercise(bytes)
    let whole = sealed(bytes)
    if whole != bytes { exercise(whole) }
    do {
        _ = try BundleManifest(Data(bytes), folder: URL(fileURLWithPath: "/"))
    } catch {
        precondition((error as? EarshotError)?.code == .metadataInvalid, "\(error)")
    }
}
