// Fingerprint indexes of which the segment or the manifest is of arbitrary bytes, with and without checksums that fit:
// refused, or searching, checking, removing and merging run to their end, whatever they answer.

import EarshotCore
import EarshotFingerprints
import Foundation
import LibFuzzer

let folder = FileManager.default.temporaryDirectory.appendingPathComponent("earshot-fuzz-\(getpid())")

/// A query whose first sub-fingerprint the seeds hold.
let query: FileFingerprint? = try? FileFingerprint(
    (0..<200).map { UInt32(truncatingIfNeeded: $0 &* 2_654_435_761) },
    duration: MediaTime(value: 200, timescale: 1)
)

// Made anew with every format: `FuzzFingerprintSegment --seed FOLDER` writes an index for the fuzzer to begin with.
if CommandLine.arguments.count == 3, CommandLine.arguments[1] == "--seed", let query {
    let folder = URL(fileURLWithPath: CommandLine.arguments[2])
    let index = try FingerprintIndex(at: folder, access: .writing)
    try index.add([.init(id: 1, fingerprint: query), .init(id: 2, fingerprint: query)])
    try index.remove([2])
    exit(0)
}

/// The manifest of one segment of number 1.
let manifest: [UInt8] = {
    var bytes = Array("EARSHFPM".utf8) + [1, 0, 0, 0] + littleEndian(UInt32(1)) + littleEndian(UInt64(2))
    bytes += littleEndian(UInt32(1)) + littleEndian(UInt64(1)) + [0]
    return bytes + littleEndian(checksum(bytes))
}()

func exercise(segment: [UInt8], manifest: [UInt8]) {
    try? FileManager.default.removeItem(at: folder)
    guard (try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)) != nil else {
        return
    }
    try? Data(segment).write(to: folder.appendingPathComponent("1.earprints"))
    try? Data(manifest).write(to: folder.appendingPathComponent("manifest"))
    guard let index = try? FingerprintIndex(at: folder, access: .writing), let query else { return }
    for match in (try? index.search(for: query)) ?? [] { precondition((0...1).contains(match.score)) }
    try? index.verify()
    _ = try? index.remove([1])
    try? index.add([.init(id: 3, fingerprint: query)])
    try? index.merge()
    _ = try? index.search(for: query)
}

/// A segment whose length and checksums fit.
func sealed(_ bytes: [UInt8]) -> [UInt8]? {
    guard bytes.count >= 72 else { return nil }
    var sealed = bytes
    sealed.replaceSubrange(24..<32, with: littleEndian(UInt64(bytes.count)))
    let count = Int(bytes[52]) | Int(bytes[53]) << 8
    let end = 64 + count * 24
    guard end + 8 <= bytes.count else { return nil }
    for at in stride(from: 64, to: end, by: 24) {
        func number(_ place: Int) -> Int { (0..<7).reduce(0) { $0 | Int(bytes[place + $1]) << (8 * $1) } }
        let (offset, length) = (number(at + 8), number(at + 16))
        guard offset >= end + 8, offset <= bytes.count, length <= bytes.count - offset else { continue }
        sealed.replaceSubrange(at + 4..<at + 8, with: littleEndian(checksum(bytes[offset..<offset + length])))
    }
    sealed.replaceSubrange(end..<end + 4, with: littleEndian(checksum(sealed[..<end])))
    return sealed
}

fuzz { bytes in
    exercise(segment: bytes, manifest: manifest)
    if let segment = sealed(bytes) { exercise(segment: segment, manifest: manifest) }
    exercise(segment: bytes, manifest: bytes)
    exercise(segment: bytes, manifest: bytes + littleEndian(checksum(bytes)))
}
