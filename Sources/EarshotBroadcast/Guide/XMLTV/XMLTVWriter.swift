public import EarshotCore
public import Foundation

/// Writes program guides and as-run logs in XMLTV.
///
/// The output is well-formed for any text and conforms to the document type of XMLTV. ``XMLTVReader`` reads the same
/// channels, programs and airings from it. Times are in UTC, to the second. Tags, works, readings and data of matches
/// are not part of XMLTV and are left out. Credits are sorted by role.
public struct XMLTVWriter: Sendable {
    /// The name of the program that writes the guide.
    public var generatorName: String
    /// The name of the source of its data; `nil` to omit it.
    public var sourceName: String?

    /// Creates a writer.
    ///
    /// - Parameters:
    ///   - generatorName: The name of the program that writes the guide.
    ///   - sourceName: The name of the source of its data; `nil` to omit it.
    public init(generatorName: String = "Earshot", sourceName: String? = nil) {
        self.generatorName = generatorName
        self.sourceName = sourceName
    }

    /// Returns a guide in memory.
    ///
    /// - Parameters:
    ///   - channels: The channels. Channels of airings that are missing here are added.
    ///   - airings: The airings, in the order of the output.
    public func data(channels: [BroadcastChannel] = [], airings: [Airing]) -> Data {
        var text = beginning()
        for channel in Self.all(channels, airings) { text.append(channel) }
        for airing in airings { text.append(airing) }
        text.end("tv")
        return Data(text.bytes)
    }

    /// Writes a guide to an open file, in pieces. It blocks.
    ///
    /// - Parameters:
    ///   - channels: The channels, which precede all airings; they must include those of the airings.
    ///   - airings: The airings, in the order of the output.
    ///   - file: The file to write, from its current position.
    /// - Throws: `writeFailed`.
    public func write(
        channels: [BroadcastChannel],
        airings: some Sequence<Airing>,
        to file: FileHandle
    ) throws(EarshotError) {
        var text = beginning()
        for channel in Self.all(channels, []) {
            text.append(channel)
            try Self.flush(&text, to: file, beyond: 65_536)
        }
        for airing in airings {
            text.append(airing)
            try Self.flush(&text, to: file, beyond: 65_536)
        }
        text.end("tv")
        try Self.flush(&text, to: file, beyond: 0)
    }

    private func beginning() -> XMLText {
        var text = XMLText()
        text.append(raw: "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE tv SYSTEM \"xmltv.dtd\">\n")
        text.begin("tv", [("source-info-name", sourceName), ("generator-info-name", generatorName)])
        return text
    }

    private static func flush(_ text: inout XMLText, to file: FileHandle, beyond size: Int) throws(EarshotError) {
        guard text.bytes.count > size else { return }
        do {
            try file.write(contentsOf: Data(text.bytes))
        } catch {
            throw EarshotError(.writeFailed, "The guide cannot be written: make room on the disk.", cause: error)
        }
        text.bytes.removeAll(keepingCapacity: true)
    }

    /// Returns each channel once.
    private static func all(_ channels: [BroadcastChannel], _ airings: [Airing]) -> [BroadcastChannel] {
        var seen: Set<String> = []
        return (channels + airings.map(\.channel)).filter { seen.insert(XMLText.id(of: $0)).inserted }
    }
}
