import EarshotPieces
import Foundation

/// The page of a piece.
///
/// Mustache looks up a name that a row of a list lacks in the page too. Templates therefore name the members of a row with a leading
/// dot.
struct PieceDetailPage: Page {
    static let template = "piece"

    struct Property: Sendable {
        let name: String
        let value: String
    }

    struct Stem: Sendable {
        let name: String
        let address: String
    }

    struct Application: Sendable {
        let identifier: String
        /// The words on the button.
        let label: String
    }

    /// A parent or a child of the piece.
    struct Relative: Sendable {
        struct Visible: Sendable {
            let id: String
            let title: String
            let author: String
        }

        /// The title and the author; `nil` for a piece that was removed, or that the reader may not find.
        let visible: Visible?
        let isRemoved: Bool
    }

    struct Family: Sendable {
        let heading: String
        let relatives: [Relative]
    }

    let title: String
    let base: String
    let id: String
    let address: String
    let escapedAddress: String
    let pieceTitle: String
    let author: String
    let authorAddress: String
    let summary: String
    let description: String?
    let date: String
    let day: String
    let cover: String?
    let coverPath: String?
    let coverText: String
    let audio: String
    let audioPath: String
    let isListed: Bool
    /// `true` if the reader published it, or is the operator.
    let isOwn: Bool
    /// The visibility; `nil` for a listed piece.
    let visibility: String?
    let isPrivate: Bool
    let isUnlisted: Bool
    /// The length in seconds.
    let length: Double
    /// The start and the end of the loop in seconds, as `0 8.5`; `nil` if the piece is no loop.
    let loop: String?
    let facts: [Property]
    let applications: [Application]
    let attachment: String?
    let stems: [Stem]
    let hasStems: Bool
    let families: [Family]
    /// The HTML with which other sites embed the piece.
    let embed: String

    /// - Parameters:
    ///   - piece: The piece.
    ///   - isOwn: `true` if the reader published it, or is the operator.
    ///   - parents: The pieces that it is based on.
    ///   - children: The pieces that are based on it.
    ///   - applications: The apps that open pieces.
    ///   - base: The address of the service.
    ///   - texts: The words of the page.
    init(
        _ piece: Piece,
        isOwn: Bool,
        parents: [Relative],
        children: [Relative],
        applications: [PieceApplication],
        base: String,
        texts: PieceTexts
    ) {
        let links = PieceLinks(base: base)
        title = texts("by", ["title": piece.title, "author": piece.author])
        self.base = base
        id = piece.id.description
        address = piece.address.absoluteString
        escapedAddress = address.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        pieceTitle = piece.title
        author = piece.author
        authorAddress = PieceLinks.author(piece.author)
        summary = String(piece.description.prefix(300))
        description = piece.description.isEmpty ? nil : piece.description
        date = piece.createdAt.ISO8601Format()
        day = String(date.prefix(10))
        cover = links.cover(piece)
        coverPath = PieceLinks.coverPath(piece)
        audioPath = PieceLinks.audioPath(piece)
        coverText = texts("coverOf", ["title": piece.title])
        audio = links.audio(piece)
        // Search engines must not index pages of pieces that are not listed.
        isListed = piece.visibility == .listed
        self.isOwn = isOwn
        visibility = piece.visibility == .listed ? nil : texts(piece.visibility.rawValue)
        (isPrivate, isUnlisted) = (piece.visibility == .private, piece.visibility == .unlisted)
        length = piece.length.seconds
        loop = piece.loop.map { "\($0.start.seconds) \($0.end.seconds)" }
        facts = Self.facts(piece, texts)
        self.applications = applications.map {
            Application(identifier: $0.id, label: texts("openIn", ["name": $0.name]))
        }
        attachment = piece.attachmentName
        stems = piece.stems.map { Stem(name: $0, address: links.stem(piece, $0)) }
        hasStems = !stems.isEmpty
        families = [
            Family(heading: texts("basedOn"), relatives: parents),
            Family(heading: texts("basisOf"), relatives: children),
        ].filter { !$0.relatives.isEmpty }
        embed = links.frame(piece)
    }

    private static func facts(_ piece: Piece, _ texts: PieceTexts) -> [Property] {
        var facts = [
            Property(name: texts("length"), value: PieceFormat.time(piece.length.seconds)),
            Property(name: texts("key"), value: texts.key(piece)),
        ]
        if let tempo = piece.tempo {
            let beats = PieceFormat.number(tempo.beatsPerMinute)
            facts.append(Property(name: texts("tempo"), value: texts("beats", ["number": beats])))
        }
        if let time = piece.timeSignature {
            facts.append(Property(name: texts("time"), value: "\(time.upper)/\(time.lower)"))
        }
        if let loop = piece.loop {
            let (start, end) = (PieceFormat.time(loop.start.seconds), PieceFormat.time(loop.end.seconds))
            facts.append(Property(name: texts("loop"), value: texts("loopRange", ["start": start, "end": end])))
        }
        return facts
    }
}

/// The page that other sites embed.
struct PieceEmbedPage: Page {
    static let template = "embed"

    let title: String
    let author: String
    let label: String
    let address: String
    let audio: String
    let cover: String?

    init(_ piece: Piece) {
        (title, author, label) = (piece.title, piece.author, piece.label)
        (address, audio, cover) = (
            piece.address.absoluteString, PieceLinks.audioPath(piece), PieceLinks.coverPath(piece)
        )
    }
}

/// The page that opens a piece in an app, and explains what to do if nothing happens.
struct PieceOpenPage: Page {
    static let template = "open"

    let title: String
    let id: String
    let pieceTitle: String
    /// The description of the action, and the label of the button.
    let sentence: String
    let label: String
    /// The address that opens the piece in the app.
    let address: String
    /// The web page of the app; `nil` if there is none.
    let site: String?

    init(_ piece: Piece, in application: PieceApplication, address: URL, texts: PieceTexts) {
        title = texts("openTitle", ["title": piece.title, "name": application.name])
        id = piece.id.description
        pieceTitle = piece.title
        sentence = texts("opens", ["name": application.name])
        label = texts("openIn", ["name": application.name])
        self.address = address.absoluteString
        site = application.site?.absoluteString
    }
}

extension NoticePage {
    /// Returns the page for a piece that was removed.
    static func removedPiece(_ texts: PieceTexts) -> NoticePage {
        NoticePage(title: texts("removed"), text: texts("removedHelp"), linksPieces: true)
    }

    /// Returns the page for a piece that does not exist.
    static func missingPiece(_ texts: PieceTexts) -> NoticePage {
        NoticePage(title: texts("missing"), text: texts("missingHelp"), linksPieces: true)
    }
}
