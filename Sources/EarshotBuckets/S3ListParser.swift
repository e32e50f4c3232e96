import EarshotCore
import EarshotNodes
import Foundation

#if canImport(FoundationXML)
    import FoundationXML
#endif

/// Parses an answer of ListObjectsV2.
final class S3ListParser: NSObject, XMLParserDelegate {
    /// The prefix of the settings, which is removed from keys.
    private let prefix: String
    private var page = ObjectPage()
    private var isTruncated = false
    private var isValid = true
    /// The names of the elements that are open, from the root on.
    private var path: [String] = []
    private var text = ""
    private var object: (key: String?, size: Int?, modified: Date?)

    private init(below prefix: String) { self.prefix = prefix }

    /// Returns the page in an answer; `nil` if the answer is damaged, or of another kind.
    ///
    /// - Parameters:
    ///   - data: The body of the answer.
    ///   - prefix: The prefix of the settings, which is removed from keys.
    static func page(_ data: Data, below prefix: String) -> ObjectPage? {
        let list = S3ListParser(below: prefix)
        let stream = PlainXMLStream(InputStream(data: data))
        let parser = XMLParser(stream: stream)
        parser.shouldResolveExternalEntities = false
        parser.delegate = list
        guard parser.parse(), stream.fault == nil, list.isValid, list.path.isEmpty else { return nil }
        guard list.isTruncated else { return ObjectPage(objects: list.page.objects) }
        // A truncated list without a token must not count as the last page.
        return list.page.next.map { ObjectPage(objects: list.page.objects, next: $0) }
    }

    func parser(
        _ parser: XMLParser,
        didStartElement elementName: String,
        namespaceURI: String?,
        qualifiedName: String?,
        attributes: [String: String]
    ) {
        if path.isEmpty, elementName != "ListBucketResult" { return refuse(parser) }
        guard path.count < 8 else { return refuse(parser) }
        path.append(elementName)
        text = ""
        if path == Self.entry { object = (nil, nil, nil) }
    }

    func parser(_ parser: XMLParser, foundCharacters string: String) { text += string }

    func parser(_ parser: XMLParser, foundCDATA block: Data) { text += String(decoding: block, as: UTF8.self) }

    func parser(
        _ parser: XMLParser,
        didEndElement elementName: String,
        namespaceURI: String?,
        qualifiedName: String?
    ) {
        guard isValid else { return }
        let value = text
        text = ""
        if path == Self.entry {
            guard let key = object.key, key.hasPrefix(prefix), let size = object.size, size >= 0,
                let modified = object.modified
            else { return refuse(parser) }
            page.objects.append(
                ObjectPage.Object(key: String(key.dropFirst(prefix.count)), size: size, modified: modified)
            )
        } else if path.dropLast() == Self.entry[...] {
            switch elementName {
            case "Key": object.key = value
            case "Size": object.size = Int(value)
            case "LastModified": object.modified = Self.date(value)
            default: break
            }
        } else if path.count == 2 {
            switch elementName {
            case "IsTruncated": isTruncated = value == "true"
            case "NextContinuationToken": page.next = value
            default: break
            }
        }
        path.removeLast()
    }

    private static let entry = ["ListBucketResult", "Contents"]

    private func refuse(_ parser: XMLParser) {
        isValid = false
        parser.abortParsing()
    }

    /// Parses an instant of S3, with or without fractions of a second; `nil` for other texts.
    private static func date(_ text: String) -> Date? {
        (try? Date(text, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true)))
            ?? (try? Date(text, strategy: .iso8601))
    }
}
