import EarshotCore
import EarshotMusic
import Foundation

/// A text in a page, as a link if it has an address.
struct LinkedText: Sendable {
    let name: String
    /// The address of the link; `nil` for plain text.
    var address: String?
    /// The text between this link and the next one.
    var joint = ""
}

/// A property of an entity, as shown: its name and its values.
struct MusicFact: Sendable {
    let name: String
    let parts: [LinkedText]

    init(_ name: String, _ parts: [LinkedText]) { (self.name, self.parts) = (name, parts) }

    /// Creates a fact with a text; `nil` if there is none.
    init?(_ name: String, _ text: String?) {
        guard let text, !text.isEmpty else { return nil }
        self.init(name, [LinkedText(name: text)])
    }

    /// Creates a fact with a list of names; `nil` if it is empty.
    init?(_ name: String, _ descriptors: [Descriptor]) {
        self.init(name, descriptors.map(\.name).joined(separator: ", "))
    }
}

/// Addresses and texts that pages of music share.
enum MusicText {
    private static let unreserved = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
    )

    /// Returns a text percent-encoded for an address.
    static func escaped(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: unreserved) ?? ""
    }

    static func address(ofTrack id: EntityID<Track>) -> String { "/tracks/\(escaped(id.rawValue))" }
    static func address(ofAlbum id: EntityID<Album>) -> String { "/albums/\(escaped(id.rawValue))" }
    static func address(ofArtist id: EntityID<Artist>) -> String { "/artists/\(escaped(id.rawValue))" }

    /// Returns a duration as `1:02:03` or `2:03`; `nil` for an invalid one.
    static func duration(_ time: MediaTime?) -> String? {
        guard let seconds = time?.seconds, seconds.isFinite, (0..<1e8).contains(seconds) else { return nil }
        let whole = Int(seconds.rounded())
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let (hours, minutes) = (whole / 3_600, whole / 60 % 60)
        return hours > 0 ? "\(hours):\(two(minutes)):\(two(whole % 60))" : "\(minutes):\(two(whole % 60))"
    }

    /// Returns an external address that a page may link to; `nil` for one that is no web address.
    static func foreign(_ address: String?) -> String? {
        guard let address, address.utf8.count <= 2_000, let url = URL(string: address), url.host() != nil,
            ["http", "https"].contains(url.scheme?.lowercased())
        else { return nil }
        return address
    }

    /// Returns the main and featured artists, with links to their pages.
    static func artists(_ credits: [ArtistCredit]) -> [LinkedText] {
        let shown = credits.filter { $0.role == .main || $0.role == .featured }
        return shown.enumerated().map { index, credit in
            let isLast = index == shown.count - 1
            return LinkedText(
                name: credit.name,
                address: credit.artist.map(address(ofArtist:)),
                joint: isLast ? "" : credit.joint.isEmpty ? ", " : credit.joint
            )
        }
    }

    /// Returns the other artists of credits, by role.
    static func roles(_ credits: [ArtistCredit], _ words: PageWords) -> [MusicFact] {
        ArtistCredit.Role.allCases.filter { $0 != .main && $0 != .featured }.compactMap { role in
            let names = credits.filter { $0.role == role }
            guard !names.isEmpty else { return nil }
            return MusicFact(
                words("music.role-\(role.rawValue)"),
                names.enumerated().map { index, credit in
                    LinkedText(
                        name: credit.name,
                        address: credit.artist.map(address(ofArtist:)),
                        joint: index == names.count - 1 ? "" : ", "
                    )
                }
            )
        }
    }

    /// Returns facts for identifiers such as `isrc:GBAYE0601498`. Those of MusicBrainz, AcoustID, Wikidata and Discogs are links.
    static func identifiers(_ texts: [String], _ words: PageWords) -> [MusicFact] {
        texts.compactMap { text in
            let parts = text.split(separator: ":", maxSplits: 1).map(String.init)
            guard parts.count == 2, let scheme = MusicIdentifier.Scheme(rawValue: parts[0]) else { return nil }
            let value = parts[1]
            let address: String? =
                switch scheme {
                case .musicBrainzRecording: "https://musicbrainz.org/recording/\(value)"
                case .musicBrainzTrack: "https://musicbrainz.org/track/\(value)"
                case .musicBrainzRelease: "https://musicbrainz.org/release/\(value)"
                case .musicBrainzReleaseGroup: "https://musicbrainz.org/release-group/\(value)"
                case .musicBrainzArtist: "https://musicbrainz.org/artist/\(value)"
                case .musicBrainzWork: "https://musicbrainz.org/work/\(value)"
                case .acoustID: "https://acoustid.org/track/\(value)"
                case .wikidata: "https://www.wikidata.org/wiki/\(value)"
                case .discogsArtist: "https://www.discogs.com/artist/\(value)"
                case .discogsRelease: "https://www.discogs.com/release/\(value)"
                case .discogsMaster: "https://www.discogs.com/master/\(value)"
                case .isrc, .iswc, .barcode, .isni: nil
                }
            return MusicFact(words("music.id-\(scheme.rawValue)"), [LinkedText(name: value, address: address)])
        }
    }

    /// Returns identifiers in other catalogs, as links if they have pages.
    static func links(_ links: [ExternalLink]) -> [LinkedText] {
        links.prefix(50).map { link in
            let address = foreign(link.address)
            return LinkedText(name: address == nil ? "\(link.source): \(link.id)" : link.source, address: address)
        }
    }
}
