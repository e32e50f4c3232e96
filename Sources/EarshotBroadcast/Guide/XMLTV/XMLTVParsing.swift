import EarshotCore
import Foundation

#if canImport(FoundationXML)
    import FoundationXML
#endif

/// One parse of a guide: elements are collected from the parser's events, and each complete entry is added to the
/// collection.
final class XMLTVParsing: NSObject, XMLParserDelegate {
    private let name: String
    private let limits: XMLTVReader.Limits
    private var collection: XMLTVCollection
    /// The error that ended the parse.
    private var fault: EarshotError?
    private var depth = 0
    private var hasRoot = false
    /// The open elements of the entry that is being read.
    private var open: [XMLTVElement] = []
    private var line = 0
    private var elements = 0
    /// The reason why the entry cannot be used; `nil` if it can.
    private var excess: String?

    init(_ name: String, _ limits: XMLTVReader.Limits) {
        self.name = name
        self.limits = limits
        collection = XMLTVCollection(limits)
    }

    func run(_ stream: InputStream) throws(EarshotError) {
        let stream = PlainXMLStream(stream)
        let parser = XMLParser(stream: stream)
        parser.shouldResolveExternalEntities = false
        parser.delegate = self
        let isWhole = parser.parse()
        if let fault { throw fault }
        if let fault = stream.fault {
            throw EarshotError(.metadataInvalid, "\(name), line \(stream.line): \(fault)")
        }
        if stream.hasFailed {
            throw EarshotError(.readFailed, "\(name) could not be read to its end: get it again.")
        }
        guard isWhole, hasRoot, depth == 0 else {
            let line = max(1, parser.lineNumber)
            throw EarshotError(
                .metadataInvalid,
                "\(name), line \(line): the XML is damaged or ends early: get the file again, or correct it there.",
                cause: parser.parserError
            )
        }
    }

    func finish(_ defaultDuration: Double) -> XMLTVGuide { collection.guide(defaultDuration) }

    private func refuse(_ parser: XMLParser, _ reason: String) {
        guard fault == nil else { return }
        fault = EarshotError(.metadataInvalid, "\(name), line \(max(1, parser.lineNumber)): \(reason)")
        parser.abortParsing()
    }

    // MARK: - Events of the parser

    func parser(
        _ parser: XMLParser,
        didStartElement elementName: String,
        namespaceURI: String?,
        qualifiedName: String?,
        attributes: [String: String]
    ) {
        guard fault == nil else { return }
        depth += 1
        guard depth <= limits.depth else {
            return refuse(parser, "elements lie deeper than \(limits.depth) in each other: this is no guide.")
        }
        if depth == 1 { return root(parser, elementName, attributes) }
        if depth == 2 {
            guard elementName == "channel" || elementName == "programme" else { return }
            (line, elements, excess) = (parser.lineNumber, 0, nil)
            if Task.isCancelled {
                fault = EarshotError(.cancelled, "Reading \(name) was canceled.")
                return parser.abortParsing()
            }
        } else if open.isEmpty {
            return
        }
        elements += 1
        if elements > limits.elements { excess = "more than \(limits.elements) elements stand in it" }
        let size = attributes.reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count }
        if size > limits.textSize { excess = "its attributes are longer than \(limits.textSize) bytes" }
        // The content of an unusable entry is dropped, but its elements are tracked to their ends.
        open.append(XMLTVElement(name: elementName, attributes: excess == nil ? attributes : [:]))
    }

    private func root(_ parser: XMLParser, _ name: String, _ attributes: [String: String]) {
        guard name == "tv" else {
            return refuse(parser, "the file begins with \"\(name.prefix(40))\" and is no guide in XMLTV: name another.")
        }
        hasRoot = true
        let root = XMLTVElement(name: name, attributes: attributes)
        collection.sourceName = root.attribute("source-info-name")
        collection.generatorName = root.attribute("generator-info-name")
    }

    func parser(_ parser: XMLParser, foundCharacters string: String) {
        guard fault == nil, excess == nil, !open.isEmpty else { return }
        let last = open.count - 1
        guard open[last].text.utf8.count + string.utf8.count <= limits.textSize else {
            excess = "a text in it is longer than \(limits.textSize) bytes"
            return
        }
        open[last].text += string
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
        depth -= 1
        guard let element = open.popLast() else { return }
        if !open.isEmpty {
            if excess == nil { open[open.count - 1].children.append(element) }
            return
        }
        if let excess {
            return collection.note(line, "The entry is passed over, because \(excess).")
        }
        if let reason = element.name == "channel"
            ? collection.channel(element, line) : collection.programme(element, line)
        {
            refuse(parser, reason)
        }
    }
}
