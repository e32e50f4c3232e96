// Catalog files of arbitrary bytes, with and without a header whose length and check sum fit: refused, or everything that
// can be done with a catalog runs to its end, whatever it answers.

import EarshotCatalogs
import EarshotCore
import EarshotSignatures
import Foundation
import LibFuzzer

/// A query that the seeds hold: two seconds of tones with noise over them, so that its spectrogram is asked for too.
let query: Signature? = {
    var noise: UInt32 = 1
    let samples = (0..<32_000).map { index -> Float in
        noise = noise &* 1_664_525 &+ 1_013_904_223
        let pitch = Float(220 + 90 * (index / 2_000 * 7 % 11))
        return 0.2 * sin(2 * .pi * pitch * Float(index) / 16_000) + Float(Int32(bitPattern: noise)) * 0x1p-33
    }
    var generator = SignatureGenerator()
    guard (try? generator.append(AudioBuffer(samples, sampleRate: 16_000))) != nil else { return nil }
    return generator.signature()
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
