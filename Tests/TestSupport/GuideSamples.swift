package import EarshotBroadcast
import EarshotMusic
package import Foundation

/// Channels, programmes and airings for tests of guides.
package enum GuideSamples {
    /// 2026-05-01T18:00:00Z.
    package static let evening = Date(timeIntervalSince1970: 1_777_658_400)

    /// An instant, in minutes after ``evening``.
    package static func minute(_ minutes: Double) -> Date { evening.addingTimeInterval(minutes * 60) }

    /// A channel with an identifier in guides, and one elsewhere.
    package static func channel(_ id: String, number: String? = nil, tag: String = "") -> BroadcastChannel {
        var channel = BroadcastChannel(
            id: EntityID(id),
            tag: tag,
            name: Name("Channel \(id)"),
            callSign: "WXYZ-DT",
            number: number
        )
        channel.icon = "https://example.org/\(id).png"
        channel.externalIdentifiers = [
            ExternalIdentifier(source: "xmltv", kind: "channel", value: "\(id).example"),
            ExternalIdentifier(source: "registry", kind: "station", value: "4711"),
        ]
        return channel
    }

    /// A programme of which little is known.
    package static func program(_ id: String, _ title: String, subtitle: String? = nil) -> Program {
        Program(id: EntityID(id), title: Name(title), subtitle: subtitle.map { Name($0) })
    }

    /// A film with all that can be known.
    package static let work = {
        var work = VideoWork(
            id: "work-1",
            tag: "0123456789ABCDEF",
            title: Name("The Salt Road", translations: ["deu": "Die Salzstraße", "jpn": "塩の道"]),
            kind: .film
        )
        work.duration = 5_400_000
        work.date = PartialDate(year: 1999, month: 5)
        work.genres = ["drama"]
        work.credits = [VideoCredit(.director, "Ines Okoye"), VideoCredit(.actor, "Per Lind", as: "Salt")]
        work.externalIdentifiers = [ExternalIdentifier(source: "films", kind: "film", value: "sr-99")]
        return work
    }()

    /// A programme with all that can be known.
    package static let full = {
        var program = Program(
            id: "program-full",
            tag: "A1",
            title: Name("Evening Film", translations: ["fra": "Le film du soir"]),
            subtitle: Name("The Salt Road"),
            work: work
        )
        program.synopsis = Name("Two drivers & one road.\nIt rains.")
        program.categories = ["Film", "Drama"]
        program.episode = Program.Episode(season: 1, episode: 4, part: 0, onScreen: "S2 E5")
        program.episode?.partCount = 2
        program.date = PartialDate(year: 1999)
        program.duration = 5_400_000
        program.credits = [VideoCredit(.actor, "Per Lind", as: "Salt", isGuest: true)]
        program.images = ["https://example.org/film.jpg"]
        program.language = "eng"
        program.countries = ["NOR"]
        program.ratings = [Program.Rating(system: "FSK", value: "12")]
        program.externalIdentifiers = [ExternalIdentifier(source: "dd_progid", kind: "program", value: "MV0001")]
        return program
    }()

    /// An airing from one minute after ``evening`` to another.
    package static func airing(
        _ channel: BroadcastChannel,
        _ program: Program,
        _ from: Double,
        _ to: Double,
        isRepeat: Bool = false
    ) -> Airing {
        Airing(start: minute(from), end: minute(to), channel: channel, program: program, isRepeat: isRepeat)
    }
}
