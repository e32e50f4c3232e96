import Earshot
import EarshotBroadcast
import Foundation

extension StationSettings {
    /// The file of settings, as it is written.
    struct Document: Decodable {
        var catalog: String?
        var playlog: String?
        var database: String?
        var state: String?
        var data: String?
        var events: String?
        var clipMegabytes: Int?
        var timeZone: String?
        var webhooks: [Webhook]?
        var stations: [Entry]

        enum CodingKeys: String, CodingKey, CaseIterable {
            case catalog, playlog, database, state, data, events, clipMegabytes, timeZone, webhooks, stations
        }
    }

    /// A receiver of changes.
    struct Webhook: Decodable {
        var url: String
        var secretFile: String
        var name: String?
        var events: [String]?
        var channels: [String]?

        enum CodingKeys: String, CodingKey, CaseIterable { case url, secretFile, name, events, channels }
    }

    /// The part of a station that is kept, to look up recordings in it.
    struct Live: Decodable {
        var hours: Double

        enum CodingKeys: String, CodingKey, CaseIterable { case hours }
    }

    /// A station.
    struct Entry: Decodable {
        var id: String
        var name: String?
        var url: String?
        var device: String?
        var file: String?
        var since: String?
        var catalog: String?
        var spots: Bool?
        var callerRef: String?
        var live: Live?
        var repeats: Bool?
        var timeZone: String?
        var guide: String?

        enum CodingKeys: String, CodingKey, CaseIterable {
            case id, name, url, device, file, since, catalog, spots, callerRef, live, repeats, timeZone, guide
        }

        /// The time at which the first sample of a recording was heard; `nil` for audio that is treated as live.
        var beginning: Date? { since.flatMap { PlaylogTime.date($0) } }
    }

    /// Looks over what was read.
    ///
    /// - Throws: `configurationInvalid`, saying what is wrong with which station or webhook.
    func check() throws(EarshotError) {
        func fault(_ text: String) -> EarshotError { EarshotError(.configurationInvalid, text) }
        func checkZone(_ zone: String?, _ place: String) throws(EarshotError) {
            guard let zone, TimeZone(identifier: zone) == nil else { return }
            throw fault("\(place) has the time zone \"\(zone)\", which is not known: write one such as Europe/Berlin.")
        }
        guard !document.stations.isEmpty else { throw fault("\(path) names no stations: add one.") }
        try checkZone(document.timeZone, path)
        for (index, entry) in document.stations.enumerated() {
            let name = "The station \(entry.id) of \(path)"
            guard !entry.id.isEmpty, entry.id.utf8.count <= 256 else {
                throw fault("Station \(index + 1) of \(path) has no id of 1 to 256 bytes.")
            }
            guard !document.stations[..<index].contains(where: { $0.id == entry.id }) else {
                throw fault("\(path) names the station \(entry.id) twice: rename one.")
            }
            guard [entry.url, entry.device, entry.file].compactMap(\.self).count == 1 else {
                throw fault("\(name) is to have one of url, device and file.")
            }
            guard entry.since == nil || entry.file != nil && entry.beginning != nil else {
                throw fault("\(name) has a since that will not do: it is for a file, as in 2026-11-22T18:30:00Z.")
            }
            try checkZone(entry.timeZone, name)
            guard entry.guide.map({ (1...256).contains($0.utf8.count) }) ?? true else {
                throw fault("\(name) has a guide that is no channel's identifier: give 1 to 256 bytes.")
            }
            guard entry.catalog ?? document.catalog != nil else { throw fault("\(name) has no catalog: name one.") }
            guard entry.live.map({ (0.02...72).contains($0.hours) }) ?? true else {
                throw fault("\(name) keeps \(entry.live?.hours ?? 0) hours live: choose 0.02 to 72.")
            }
        }
        for (index, webhook) in (document.webhooks ?? []).enumerated() {
            let name = Self.consumer(webhook)
            let isTwice = (document.webhooks ?? [])[..<index].contains { Self.consumer($0) == name }
            guard (1...PlayRecord.maximumIdentifierSize).contains(name.utf8.count) else {
                throw fault(
                    "Webhook \(index + 1) of \(path) needs a name of 1 to \(PlayRecord.maximumIdentifierSize) bytes."
                )
            }
            guard !isTwice else { throw fault("\(path) has two webhooks \(name): give one of them another name.") }
            for event in webhook.events ?? [] where PlayEvent(rawValue: event) == nil {
                let known = PlayEvent.allCases.map(\.rawValue).joined(separator: ", ")
                throw fault("The webhook \(name) of \(path) wants events \(event): choose of \(known).")
            }
        }
        guard (0...1_000_000).contains(document.clipMegabytes ?? 0) else {
            throw fault("clipMegabytes of \(path) is to be from 0 to 1000000.")
        }
    }

    /// Under which name the position of a receiver is kept.
    static func consumer(_ webhook: Webhook) -> String { webhook.name ?? webhook.url }
}
