import EarshotMusic
import Foundation

extension XMLTVElement {
    /// Returns the program that an element describes; `nil` without a title.
    func program() -> Program? {
        guard let title = name("title") else { return nil }
        var identifiers = numbers()
        let subtitle = name("sub-title")
        let synopsis = name("desc", paragraphs: true)
        let date = first("date")?.line.flatMap(Self.date)
        var program = Program(
            id: identifiers.id
                ?? Self.id(title, subtitle, identifiers.episode, date, synopsis, identifiers.links),
            title: title,
            subtitle: subtitle
        )
        program.synopsis = synopsis
        program.categories = lines("category")
        program.episode = identifiers.episode
        program.date = date
        program.duration = first("length").flatMap(Self.duration)
        program.credits = first("credits")?.children.compactMap { $0.credit() } ?? []
        var seen: Set<String> = []
        program.images = (all("icon").compactMap { $0.attribute("src") } + lines("image"))
            .filter { seen.insert($0).inserted }
        program.language = first("language")?.line.flatMap(ISOCodes.language)
        program.countries = lines("country").map { ISOCodes.country($0) ?? $0 }
        program.ratings = all("rating").compactMap { rating in
            rating.first("value")?.line.map { Program.Rating(system: rating.attribute("system") ?? "", value: $0) }
        }
        for page in all("url") {
            guard let value = page.line else { continue }
            let source = page.attribute("system") ?? Self.pageSource
            identifiers.links.append(ExternalIdentifier(source: source, kind: Self.pageKind, value: value))
        }
        program.externalIdentifiers = identifiers.links
        return program
    }

    /// `true` if it is announced as live. XMLTV has no standard form for this: some guides have an element, and
    /// ``XMLTVWriter`` writes a keyword.
    var isLive: Bool {
        first("live") != nil || all("keyword").contains { $0.line?.lowercased() == Self.liveKeyword }
    }

    static let liveKeyword = "live"
    /// The system of the numbers that preserve the identifiers of programs when a guide is written and read again.
    static let ownSystem = "earshot"
    /// The source of pages without a stated source.
    static let pageSource = "url"
    static let pageKind = "page"
    static let programKind = "program"

    // MARK: - Numbers

    private struct Numbers {
        var id: EntityID<Program>?
        var episode: Program.Episode?
        var links: [ExternalIdentifier] = []
    }

    private func numbers() -> Numbers {
        var numbers = Numbers()
        for child in all("episode-num") {
            guard let text = child.line else { continue }
            switch child.attribute("system") ?? "onscreen" {
            case "onscreen":
                numbers.episode = numbers.episode ?? Program.Episode()
                if numbers.episode?.onScreen == nil { numbers.episode?.onScreen = text }
            case "xmltv_ns":
                var episode = numbers.episode ?? Program.Episode()
                XMLTVEpisode.read(text, into: &episode)
                if episode != Program.Episode() { numbers.episode = episode }
            case Self.ownSystem: numbers.id = EntityID(text)
            case let system:
                let link = Self.identifier(system, text)
                if !numbers.links.contains(link) { numbers.links.append(link) }
            }
        }
        return numbers
    }

    /// Returns an external identifier. The kind is the word before the slash, as in `series/1234`; otherwise `program`.
    private static func identifier(_ system: String, _ text: String) -> ExternalIdentifier {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        if parts.count == 2, !parts[1].isEmpty, isKind(parts[0]) {
            return ExternalIdentifier(source: system, kind: String(parts[0]), value: String(parts[1]))
        }
        return ExternalIdentifier(source: system, kind: programKind, value: text)
    }

    /// Returns `true` if a text can be the kind of an identifier: a short word of lowercase letters.
    static func isKind(_ text: some StringProtocol) -> Bool {
        (1...20).contains(text.utf8.count)
            && text.utf8.allSatisfy { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }
    }

    /// Returns an identifier that is the same in every file with the program, so that repeats of an episode are one
    /// program.
    private static func id(
        _ title: Name,
        _ subtitle: Name?,
        _ episode: Program.Episode?,
        _ date: PartialDate?,
        _ synopsis: Name?,
        _ links: [ExternalIdentifier]
    ) -> EntityID<Program> {
        func derived(_ kind: String, _ parts: [String?]) -> EntityID<Program> {
            EntityID(DerivedID.text("program", [kind] + parts))
        }
        // A number that begins with SH identifies a whole series.
        if let number = links.first(where: { $0.source == "dd_progid" })?.value, !number.hasPrefix("SH") {
            return derived("dd_progid", [number, episode?.part.map(String.init)])
        }
        if let episode, let number = episode.episode {
            let places = [episode.season, number, episode.part].map { $0.map(String.init) }
            return derived("episode", [title.text] + places)
        }
        if let subtitle { return derived("subtitle", [title.text, subtitle.text, episode?.part.map(String.init)]) }
        if let onScreen = episode?.onScreen { return derived("onscreen", [title.text, onScreen]) }
        return derived("title", [title.text, date?.description, synopsis?.text])
    }

    // MARK: - Values

    private func credit() -> VideoCredit? {
        guard let role = VideoCredit.Role(rawValue: name), let person = line else { return nil }
        return VideoCredit(
            role,
            person,
            as: role == .actor ? attribute("role") : nil,
            isGuest: role == .actor && attribute("guest") == "yes"
        )
    }

    /// Parses `2019`, `201905`, `20190504`, also with hyphens; the rest of a time is ignored.
    private static func date(_ text: String) -> PartialDate? {
        if let date = PartialDate(text) { return date }
        let digits = text.prefix { $0.isASCII && $0.isNumber }.prefix(8)
        guard [4, 6, 8].contains(digits.count) else { return nil }
        let parts = [digits.prefix(4), digits.dropFirst(4).prefix(2), digits.dropFirst(6)].filter { !$0.isEmpty }
        return PartialDate(parts.joined(separator: "-"))
    }

    /// Parses a length, in milliseconds; `nil` if it is invalid or longer than a week.
    private static func duration(_ element: XMLTVElement) -> Int? {
        guard let number = element.line.flatMap({ Double($0) }), number > 0 else { return nil }
        let unit: Double? =
            switch element.attribute("units") ?? "minutes" {
            case "seconds": 1_000
            case "minutes": 60_000
            case "hours": 3_600_000
            default: nil
            }
        guard let unit, number * unit <= GuideSlot.maximumDuration * 1_000 else { return nil }
        let milliseconds = Int((number * unit).rounded())
        return milliseconds > 0 ? milliseconds : nil
    }
}
