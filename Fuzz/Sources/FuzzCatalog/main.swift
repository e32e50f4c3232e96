// Catalog files of arbitrary bytes, with and without a header whose length and check sum fit: refused, or everything that
// can be done with a catalog runs to its end, whatever it answers.

import EarshotCatalogs
import EarshotCore
import EarshotSignatures
import Foundation
import LibFuzzer

/// A query that the seeds hold: 25 landmarks a second for two seconds.
let query: Signature? = {
    var bytes = Array("EARSHSIG".utf8) + [1, 0, 0, 0, 1, 0, 0, 0] + littleEndian(Int64(2)) + littleEndian(Int32(1))
    bytes += littleEndian(UInt32(2)) + littleEndian(UInt32(50)) + [26, 24]
    for index in 0..<50 {
        let time = index * 20
        let bits = UInt32(time % 512) << 15 | UInt32(index * 389 % 1_900) << 4 | UInt32(index % 3)
        bytes += littleEndian(bits).prefix(3)
    }
    return try? Signature(data: Data(bytes + littleEndian(checksum(bytes))))
}()

// Made anew with every format: `FuzzCatalog --seed FILE` writes a catalog for the fuzzer to begin with.
if CommandLine.arguments.count == 3, CommandLine.arguments[1] == "--seed", let query {
    var catalog = Catalog()
    let item = try MediaItem(properties: [.title: "T", .timeRanges: [[0, 1.5]], "x": ["y": [true, .data(Data([1]))]]])
    try catalog.add(query, representing: [item, MediaItem()], id: "one")
    try catalog.add(query.slice(from: .zero, duration: MediaTime(value: 1, timescale: 1)).signature, representing: [])
    try catalog.write(to: URL(fileURLWithPath: CommandLine.arguments[2]), replacing: true)
    exit(0)
}

func exercise(_ bytes: [UInt8]) {
    guard let catalog = try? Catalog(data: Data(bytes)) else { return }
    for id in catalog.referenceIDs.prefix(20) { _ = try? catalog.reference(id) }
    try? catalog.forEachReference { reference in
        for item in reference.items { _ = (item.title, item.timeRanges, item.frequencySkewRanges, item.artworkURL) }
    }
    let isWhole = (try? catalog.verify()) != nil
    if let query, let match = try? catalog.match(query) { _ = match.mediaItems.map(\.confidence) }
    // What is whole can be written again and merged.
    guard isWhole, let written = try? catalog.data() else { return }
    precondition(written == Data(bytes))
    var grown = catalog
    if let query, (try? grown.add(query, representing: [])) != nil {
        guard let data = try? grown.data(), let read = try? Catalog(data: data) else {
            preconditionFailure("a catalog of whole parts is unreadable")
        }
        precondition(read.count == catalog.count + 1)
    }
}

fuzz { bytes in
    exercise(bytes)
    guard bytes.count >= 72 else { return }
    var sealed = bytes
    sealed.replaceSubrange(24..<32, with: littleEndian(UInt64(bytes.count)))
    let sections = Int(bytes[44]) | Int(bytes[45]) << 8 | Int(bytes[46]) << 16 | Int(bytes[47]) << 24
    let end = 64 + sections * 24
    guard end + 8 <= bytes.count else { return }
    sealed.replaceSubrange(end..<end + 4, with: littleEndian(checksum(sealed[..<end])))
    exercise(sealed)
}
