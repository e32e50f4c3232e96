package import EarshotCore
import Foundation

/// A reference in which candidates lie, with the data that the root needs for an answer.
package struct FoundReference: Sendable {
    package var segment: Int
    package var number: Int
    package var id: ReferenceID
    package var items: [MediaItem]
    package var duration: MediaTime
}

/// Media items are encoded as in catalog files.
extension FoundReference: Codable {
    private enum CodingKeys: String, CodingKey {
        case segment, number, id, items, duration
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        segment = try container.decode(Int.self, forKey: .segment)
        number = try container.decode(Int.self, forKey: .number)
        id = ReferenceID(try container.decode(String.self, forKey: .id))
        duration = try container.decode(MediaTime.self, forKey: .duration)
        items = try container.decode([Data].self, forKey: .items).map { data in
            var reader = ByteReader([UInt8](data))
            guard let item = MediaItem.decode(from: &reader), reader.remaining == 0 else {
                throw DecodingError.dataCorruptedError(
                    forKey: .items,
                    in: container,
                    debugDescription: "A media item cannot be read."
                )
            }
            return item
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(segment, forKey: .segment)
        try container.encode(number, forKey: .number)
        try container.encode(id.rawValue, forKey: .id)
        try container.encode(duration, forKey: .duration)
        let items = items.map { item in
            var writer = ByteWriter()
            item.encode(to: &writer)
            return Data(writer.bytes)
        }
        try container.encode(items, forKey: .items)
    }
}
