import Foundation
package import Logging
import Synchronization

/// Keeps the last lines of the log in memory, for the operator's page.
///
/// It holds the same lines as the log.
package final class LogBuffer: Sendable {
    /// A line of the log.
    struct Line: Encodable, Sendable {
        /// The number, counted from 1 since the start.
        let number: Int
        let time: Date
        let level: String
        let message: String
        /// The metadata of the message.
        let metadata: [String: String]
    }

    /// The most lines that are kept.
    static let limit = 1_000
    /// The most Unicode scalars of a message, and of a value beside it.
    private static let textLimit = 2_000

    private struct State {
        /// A ring: the line of number n is at (n - 1) % limit.
        var lines: [Line] = []
        var count = 0
    }

    private let state = Mutex(State())

    /// Creates an empty buffer.
    package init() {}

    /// Creates a log handler that writes into the buffer.
    package func handler() -> any LogHandler { Handler(buffer: self) }

    /// The number of the last line; 0 if there is none.
    var last: Int { state.withLock(\.count) }

    /// Returns the lines after a number, in order.
    ///
    /// - Parameters:
    ///   - number: The number.
    ///   - level: The least severe level.
    ///   - limit: The most lines. If there are more, the last ones are returned.
    func lines(after number: Int, level: Logger.Level = .trace, limit: Int = LogBuffer.limit) -> [Line] {
        state.withLock { state in
            let first = max(number, state.count - state.lines.count)
            guard first < state.count else { return [] }
            let found = (first..<state.count).map { state.lines[$0 % Self.limit] }.filter {
                (Logger.Level(rawValue: $0.level) ?? .critical) >= level
            }
            return Array(found.suffix(limit))
        }
    }

    fileprivate func add(_ level: Logger.Level, _ message: String, _ metadata: [String: String]) {
        let time = Date()
        state.withLock { state in
            let line = Line(
                number: state.count + 1,
                time: time,
                level: level.rawValue,
                message: Self.cut(message),
                metadata: metadata.mapValues(Self.cut)
            )
            if state.lines.count < Self.limit {
                state.lines.append(line)
            } else {
                state.lines[state.count % Self.limit] = line
            }
            state.count += 1
        }
    }

    private static func cut(_ text: String) -> String {
        text.utf8.count <= textLimit
            ? text : String(String.UnicodeScalarView(text.unicodeScalars.prefix(textLimit))) + " …"
    }

    private struct Handler: LogHandler {
        let buffer: LogBuffer
        var logLevel: Logger.Level = .info
        var metadata: Logger.Metadata = [:]
        var metadataProvider: Logger.MetadataProvider?

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            var all = metadata
            if let provided = metadataProvider?.get() { all.merge(provided) { $1 } }
            if let own = event.metadata { all.merge(own) { $1 } }
            buffer.add(event.level, event.message.description, all.mapValues(\.description))
        }
    }
}
