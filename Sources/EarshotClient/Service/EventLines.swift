import Foundation

/// Reads server-sent events as they come: a state machine without a connection.
struct EventLines {
    private var line: [UInt8] = []
    private var data: [String] = []
    private var size = 0

    /// The most bytes of one event.
    static let sizeLimit = 4 << 20

    /// `true` if an event is larger than it may be.
    var isTooLarge: Bool { size > Self.sizeLimit }

    /// Takes bytes in.
    ///
    /// - Returns: The data of each event that has ended with them.
    mutating func append(_ bytes: some Sequence<UInt8>) -> [Data] {
        var events: [Data] = []
        for byte in bytes {
            guard byte == UInt8(ascii: "\n") else {
                if !isTooLarge { line.append(byte) }
                size += 1
                continue
            }
            if line.last == UInt8(ascii: "\r") { line.removeLast() }
            let text = String(decoding: line, as: UTF8.self)
            line.removeAll(keepingCapacity: true)
            if text.isEmpty {
                if !data.isEmpty { events.append(Data(data.joined(separator: "\n").utf8)) }
                (data, size) = ([], 0)
            } else if text.hasPrefix("data:") {
                let value = text.dropFirst(5)
                data.append(String(value.hasPrefix(" ") ? value.dropFirst() : value))
            }
        }
        return events
    }
}
