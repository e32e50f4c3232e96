import EarshotCore
import Foundation

extension StationSettings {
    /// Refuses keys that the file of settings does not have: one that is written wrong would be left out without a word.
    ///
    /// - Parameters:
    ///   - data: The file.
    ///   - path: Its name, for messages.
    /// - Throws: `configurationInvalid`, with the key, where it stands, and the keys that are known there. What is no JSON object
    ///   is left to the decoder.
    static func checkKeys(_ data: Data, path: String) throws(EarshotError) {
        guard let document = try? JSONSerialization.jsonObject(with: data) as? [String: Any] else { return }
        try check(document, Document.CodingKeys.self, in: path)
        for (index, station) in objects(document["stations"]) {
            let id = station["id"] as? String
            let place = "station \(id.map { "'\($0)'" } ?? String(index + 1)) of \(path)"
            try check(station, Entry.CodingKeys.self, in: place)
            if let live = station["live"] as? [String: Any] {
                try check(live, Live.CodingKeys.self, in: "live of \(place)")
            }
        }
        for (index, webhook) in objects(document["webhooks"]) {
            let name = webhook["name"] as? String ?? webhook["url"] as? String
            let place = "webhook \(name.map { "'\($0)'" } ?? String(index + 1)) of \(path)"
            try check(webhook, Webhook.CodingKeys.self, in: place)
        }
    }

    private static func objects(_ list: Any?) -> [(index: Int, object: [String: Any])] {
        (list as? [Any] ?? []).enumerated().compactMap { index, one in (one as? [String: Any]).map { (index, $0) } }
    }

    private static func check<Key: CodingKey & CaseIterable>(
        _ object: [String: Any],
        _ keys: Key.Type,
        in place: String
    ) throws(EarshotError) {
        let known = keys.allCases.map(\.stringValue)
        guard let key = object.keys.filter({ !known.contains($0) }).min() else { return }
        throw EarshotError(
            .configurationInvalid,
            "unknown key '\(key)' in \(place); known keys: \(known.joined(separator: ", "))"
        )
    }
}
