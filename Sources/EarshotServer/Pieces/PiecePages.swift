import EarshotPieces
import Foundation

/// The page of a piece.
///
/// A name that a row of a list lacks is searched in the page, too: templates therefore ask for the members of a row with a
/// dot before their name.
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
        let name: String
    }

    /// A piece that this one is based on, or the other way round.
    struct Relative: Sendable {
        struct Visible: Sendable {
            let id: String
            let title: String
            let author: String
        }

        /// The title and the author; `nil` for a piece that was removed or may not be seen.
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
    let summary: String
    let description: String?
    let date: String
    let day: String
    let cover: String?
    let audio: String
    let isListed: Bool
    let facts: [Property]
    let applications: [Application]
    let attachment: String?
    let stems: [Stem]
    let hasStems: Bool
    let families: [Family]
    /// The HTML that shows the piece in pages of others.
    let embed: String

    init(_ piece: Piece, parents: [Relative], children: [Relative], applications: [PieceApplication], base: String) {
        let links = PieceLinks(base: base)
        title = "\(piece.title) by \(piece.author)"
        self.base = base
        id = piece.id.description
        address = piece.address.absoluteString
        escapedAddress = address.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        pieceTitle = piece.title
        author = piece.author
        summary = String(piece.description.prefix(300))
        description = piece.description.isEmpty ? nil : piece.description
        date = piece.createdAt.ISO8601Format()
        day = String(date.prefix(10))
        cover = links.cover(piece)
        audio = links.audio(piece)
        // The page of a piece that only those know who have its address is not for search engines.
        isListed = piece.visibility == .listed
        facts = Self.facts(piece)
        self.applications = applications.map { Application(identifier: $0.id, name: $0.name) }
        attachment = piece.attachmentName
        stems = piece.stems.map { Stem(name: $0, address: links.stem(piece, $0)) }
        hasStems = !stems.isEmpty
        families = [Family(heading: "Based on", relatives: parents), Family(heading: "Basis of", relatives: children)]
            .filter { !$0.relatives.isEmpty }
        embed = links.frame(piece)
    }

    private static func facts(_ piece: Piece) -> [Property] {
        var facts = [
            Property(name: "Length", value: PieceFormat.time(piece.length.seconds)),
            Property(name: "Key", value: piece.label),
        ]
        if let tempo = piece.tempo {
            facts.append(Property(name: "Tempo", value: "\(PieceFormat.number(tempo.beatsPerMinute)) BPM"))
        }
        if let time = piece.timeSignature {
            facts.append(Property(name: "Time", value: "\(time.upper)/\(time.lower)"))
        }
        if let loop = piece.loop {
            let (start, end) = (PieceFormat.time(loop.start.seconds), PieceFormat.time(loop.end.seconds))
            facts.append(Property(name: "Loop", value: "\(start) to \(end)"))
        }
        return facts
    }
}

/// The page that stands in pages of others.
struct PieceEmbedPage: Page {
    static let template = "embed"

    let title: String
    let author: String
    let label: String
    let address: String
    let audio: String
    let cover: String?

    init(_ piece: Piece, base: String) {
        let links = PieceLinks(base: base)
        (title, author, label) = (piece.title, piece.author, piece.label)
        (address, audio, cover) = (piece.address.absoluteString, links.audio(piece), links.cover(piece))
    }
}

/// The page that tries to open a piece in an app, and says what to do if nothing happens.
struct PieceOpenPage: Page {
    static let template = "open"

    let title: String
    let id: String
    let pieceTitle: String
    let application: String
    /// The address that opens the piece in the app.
    let address: String
    /// The page where the app is offered.
    let site: String?

    init(_ piece: Piece, in application: PieceApplication, address: URL) {
        title = "Open \(piece.title) in \(application.name)"
        id = piece.id.description
        pieceTitle = piece.title
        self.application = application.name
        self.address = address.absoluteString
        site = application.site?.absoluteString
    }
}

extension NoticePage {
    /// The page of a piece that was removed.
    static let removedPiece = NoticePage(
        title: "This piece was removed",
        text: "Its author took it back.",
        linksPieces: true
    )

    /// The page in place of a piece that does not exist.
    static let missingPiece = NoticePage(
        title: "There is no such piece",
        text: "Check the address.",
        linksPieces: true
    )
}
