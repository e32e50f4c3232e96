import CommandKit
import EarshotBroadcast
import EarshotClassification
import EarshotClient
import EarshotCore
import EarshotMusic
import EarshotStations
import Foundation

/// Prints what stations do: plays for people, or everything but levels as lines of JSON.
final class StationReport: Sendable {
    private let isJSON: Bool

    /// - Parameter isJSON: Says that lines of JSON are wanted.
    init(isJSON: Bool) { self.isJSON = isJSON }

    private struct Line: Encodable {
        let schemaVersion = ResultSchema.version
        let kind: String
        let date: Date
        let channel: String?
        var play: PlayRecord?
        var text: String?
        var error: ErrorRecord?
        var seconds: Double?
    }

    /// Prints an event.
    func take(_ event: StationEvent) {
        let name = event.channel?.rawValue ?? ""
        var line = Line(kind: "", date: Date(), channel: event.channel?.rawValue)
        func named(_ kind: String) -> Line {
            Line(kind: kind, date: line.date, channel: line.channel)
        }
        var words: String?
        switch event.content {
        case .connecting: line = named("connecting")
        case .live:
            line = named("live")
            words = "live"
        case .lost(let error, let seconds):
            line = named("lost")
            line.error = error.map(ErrorRecord.numbered)
            line.seconds = seconds
            let code = error.map { " (\($0.code.hexadecimal))" } ?? ""
            words = "lost: \(error?.message ?? "the stream ended.")\(code) Again in \(Int(seconds.rounded(.up))) s."
        case .silent(let seconds):
            line = named("lost")
            line.text = "No audio for \(Int(seconds.rounded())) s."
            words = "lost: no audio for \(Int(seconds.rounded())) s"
        case .ended(let error):
            line = named("ended")
            line.error = error.map(ErrorRecord.numbered)
            words = error.map { "over: \($0.message) (\($0.code.hexadecimal))" } ?? "over"
        case .playStarted(let record):
            line = named("playStarted")
            line.play = record
            words = "▶ \(record.caption)"
        case .playEnded(let record):
            line = named("playEnded")
            line.play = record
            let length = DisplayText.length(MediaTime(seconds: record.playedDuration.rounded(), preferredTimescale: 1))
            words = "■ \(record.caption)  \(length)"
        case .level: return
        case .kind(let kind):
            line = named("kind")
            line.text = kind.rawValue
        case .failed(let error):
            line = named("failed")
            line.error = ErrorRecord.numbered(error)
            words = "\(error.message) (\(error.code.hexadecimal))"
        case .writeFailed(let error, let waiting):
            line = named("writeFailed")
            line.error = ErrorRecord.numbered(error)
            words = "\(error.message) (\(error.code.hexadecimal)) \(waiting) records wait."
        case .recordsLost(let count):
            line = named("recordsLost")
            line.text = "\(count)"
            words = "\(count) records were lost, because the playlog could not be written for too long."
        }
        if isJSON {
            if let data = try? PlaylogJSON.encode(line) { Terminal.print(String(decoding: data, as: UTF8.self)) }
        } else if let words {
            Terminal.print("\(Self.clock(line.date))  \(name)  \(words)")
        }
    }

    /// Prints what is wrong beside the stations.
    func complain(_ error: EarshotError) {
        print("failed", error.message, error)
    }

    /// Prints what a sender of changes tells.
    func take(_ report: WebhookSender.Report, of name: String) {
        switch report {
        case .delivered: break
        case .failing(let failures, let error, let instant):
            let again = "Failures: \(failures). Again at \(Self.clock(instant))."
            print("webhookFailing", "\(error.message) \(again)", error)
        case .recovered: print("webhookRecovered", "The webhook \(name) takes changes again.")
        case .disabled: print("webhookDisabled", "The webhook \(name) wants no more changes, and answered 410.")
        case .incomplete: print("webhookIncomplete", "Changes were removed before the webhook \(name) had them.")
        case .storeFailed(let error): print("failed", error.message, error)
        }
    }

    /// Prints what copying the log into a database tells.
    func take(_ report: PlaylogReplicator.Report) {
        switch report {
        case .failed(let error):
            print(
                "copyFailing",
                "\(error.message) Plays are kept in the playlog, and copied when the database is back.",
                error
            )
        case .recovered: print("copyRecovered", "The database has all plays again.")
        case .refused(let id, let reason): print("copyRefused", "The database does not keep \(id): \(reason)")
        }
    }

    private func print(_ kind: String, _ text: String, _ error: EarshotError? = nil) {
        var line = Line(kind: kind, date: Date(), channel: nil)
        line.text = text
        line.error = error.map(ErrorRecord.numbered)
        if isJSON {
            if let data = try? PlaylogJSON.encode(line) { Terminal.print(String(decoding: data, as: UTF8.self)) }
        } else {
            let number = error.map { " (\($0.code.hexadecimal))" } ?? ""
            Terminal.print("\(Self.clock(line.date))  \(text)\(number)")
        }
    }

    private static func clock(_ date: Date) -> String {
        date.formatted(
            Date.ISO8601FormatStyle(timeZone: .current).time(includingFractionalSeconds: false).timeSeparator(.colon)
        )
    }
}
