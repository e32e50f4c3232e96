import CommandKit
import EarshotCore
import EarshotMonitor
import EarshotMusic
import Foundation
import Synchronization

/// Prints what a monitor says: results for people, or everything as lines of JSON.
final class MonitorReport: Sendable {
    private let isJSON: Bool
    private let isVerbose: Bool
    private let state = Mutex(false)

    init(isJSON: Bool, isVerbose: Bool) {
        self.isJSON = isJSON
        self.isVerbose = isVerbose
    }

    /// Says that something was recognized.
    var hasMatched: Bool { state.withLock(\.self) }

    private struct StatusLine: Encodable {
        let schemaVersion = ResultSchema.version
        let kind: String
        let time: Double
        let date: Date
        let value: Double
        let text: String?
        let lookup: Int?
        let trigger: LookupTrigger?
        let lookupKind: LookupKind?
        let error: ErrorRecord?
    }

    private struct ResultLine: Encodable {
        let schemaVersion = ResultSchema.version
        var kind = "result"
        let time: Double
        let date: Date
        let lookup: Int
        let trigger: LookupTrigger
        let lookupKind: LookupKind
        let source: MonitorResult.Source?
        let matches: [MatchRecord]
        let error: ErrorRecord?
    }

    func take(_ event: StatusEvent) {
        if isJSON {
            print(
                StatusLine(
                    kind: event.kind.rawValue,
                    time: event.time.seconds,
                    date: event.date,
                    value: event.value,
                    text: event.text,
                    lookup: event.lookup,
                    trigger: event.trigger,
                    lookupKind: event.lookupKind,
                    error: event.error.map(ErrorRecord.numbered)
                )
            )
        } else if event.kind == .error {
            Terminal.printError("\(event.text ?? "Something failed.") (\(event.error?.code.hexadecimal ?? "0x0000"))")
        } else if isVerbose {
            let text = event.text.map { "  \($0)" } ?? ""
            let value = Self.value(event)
            Terminal.print(Terminal.dim("\(Self.clock(event.date))  \(event.kind)\(value)\(text)"))
        }
    }

    func take(_ result: MonitorResult) {
        if !result.matches.isEmpty { state.withLock { $0 = true } }
        if isJSON {
            print(
                ResultLine(
                    time: result.capturedAt.seconds,
                    date: result.capturedDate,
                    lookup: result.lookup,
                    trigger: result.trigger,
                    lookupKind: result.kind,
                    source: result.source,
                    matches: result.matches.map { MatchRecord($0) },
                    error: result.error.map(ErrorRecord.numbered)
                )
            )
        } else if result.matches.isEmpty, result.error == nil {
            Terminal.print("\(Self.clock(Date()))  no match")
        } else {
            for (index, match) in result.matches.enumerated() {
                Terminal.print("\(Self.clock(Date()))  \(match.line(index + 1))")
            }
        }
    }

    private func print(_ value: some Encodable) {
        // Everything in a line can be written.
        if let line = try? JSON.line(value) { Terminal.print(line) }
    }

    /// The number of an event, as wide and exact as its kind is shown.
    private static func value(_ event: StatusEvent) -> String {
        switch event.kind {
        case .silent, .audible, .audioLevel: String(format: "  %10.2f", event.value)
        case .silentRatio, .music, .speech, .noise, .transition: String(format: "  %10.3f", event.value)
        default: event.value == 0 ? "" : String(format: "  %g", event.value)
        }
    }

    private static func clock(_ date: Date) -> String {
        date.formatted(
            Date.ISO8601FormatStyle(timeZone: .current).time(includingFractionalSeconds: false).timeSeparator(.colon)
        )
    }
}
