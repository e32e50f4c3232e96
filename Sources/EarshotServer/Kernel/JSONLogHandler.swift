import EarshotCore
import Foundation
package import Logging
import Synchronization

/// Writes the log as JSON, one object a line, to standard error.
package struct JSONLogHandler: LogHandler {
    /// The lowest level that is written.
    package var logLevel: Logger.Level = .info
    /// The metadata of every line.
    package var metadata: Logger.Metadata = [:]
    /// The provider of metadata for each line.
    package var metadataProvider: Logger.MetadataProvider?
    private let label: String

    private static let lock = Mutex(())

    /// Creates a handler for a logger.
    package init(label: String) {
        self.label = label
    }

    /// A metadata value of every line; `nil` if there is none.
    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    /// Writes a line.
    package func log(event: LogEvent) {
        var line: [String: JSONValue] = [
            "time": .string(Date().ISO8601Format(.iso8601(timeZone: .gmt, includingFractionalSeconds: true))),
            "level": .string(event.level.rawValue), "label": .string(label),
            "message": .string(event.message.description),
        ]
        var all = metadata
        if let provided = metadataProvider?.get() { all.merge(provided) { $1 } }
        if let own = event.metadata { all.merge(own) { $1 } }
        for (key, value) in all where line[key] == nil { line[key] = .string(value.description) }
        guard var data = try? JSONEncoder.sorted().encode(line) else { return }
        data.append(0x0A)
        // Lines of several threads must not run into each other.
        Self.lock.withLock { _ in try? FileHandle.standardError.write(contentsOf: data) }
    }
}
