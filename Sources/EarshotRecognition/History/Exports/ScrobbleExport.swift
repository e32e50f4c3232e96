import EarshotCore
import Foundation

/// Exports a history as scrobbles: parameters of `track.scrobble` requests to Last.fm and compatible services, and the
/// file `.scrobbler.log` of portable players.
///
/// Requests must be signed by the sender. It adds `api_key`, `sk` and `api_sig`, which is the MD5 digest of all
/// parameters, ordered by the ASCII codes of their names, followed by the secret of the sending program. The file needs
/// no secret.
///
/// `chosenByUser` is 0, as for radio, because the music was heard and not chosen. The oldest scrobbles come first, and
/// the time of each is that at which the track began to play. The service rejects scrobbles that are too old, and
/// reports each.
package struct ScrobbleExport: Sendable {
    /// The largest number of scrobbles in a request.
    package static let maximumCount = 50

    /// The name of the program in the log file.
    package var client: String
    /// The rule for which entries count as listens: the service accepts tracks longer than 30 s.
    package var rule: ListenRule

    /// Creates an export.
    ///
    /// - Parameters:
    ///   - client: The name of the program in the log file.
    ///   - rule: The rule for which entries count as listens.
    public init(client: String = "Earshot", rule: ListenRule = ListenRule(minimumDuration: 30)) {
        self.client = client
        self.rule = rule
    }

    /// Returns the parameters of requests, without sender and signature, and the entries that were left out.
    ///
    /// - Parameter entries: The entries, in any order.
    package func batches(_ entries: [HistoryEntry]) -> (batches: [[String: String]], omissions: [HistoryOmission]) {
        var (listens, omissions) = named(entries)
        listens = listens.filter { listen in
            let counts = rule.counts(duration: listen.duration, heard: listen.entry.heard)
            if !counts { omissions.append(HistoryOmission(id: listen.entry.id, reason: .notHeard)) }
            return counts
        }
        let batches = stride(from: 0, to: listens.count, by: Self.maximumCount).map { begin in
            var parameters = ["method": "track.scrobble"]
            for (index, listen) in listens[begin..<min(begin + Self.maximumCount, listens.count)].enumerated() {
                for (name, value) in Self.parameters(listen) { parameters["\(name)[\(index)]"] = value }
            }
            return parameters
        }
        return (batches, omissions)
    }

    private static func parameters(_ listen: HistoryListen) -> [String: String] {
        var parameters = [
            "artist": listen.artist, "track": listen.title, "timestamp": String(listen.beginning), "chosenByUser": "0",
        ]
        parameters["album"] = listen.album
        parameters["albumArtist"] = listen.albumArtist
        parameters["trackNumber"] = listen.trackNumber.map(String.init)
        parameters["mbid"] = listen.recording
        parameters["duration"] = listen.duration.map { String(Int($0.rounded())) }
        return parameters
    }

    /// Returns the text of the file `.scrobbler.log` (AUDIOSCROBBLER/1.1) with times in UTC, the number of entries in
    /// it, and the entries that were left out.
    ///
    /// Entries heard for less than half of their duration are marked as skipped.
    ///
    /// - Parameter entries: The entries, in any order.
    package func log(_ entries: [HistoryEntry]) -> (text: String, count: Int, omissions: [HistoryOmission]) {
        let (listens, nameless) = named(entries)
        var omissions = nameless
        var lines = ["#AUDIOSCROBBLER/1.1", "#TZ/UTC", "#CLIENT/" + Self.field(client)]
        let header = lines.count
        for listen in listens {
            guard let duration = listen.duration else {
                omissions.append(HistoryOmission(id: listen.entry.id, reason: .lengthMissing))
                continue
            }
            let counts = rule.counts(duration: duration, heard: listen.entry.heard)
            // A track that is too short, or of which nobody knows, was not skipped either.
            guard counts || (listen.entry.heard != nil && duration > rule.minimumDuration) else {
                omissions.append(HistoryOmission(id: listen.entry.id, reason: .notHeard))
                continue
            }
            let fields = [
                listen.artist, listen.album ?? "", listen.title, listen.trackNumber.map(String.init) ?? "",
                String(Int(duration.rounded())), counts ? "L" : "S", String(listen.beginning), listen.recording ?? "",
            ]
            lines.append(fields.map(Self.field).joined(separator: "\t"))
        }
        return (lines.joined(separator: "\n") + "\n", lines.count - header, omissions)
    }

    /// The entries with names, oldest first, and those without.
    private func named(_ entries: [HistoryEntry]) -> (listens: [HistoryListen], omissions: [HistoryOmission]) {
        let listens = entries.compactMap(HistoryListen.init).sorted { $0.beginning < $1.beginning }
        let known = Set(listens.map(\.entry.id))
        let others = entries.filter { !known.contains($0.id) }
        return (listens, others.map { HistoryOmission(id: $0.id, reason: .nameMissing) })
    }

    /// A field on one line of its own: the format knows no quoting.
    private static func field(_ text: String) -> String {
        String(text.unicodeScalars.map { $0.properties.generalCategory == .control ? " " : Character($0) })
    }
}
