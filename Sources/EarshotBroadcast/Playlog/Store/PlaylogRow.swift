package import EarshotCore
import EarshotMusic
import Foundation

/// The JSON of a log's rows, the same in all databases.
package enum PlaylogRow {
    /// Encodes a play, a gap or an interval.
    ///
    /// - Throws: `metadataInvalid` for a number that is not finite; a checked record has none.
    package static func json(_ value: some Encodable) throws(EarshotError) -> String {
        String(decoding: try PlaylogJSON.encode(value), as: UTF8.self)
    }

    /// Decodes a play, a gap or an interval.
    ///
    /// - Throws: `storeDamaged` if it cannot be decoded.
    package static func value<Value: Decodable>(_ type: Value.Type, _ json: String) throws(EarshotError) -> Value {
        do {
            return try PlaylogJSON.decode(type, from: Data(json.utf8))
        } catch {
            throw EarshotError(
                .storeDamaged,
                "The log of plays holds an entry that cannot be read: restore it from a backup.",
                cause: error
            )
        }
    }

    /// Decodes a change.
    ///
    /// - Throws: `storeDamaged` if it cannot be decoded, or if its event belongs to a newer version.
    package static func change(
        _ sequence: Int,
        _ event: String,
        isGap: Bool,
        _ json: String
    ) throws(EarshotError) -> PlayChange {
        guard let event = PlayEvent(rawValue: event) else {
            throw EarshotError(
                .storeDamaged,
                "The log of plays holds a change of a newer version: use that one, or a backup."
            )
        }
        let subject: PlayChange.Subject =
            isGap ? .gap(try value(StreamGap.self, json)) : .play(try value(PlayRecord.self, json))
        return PlayChange(sequence: sequence, event: event, subject: subject)
    }
}

extension PlayPage where Item: Decodable {
    /// Creates a page from rows.
    ///
    /// - Parameters:
    ///   - json: The rows; one more than the page holds if there is a next page.
    ///   - size: The largest number of items of the page.
    ///   - cursor: The position after which the page begins.
    ///   - place: Returns the position of an item.
    /// - Throws: `storeDamaged` if a row cannot be decoded.
    package init(
        json: [String],
        size: Int,
        after cursor: PlayCursor?,
        _ place: (Item) -> PlayCursor
    ) throws(EarshotError) {
        var items: [Item] = []
        for row in json.prefix(size) { items.append(try PlaylogRow.value(Item.self, row)) }
        self.init(items: items, next: json.count > items.count ? items.last.map(place) ?? cursor : nil)
    }
}

extension PlayCursor {
    /// Creates the position of a play.
    package init(_ record: PlayRecord) { self.init(start: record.start, id: record.id.rawValue) }

    /// Creates the position of a gap.
    package init(_ gap: StreamGap) { self.init(start: gap.start, id: gap.id.rawValue) }
}
