import EarshotPieces
import Foundation

/// The pages that show pieces.
struct PieceView: Sendable {
    /// How the service is reached.
    let base: String

    private func escaped(_ text: String) -> String { HTMLPage.escaped(text) }
    private func sound(_ piece: Piece) -> String { "\(base)/v1/pieces/\(piece.id)/audio?kind=preview" }
    private func stem(_ piece: Piece, _ name: String) -> String {
        let query = name.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        return "/v1/pieces/\(piece.id)/audio?name=\(query)"
    }
    private func cover(_ piece: Piece) -> String { "\(base)/v1/pieces/\(piece.id)/cover" }

    // MARK: - Lists

    /// A part of the listed pieces.
    ///
    /// - Parameters:
    ///   - pieces: The pieces.
    ///   - words: What was looked for.
    ///   - next: The address of what comes behind them; nothing at the end.
    func list(_ pieces: [Piece], words: String?, next: String?) -> String {
        let rows = pieces.map { piece in
            let picture =
                piece.hasCover
                ? "<img src=\"\(escaped(cover(piece)))\" alt=\"\" loading=\"lazy\">" : "<span class=\"none\"></span>"
            return """
                <li class="piece">\(picture)<div><a href="\(escaped(piece.address.absoluteString))">\(escaped(piece.title))</a><br>
                <span class="dim">\(escaped(piece.author)), \(escaped(brief(piece)))</span></div></li>
                """
        }
        return HTMLPage.html(
            title: "Pieces",
            head: """
                <link rel="alternate" type="application/rss+xml" title="Pieces" href="\(escaped(base))/pieces.rss">
                <link rel="alternate" type="application/activity+json" href="\(escaped(base))/pieces.activity.json">
                """,
            body: """
                <h1>Pieces</h1>
                <form method="get" action="/pieces"><label>Words of the title
                <input type="text" name="q" value="\(escaped(words ?? ""))" maxlength="200"></label><button>Search</button></form>
                \(rows.isEmpty ? "<p>There are no such pieces.</p>" : "<ul style=\"list-style: none; padding: 0\">\(rows.joined(separator: "\n"))</ul>")
                \(next.map { "<p><a href=\"\(escaped($0))\" rel=\"next\">Older ones</a></p>" } ?? "")
                <p class="dim"><a href="/pieces.rss">RSS</a></p>
                """
        )
    }

    // MARK: - One piece

    /// What is told of a piece beside its names.
    private func facts(_ piece: Piece) -> [(name: String, value: String)] {
        var facts = [("Length", HTMLPage.time(piece.length.seconds)), ("Key", piece.label)]
        if let tempo = piece.tempo { facts.append(("Tempo", "\(HTMLPage.number(tempo.beatsPerMinute)) BPM")) }
        if let time = piece.timeSignature { facts.append(("Time", "\(time.upper)/\(time.lower)")) }
        if let loop = piece.loop {
            let (start, end) = (HTMLPage.time(loop.start.seconds), HTMLPage.time(loop.end.seconds))
            facts.append(("Loop", "\(start) to \(end)"))
        }
        return facts
    }

    /// What a list says of a piece: what is known alone.
    private func brief(_ piece: Piece) -> String {
        var parts = [HTMLPage.time(piece.length.seconds)]
        if piece.tonality != .unknown { parts.append(piece.label) }
        if let tempo = piece.tempo { parts.append("\(HTMLPage.number(tempo.beatsPerMinute)) BPM") }
        if piece.loop != nil { parts.append("loop") }
        return parts.joined(separator: ", ")
    }

    /// A relative of a piece, as its page shows it.
    struct Relative: Sendable {
        let id: PieceID
        /// Nothing where it was removed or may not be seen.
        let title: String?
        let author: String?
        let isRemoved: Bool
    }

    private func list(_ relatives: [Relative], _ heading: String) -> String {
        guard !relatives.isEmpty else { return "" }
        let rows = relatives.map { relative in
            guard let title = relative.title else {
                return
                    "<li class=\"dim\">\(relative.isRemoved ? "a piece that was removed" : "a piece that is not public")</li>"
            }
            return """
                <li><a href="/pieces/\(relative.id)">\(escaped(title))</a> <span class="dim">\(escaped(relative.author ?? ""))</span></li>
                """
        }
        return "<h2>\(escaped(heading))</h2><ul>\(rows.joined())</ul>"
    }

    /// The page of a piece.
    func page(
        _ piece: Piece,
        parents: [Relative],
        children: [Relative],
        applications: [PieceApplication]
    ) -> String {
        let embed =
            "<iframe src=\"\(base)/embed/\(piece.id)\" width=\"480\" height=\"160\" style=\"border: 0\" title=\"\(escaped(piece.title))\"></iframe>"
        let links = applications.map { application in
            """
            <p><a class="button" href="/pieces/\(piece.id)/open/\(escaped(application.id))">Open in \(escaped(application.name))</a></p>
            """
        }
        return HTMLPage.html(
            title: "\(piece.title) by \(piece.author)",
            head: head(piece),
            body: """
                <h1>\(escaped(piece.title))</h1>
                <p class="dim">\(escaped(piece.author)), <time datetime="\(piece.createdAt.ISO8601Format())">\(piece.createdAt.ISO8601Format().prefix(10))</time></p>
                \(piece.hasCover ? "<p><img class=\"cover\" src=\"\(escaped(cover(piece)))\" alt=\"Cover of \(escaped(piece.title))\" width=\"640\" height=\"640\"></p>" : "")
                <p><audio controls preload="none" src="\(escaped(sound(piece)))"></audio></p>
                \(piece.description.isEmpty ? "" : "<p style=\"white-space: pre-wrap\">\(escaped(piece.description))</p>")
                <dl>\(facts(piece).map { "<dt>\($0.name)</dt><dd>\(escaped($0.value))</dd>" }.joined())</dl>
                \(links.joined())
                <h2>Download</h2>
                <p>\(["wave", "ogg", "m4a"].map { "<a href=\"/v1/pieces/\(piece.id)/audio?format=\($0)\" download>\($0)</a>" }.joined(separator: " · "))\(piece.attachmentName.map { " · <a href=\"/v1/pieces/\(piece.id)/attachment\">\(escaped($0))</a>" } ?? "")</p>
                \(stems(piece))
                \(list(parents, "Based on"))
                \(list(children, "Basis of"))
                <h2>Embed</h2>
                <textarea readonly rows="3" aria-label="Code to embed the piece">\(escaped(embed))</textarea>
                <p class="dim"><a href="/pieces">All pieces</a></p>
                """
        )
    }

    /// What the mix is made of, to hear and to take along.
    private func stems(_ piece: Piece) -> String {
        guard !piece.stems.isEmpty else { return "" }
        let rows = piece.stems.map { name in
            """
            <li><a href="\(escaped(stem(piece, name)))" download>\(escaped(name))</a><br>
            <audio controls preload="none" src="\(escaped(stem(piece, name)))"></audio></li>
            """
        }
        return "<h2>Stems</h2><ul style=\"list-style: none; padding: 0\">\(rows.joined())</ul>"
    }

    /// What other services read of a page.
    private func head(_ piece: Piece) -> String {
        var lines = [
            "<link rel=\"canonical\" href=\"\(escaped(piece.address.absoluteString))\">",
            "<link rel=\"alternate\" type=\"application/activity+json\" href=\"\(escaped(base))/pieces/\(piece.id)/activity.json\">",
            "<meta property=\"og:type\" content=\"music.song\">",
            "<meta property=\"og:title\" content=\"\(escaped(piece.title))\">",
            "<meta property=\"og:description\" content=\"\(escaped(String(piece.description.prefix(300))))\">",
            "<meta property=\"og:url\" content=\"\(escaped(piece.address.absoluteString))\">",
            "<meta property=\"og:audio\" content=\"\(escaped(sound(piece)))\">",
        ]
        if let address = piece.address.absoluteString.addingPercentEncoding(withAllowedCharacters: .alphanumerics) {
            lines.append(
                "<link rel=\"alternate\" type=\"application/json+oembed\" href=\"\(escaped(base))/oembed?url=\(address)\">"
            )
        }
        if piece.hasCover { lines.append("<meta property=\"og:image\" content=\"\(escaped(cover(piece)))\">") }
        // What only those know who have the address is not for searches.
        if piece.visibility != .listed { lines.append("<meta name=\"robots\" content=\"noindex\">") }
        return lines.joined(separator: "\n")
    }

    /// The page that stands in pages of others.
    func embed(_ piece: Piece) -> String {
        HTMLPage.html(
            title: piece.title,
            head: "<meta name=\"robots\" content=\"noindex\">",
            body: """
                <div class="piece" style="border: 0">\(piece.hasCover ? "<img src=\"\(escaped(cover(piece)))\" alt=\"\">" : "")
                <div style="flex: 1"><a href="\(escaped(piece.address.absoluteString))" target="_blank" rel="noopener">\(escaped(piece.title))</a>
                <span class="dim">\(escaped(piece.author)), \(escaped(piece.label))</span>
                <audio controls preload="none" src="\(escaped(sound(piece)))"></audio></div></div>
                """
        )
    }

    /// The page that tries to open a piece in an app, and says what to do when nothing happens.
    func open(_ piece: Piece, _ application: PieceApplication, address: URL) -> String {
        let site = application.site.map { site in
            """
            <p>Nothing happened? Then \(escaped(application.name)) may not be installed:
            <a href="\(escaped(site.absoluteString))" rel="noopener noreferrer">get it here</a>, and come back.</p>
            """
        }
        return HTMLPage.html(
            title: "Open \(piece.title) in \(application.name)",
            head: "<meta http-equiv=\"refresh\" content=\"0;url=\(escaped(address.absoluteString))\">",
            body: """
                <h1>\(escaped(piece.title))</h1>
                <p>\(escaped(application.name)) opens now.</p>
                <p><a class="button" href="\(escaped(address.absoluteString))">Open in \(escaped(application.name))</a></p>
                \(site ?? "<p>Nothing happened? Then \(escaped(application.name)) may not be installed on this device.</p>")
                <p><a href="/pieces/\(piece.id)">Back to the piece</a></p>
                """
        )
    }

    // MARK: - What is not there

    /// The page of a piece that was removed.
    static let gone = HTMLPage.html(
        title: "This piece was removed",
        body: "<h1>This piece was removed</h1><p>Its author took it back. <a href=\"/pieces\">All pieces</a></p>"
    )

    /// The page in the place of one that there is none of.
    static let missing = HTMLPage.html(
        title: "There is no such piece",
        body: "<h1>There is no such piece</h1><p>Check the address. <a href=\"/pieces\">All pieces</a></p>"
    )
}
