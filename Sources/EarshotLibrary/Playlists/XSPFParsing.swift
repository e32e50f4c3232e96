import EarshotCore
import Foundation

#if canImport(FoundationXML)
    import FoundationXML
#endif

/// One reading of a playlist in XSPF. Only what stands in the file is read: no document type and no other file is looked up.
final class XSPFParsing: NSObject, XMLParserDelegate {
    private let resolver: PlaylistLocation
    private let limits: PlaylistReader.Limits
    private let name: String
    private var result = Playlist()
    /// The error that ended reading.
    private var fault: EarshotError?
    /// The names of the elements that are open, from the root on.
    private var path: [String] = []
    private var hasRoot = false
    private var text = ""
    private var entry = PlaylistEntry(url: nil)
    /// The addresses of `xml:base` that hold for the elements that are open.
    private var bases: [PlaylistLocation] = []

    init(_ resolver: PlaylistLocation, _ limits: PlaylistReader.Limits, _ name: String) {
        (self.resolver, self.limits, self.name) = (resolver, limits, name)
    }

    func playlist(_ data: Data) throws(EarshotError) -> Playlist {
        let stream = PlainXMLStream(InputStream(data: data))
        let parser = XMLParser(stream: stream)
        parser.shouldResolveExternalEntities = false
        parser.delegate = self
        let isWhole = parser.parse()
        if let fault { throw fault }
        if let fault = stream.fault {
            throw EarshotError(.metadataInvalid, "\(name), line \(stream.line): \(fault)")
        }
        guard isWhole, hasRoot, path.isEmpty else {
            throw EarshotError(
                .metadataInvalid,
                "\(name), line \(max(1, parser.lineNumber)): the XML is damaged or ends early: "
                    + "get the file again, or correct it there.",
                cause: parser.parserError
            )
        }
        return result
    }

    private func refuse(_ parser: XMLParser, _ error: EarshotError) {
        guard fault == nil else { return }
        fault = error
        parser.abortParsing()
    }

    private func refuse(_ parser: XMLParser, _ reason: String) {
        refuse(parser, EarshotError(.metadataInvalid, "\(name), line \(max(1, parser.lineNumber)): \(reason)"))
    }

    // MARK: - What the parser tells

    func parser(
        _ parser: XMLParser,
        didStartElement elementName: String,
        namespaceURI: String?,
        qualifiedName: String?,
        attributes: [String: String]
    ) {
        guard fault == nil else { return }
        guard path.count < limits.depth else {
            return refuse(parser, "elements lie deeper than \(limits.depth) in each other: this is no playlist.")
        }
        // Prefixes are the writer's choice.
        let element = elementName.split(separator: ":").last.map(String.init) ?? elementName
        path.append(element)
        text = ""
        if path.count == 1 {
            guard element == "playlist" else {
                return refuse(
                    parser,
                    "the file begins with \"\(element.prefix(40))\" and is no playlist in XSPF: name another."
                )
            }
            hasRoot = true
        }
        let outer = bases.last ?? resolver
        let inner = attributes["xml:base"].flatMap { outer.url(ofReference: $0) }.map { PlaylistLocation(base: $0) }
        bases.append(inner ?? outer)
        guard path == Self.track else { return }
        guard result.entries.count < limits.entries else {
            return refuse(parser, PlaylistFault.tooMany(limits.entries, name, line: max(1, parser.lineNumber)))
        }
        if Task.isCancelled { return refuse(parser, PlaylistFault.cancelled(name)) }
        entry = PlaylistEntry(url: nil)
    }

    func parser(_ parser: XMLParser, foundCharacters string: String) {
        guard fault == nil else { return }
        guard text.utf8.count + string.utf8.count <= limits.textSize else {
            return refuse(parser, "a text is longer than \(limits.textSize) bytes: this is no playlist.")
        }
        text += string
    }

    func parser(_ parser: XMLParser, foundCDATA block: Data) {
        self.parser(parser, foundCharacters: String(decoding: block, as: UTF8.self))
    }

    func parser(
        _ parser: XMLParser,
        didEndElement elementName: String,
        namespaceURI: String?,
        qualifiedName: String?
    ) {
        guard fault == nil else { return }
        let value = PlaylistValue.text(text)
        text = ""
        if path == Self.track {
            // A track of which nothing is said is no entry, and nothing that could be played.
            if !entry.isEmpty { result.entries.append(entry) }
        } else if path.count == 2, let value {
            playlistValue(value)
        } else if path.count == 4, path.starts(with: Self.track), let value {
            trackValue(value, parser)
        }
        path.removeLast()
        bases.removeLast()
    }

    private static let track = ["playlist", "trackList", "track"]

    private func playlistValue(_ value: String) {
        switch path.last {
        case "title": result.title = result.title ?? value
        case "creator": result.creator = result.creator ?? value
        default: break
        }
    }

    private func trackValue(_ value: String, _ parser: XMLParser) {
        switch path.last {
        // The first of several that can be read: the format says that a player takes one it can.
        case "location":
            guard entry.url == nil else { return }
            guard let url = (bases.last ?? resolver).url(ofReference: value) else {
                return refuse(parser, PlaylistFault.address(value, name, line: max(1, parser.lineNumber)))
            }
            entry.url = url
        case "title": entry.title = entry.title ?? value
        case "creator": entry.artist = entry.artist ?? value
        case "album": entry.album = entry.album ?? value
        case "trackNum": entry.trackNumber = entry.trackNumber ?? PlaylistValue.number(value)
        case "duration": entry.duration = entry.duration ?? PlaylistValue.milliseconds(value)
        default: break
        }
    }
}
