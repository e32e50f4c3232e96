import EarshotCore
import EarshotMusic
import Foundation

/// Channels and programs.
extension XMLText {
    /// Returns the identifier of a channel in guides: its external one for XMLTV, or its own.
    static func id(of channel: BroadcastChannel) -> String {
        channel.externalIdentifiers.first { $0.source == ExternalIdentifier.xmltvSource }?.value ?? channel.id.rawValue
    }

    mutating func append(_ channel: BroadcastChannel) {
        begin("channel", [("id", Self.id(of: channel))])
        // The number is written as a name anyway. If the channel's name is just the number, it is not written twice.
        if channel.number == nil || channel.name != Name(channel.number ?? "") { append(channel.name, "display-name") }
        if let callSign = channel.callSign { element("display-name", callSign) }
        if let number = channel.number { element("display-name", number) }
        if let icon = channel.icon { element("icon", nil, [("src", icon)]) }
        if let address = channel.address { element("url", address) }
        end("channel")
    }

    mutating func append(_ airing: Airing) {
        let program = airing.program
        begin(
            "programme",
            [
                ("start", XMLTVTime.text(airing.start)), ("stop", XMLTVTime.text(airing.end)),
                ("channel", Self.id(of: airing.channel)),
            ]
        )
        // The order of the document type.
        append(program.title, "title")
        if let subtitle = program.subtitle { append(subtitle, "sub-title") }
        if let synopsis = program.synopsis { append(synopsis, "desc") }
        append(program.credits)
        if let date = program.date { element("date", date.description.filter { $0 != "-" }) }
        for category in program.categories { element("category", category) }
        if airing.isLive { element("keyword", XMLTVElement.liveKeyword, [("lang", "en")]) }
        if let language = program.language { element("language", ISOCodes.shortLanguage(language)) }
        if let duration = program.duration { append(duration: duration) }
        for image in program.images { element("icon", nil, [("src", image)]) }
        let links = program.externalIdentifiers
        for link in links where link.kind == XMLTVElement.pageKind {
            element("url", link.value, [("system", link.source == XMLTVElement.pageSource ? nil : link.source)])
        }
        for country in program.countries { element("country", country) }
        append(program.episode)
        for link in links where link.kind != XMLTVElement.pageKind {
            let hasKind = link.kind != XMLTVElement.programKind && XMLTVElement.isKind(link.kind)
            element("episode-num", hasKind ? "\(link.kind)/\(link.value)" : link.value, [("system", link.source)])
        }
        element("episode-num", program.id.rawValue, [("system", XMLTVElement.ownSystem)])
        if airing.isRepeat { element("previously-shown", nil) }
        for rating in program.ratings {
            begin("rating", [("system", rating.system.isEmpty ? nil : rating.system)])
            element("value", rating.value)
            end("rating")
        }
        end("programme")
    }

    /// Appends a name: its text first, with the language of an equal translation, then the other translations and
    /// spellings.
    private mutating func append(_ name: Name, _ element: String) {
        let own = name.translations.filter { $0.value == name.text }.keys.min()
        self.element(element, name.text, [("lang", own.map(ISOCodes.shortLanguage))])
        for (language, text) in name.translations.sorted(by: { $0.key < $1.key }) where language != own {
            self.element(element, text, [("lang", ISOCodes.shortLanguage(language))])
        }
        for alternate in name.alternates { self.element(element, alternate) }
    }

    private mutating func append(_ credits: [VideoCredit]) {
        guard !credits.isEmpty else { return }
        begin("credits")
        for role in VideoCredit.Role.allCases {
            for credit in credits where credit.role == role {
                let isActor = role == .actor
                element(
                    role.rawValue,
                    credit.name,
                    [("role", isActor ? credit.character : nil), ("guest", isActor && credit.isGuest ? "yes" : nil)]
                )
            }
        }
        end("credits")
    }

    private mutating func append(duration: Int) {
        let seconds = Double(max(0, duration)) / 1_000
        let text = seconds == seconds.rounded() ? String(Int(seconds)) : String(seconds)
        element("length", text, [("units", "seconds")])
    }

    private mutating func append(_ episode: Program.Episode?) {
        guard let episode else { return }
        if let numbers = XMLTVEpisode.text(episode) { element("episode-num", numbers, [("system", "xmltv_ns")]) }
        if let onScreen = episode.onScreen { element("episode-num", onScreen, [("system", "onscreen")]) }
    }
}
