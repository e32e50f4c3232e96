import EarshotCatalogs
import EarshotCore
import EarshotMusic
import EarshotRecognition
import EarshotTimedContent
import Foundation

/// A reference with its timed content, as it is sent. Times are in seconds.
struct ReferenceContent: Encodable, Sendable {
    /// A custom property of a media item, such as the number of an episode.
    struct Detail: Encodable, Sendable {
        let name: String
        let value: String
    }

    /// A media item that describes a part of the reference.
    struct Chapter: Encodable, Sendable {
        let begin, end: Double
        let title, subtitle: String?
    }

    /// The keys of media items that are not listed as details: they have members of their own, or are of no interest to people.
    private static let known: Set<MediaItemKey> = [
        .title, .subtitle, .artist, .album, .genres, .artworkURL, .videoURL, .webURL, .isrc, .explicitContent,
        .storeID, .storeURL, .serviceID, .creationDate, .timeRanges, .frequencySkewRanges, .timeline, "sourceStamp",
        "workID",
    ]
    private static let mostDetails = 20

    let id: String
    let duration: Double
    var title, artist, album, trackID: String?
    let subtitle: String?
    let details: [Detail]
    let chapters: [Chapter]
    /// The document of ``EarshotTimedContent/Timeline``; `nil` if there is none.
    var timeline: JSONValue?
    /// The warnings about valid but probably unintended values in the timeline.
    var warnings: [String]?
    /// `true` if the sender may change the timeline.
    var isEditable = false
    /// The identifier of the file that the reference was made of, guessed by its name; `nil` if none fits, or the sender may not read it.
    var asset: String?

    /// Creates the content of a reference.
    ///
    /// - Parameter music: The metadata of its music.
    /// - Throws: `timelineInvalid` if the media item contains an invalid timeline.
    init(_ reference: ReferenceSummary, music: MusicMatch) throws(EarshotError) {
        let whole = reference.items.first { $0.timeRanges.isEmpty } ?? reference.items.first
        id = reference.id.rawValue
        duration = reference.duration.seconds
        title = music.track.title ?? whole?.title
        artist = music.artist.name ?? whole?.artist
        album = music.album.title ?? whole?.album
        trackID = music.track.id?.rawValue
        subtitle = whole?.subtitle
        details = (whole?.properties ?? [:]).filter { !Self.known.contains($0.key) }
            .compactMap { key, value in Self.text(value).map { Detail(name: key.rawValue, value: $0) } }
            .sorted { $0.name < $1.name }.prefix(Self.mostDetails).map(\.self)
        chapters = reference.items.flatMap { item in
            item.timeRanges.map {
                Chapter(
                    begin: $0.lowerBound.seconds,
                    end: $0.upperBound.seconds,
                    title: item.title,
                    subtitle: item.subtitle
                )
            }
        }.sorted { ($0.begin, $0.end) < ($1.begin, $1.end) }
        if let timeline = try reference.timeline {
            self.timeline = try Self.document(timeline)
            let duration = reference.duration
            warnings = timeline.warnings(duration: duration).map(\.message)
        }
    }

    private static func text(_ value: PropertyValue) -> String? {
        switch value {
        case .string(let text) where text.utf8.count <= 1_000: text
        case .integer(let number): String(number)
        case .real(let number): String(number)
        default: nil
        }
    }

    private static func document(_ timeline: Timeline) throws(EarshotError) -> JSONValue {
        do {
            return try JSONDecoder().decode(JSONValue.self, from: JSONEncoder().encode(timeline))
        } catch {
            throw EarshotError(.internalError, "The timed content could not be encoded.", cause: error)
        }
    }
}

/// A reference with timed content, in a list.
struct ContentSummary: Encodable, Sendable {
    let id: String
    let duration: Double
    let title, subtitle, artist: String?
    /// The number of entries of the timeline, and of those with a question.
    let entries, questions: Int
    /// The number of parts that its media items distinguish.
    let chapters: Int

    init(_ reference: ReferenceSummary) {
        let whole = reference.items.first { $0.timeRanges.isEmpty } ?? reference.items.first
        id = reference.id.rawValue
        duration = reference.duration.seconds
        (title, subtitle, artist) = (whole?.title, whole?.subtitle, whole?.artist)
        let timeline = try? reference.timeline
        entries = timeline?.entries.count ?? 0
        questions = timeline?.entries.count { $0.requiresAnswer } ?? 0
        chapters = reference.items.reduce(0) { $0 + $1.timeRanges.count }
    }
}

/// A page of the list of references with timed content.
struct ContentPage: Encodable, Sendable {
    let references: [ContentSummary]
    let offset: Int
    let total: Int
}

extension ReferenceSummary {
    /// The timeline of the first media item that has one; `nil` if none has.
    ///
    /// - Throws: `timelineInvalid`.
    fileprivate var timeline: Timeline? {
        get throws(EarshotError) {
            for item in items { if let timeline = try item.timeline { return timeline } }
            return nil
        }
    }
}
