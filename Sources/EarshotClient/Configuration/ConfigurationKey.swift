import EarshotCore
import EarshotMusic
import EarshotRecognition

/// The name of a setting of ``ClientConfiguration``, accepted in any case by
/// ``ClientConfiguration/setValue(_:forKey:)``.
public enum ConfigurationKey: String, Hashable, Sendable, CaseIterable {
    /// The country whose genre classification is used, as an ISO 3166-1 alpha-3 code.
    case country = "content.country"
    /// The language of names and texts in results, as an ISO 639 code of three letters.
    case language = "content.lang"
    /// Requests the cover of the album.
    case coverArt = "content.coverArt"
    /// The sizes of requested pictures in order of preference, separated by commas.
    case imageSizes = "content.coverArt.sizePreference"
    /// Allows a picture of the genre in place of a missing cover; only together with ``coverArt``.
    case genreArt = "content.coverArt.genreCoverArt"
    /// Requests a picture of the artist.
    case artistImages = "content.contributor.images"
    /// Requests the artist's biography.
    case biography = "content.contributor.biography"
    /// Requests the album's review.
    case review = "content.review"
    /// The level of detail of genres: `DEFAULT` or `EXTENDED`.
    case genreLevel = "content.genre.level"
    /// Requests the track's mood.
    case mood = "content.mood"
    /// The level of detail of moods: `DEFAULT` or `EXTENDED`.
    case moodLevel = "content.mood.level"
    /// Requests the track's tempo.
    case tempo = "content.tempo"
    /// The level of detail of tempos: `DEFAULT` or `EXTENDED`.
    case tempoLevel = "content.tempo.level"
    /// Requests the artist's origin, with era and type.
    case origin = "content.origin"
    /// Requests the artist's era, with origin and type.
    case era = "content.era"
    /// Requests the artist's type, with origin and era.
    case artistType = "content.artistType"
    /// The level of detail of origins: `DEFAULT` or `EXTENDED`.
    case originLevel = "content.origin.level"
    /// The level of detail of eras: `DEFAULT` or `EXTENDED`.
    case eraLevel = "content.era.level"
    /// The level of detail of artist types: `DEFAULT` or `EXTENDED`.
    case artistTypeLevel = "content.artistType.level"
    /// The external catalog whose identifiers a match should preferably have.
    case preferredLinkSource = "content.link.preferredSource"
    /// Limits stream and file recognition to one match; otherwise up to ten.
    case singleBestMatch = "content.recognition.queryPreference.singleBestMatch"
    /// Lets the identification of albums use tags.
    case useTagData = "content.albumIdentification.queryPreference.useTagData"
    /// Lets the identification of albums use music identifiers stored in files.
    case useCatalogID = "content.albumIdentification.queryPreference.useCatalogueId"
    /// Lets the identification of albums use fingerprints of files.
    case useFingerprint = "content.albumIdentification.queryPreference.useFingerprint"
    /// Lets operations write a debug log.
    case debugEnabled = "debugEnabled"

    /// The type of a setting's values.
    enum Kind {
        case flag(WritableKeyPath<ClientConfiguration, Bool>)
        case level(DescriptorKind)
        case text
    }

    var kind: Kind {
        switch self {
        case .country, .language, .imageSizes, .preferredLinkSource: .text
        case .coverArt: .flag(\.preferences.coverArt)
        case .genreArt: .flag(\.preferences.genreArt)
        case .artistImages: .flag(\.preferences.artistImages)
        case .biography: .flag(\.preferences.biography)
        case .review: .flag(\.preferences.review)
        case .mood: .flag(\.preferences.mood)
        case .tempo: .flag(\.preferences.tempo)
        case .origin: .flag(\.preferences.origin)
        case .era: .flag(\.preferences.era)
        case .artistType: .flag(\.preferences.artistType)
        case .singleBestMatch: .flag(\.preferences.singleBestMatch)
        case .useTagData: .flag(\.usesTagData)
        case .useCatalogID: .flag(\.usesMusicIdentifiers)
        case .useFingerprint: .flag(\.usesFingerprints)
        case .debugEnabled: .flag(\.debugEnabled)
        case .genreLevel: .level(.genre)
        case .moodLevel: .level(.mood)
        case .tempoLevel: .level(.tempo)
        case .originLevel: .level(.origin)
        case .eraLevel: .level(.era)
        case .artistTypeLevel: .level(.artistType)
        }
    }

    /// The deprecated name of the setting, accepted with and without the prefix `webservices.`; `nil` if there is none.
    public var deprecatedName: String? {
        switch self {
        case .country: "country"
        case .coverArt: "isInlineCoverArtEnabled"
        case .imageSizes: "coverArtSizePreference"
        case .genreArt: "isGenreCoverArtEnabled"
        case .preferredLinkSource: "preferredLinkSource"
        case .singleBestMatch: "isSingleBestMatchPreferred"
        default: nil
        }
    }

    private static let byName: [String: (key: ConfigurationKey, isDeprecated: Bool)] = {
        var names: [String: (key: ConfigurationKey, isDeprecated: Bool)] = [:]
        for key in allCases {
            names[key.rawValue.lowercased()] = (key, false)
            guard let old = key.deprecatedName?.lowercased() else { continue }
            names[old] = (key, true)
            names["webservices." + old] = (key, true)
        }
        return names
    }()

    /// The key of a name in any case, and whether the name is an older one.
    static func find(_ name: String) -> (key: ConfigurationKey, isDeprecated: Bool)? { byName[name.lowercased()] }

    /// Creates the key with a name in any case, deprecated names included; `nil` for an unknown name.
    public init?(name: String) {
        guard let found = Self.find(name) else { return nil }
        self = found.key
    }
}
