// Media items of arbitrary bytes. Their decoder is not public, so the bytes stand in a catalog of one reference, whose
// check sums are made to fit; and the same bytes as JSON or a property list.

import EarshotCatalogs
import EarshotCore
import EarshotSignatures
import Foundation
import LibFuzzer

/// A catalog of one reference without items, cut at its parts.
struct Frame {
    var bytes: [UInt8]
    var spans: [(entry: Int, range: Range<Int>)] = []

    init?() {
        var signature = Array("EARSHSIG".utf8) + [1, 0, 0, 0, 1, 0, 0, 0] + littleEndian(Int64(1))
        signature += littleEndian(Int32(1)) + littleEndian(UInt32(1)) + littleEndian(UInt32(1)) + [1, 0, 0, 0x10]
        var catalog = Catalog()
        guard let whole = try? Signature(data: Data(signature + littleEndian(checksum(signature)))),
            (try? catalog.add(whole, representing: [], id: "r")) != nil, let data = try? catalog.data()
        else { return nil }
        bytes = [UInt8](data)
        for index in 0..<8 {
            let entry = 64 + index * 24
            let start = Int(bytes[entry + 8]) | Int(bytes[entry + 9]) << 8
            let count = Int(bytes[entry + 16]) | Int(bytes[entry + 17]) << 8
            spans.append((entry, start..<start + count))
        }
    }

    /// The catalog with other bytes in the place of names and items: behind all others, where there is room.
    func with(info: [UInt8]) -> [UInt8] {
        var result = bytes
        // The record says how long the info is; the table where it is and what its check sum is.
        let record = spans[0].range.lowerBound
        result.replaceSubrange(record + 44..<record + 48, with: littleEndian(UInt32(info.count)))
        let records = checksum(result[spans[0].range])
        result.replaceSubrange(spans[0].entry + 4..<spans[0].entry + 8, with: littleEndian(records))
        let entry = spans[1].entry
        result.replaceSubrange(entry + 4..<entry + 8, with: littleEndian(checksum(info)))
        result.replaceSubrange(entry + 8..<entry + 16, with: littleEndian(UInt64(bytes.count)))
        result.replaceSubrange(entry + 16..<entry + 24, with: littleEndian(UInt64(info.count)))
        result += info
        result.replaceSubrange(24..<32, with: littleEndian(UInt64(result.count)))
        result.replaceSubrange(256..<260, with: littleEndian(checksum(result[..<256])))
        return result
    }
}

let frame = Frame()

fuzz { bytes in
    guard let frame else { preconditionFailure("the frame cannot be made") }
    // The name, one item, its bytes.
    guard let catalog = try? Catalog(data: Data(frame.with(info: [1, 0x72, 1] + bytes))) else {
        preconditionFailure("the frame cannot be opened")
    }
    if let reference = try? catalog.reference("r") {
        precondition(reference.items.count == 1)
        let item = reference.items[0]
        _ = (item.title, item.genres, item.timeRanges, item.frequencySkewRanges, item.webURL, item.creationDate)
        // What was read can be made and written, with the very same bytes.
        guard let made = try? MediaItem(properties: item.properties) else {
            preconditionFailure("an item that was read cannot be made")
        }
        precondition(made == item)
        var again = Catalog()
        _ = try? again.add(reference.signature, representing: [made], id: "r")
        guard let data = try? again.data() else { preconditionFailure("an item that was read cannot be written") }
        precondition(data.range(of: Data(bytes)) != nil)
    }
    let data = Data(bytes)
    if let object = try? JSONSerialization.jsonObject(with: data) as? [String: Any] {
        _ = try? MediaItem(propertyList: object)
    }
}
