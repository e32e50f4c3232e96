import EarshotCore
import Foundation

/// A line of a MusicBrainz JSON dump, as far as it is used: an artist or a release.
///
/// The dumps hold one entity a line, in the form of the JSON web service with everything included
/// (https://musicbrainz.org/doc/Development/JSON_Data_Dumps). Unknown members are passed over; those that are there but have
/// another type make the line a reject.
enum MusicBrainzLine {
    struct Entity: Decodable {
        var id: String
        var name: String?
    }

    struct Area: Decodable {
        var name: String?
        var codes: [String]?

        enum CodingKeys: String, CodingKey {
            case name
            case codes = "iso-3166-1-codes"
        }
    }

    struct Alias: Decodable {
        var name: String
        var locale: String?
        var primary: Bool?
    }

    struct Tag: Decodable {
        var name: String
        var count: Int?
    }

    struct LifeSpan: Decodable {
        var begin: String?
    }

    struct Relation: Decodable {
        struct Address: Decodable {
            var resource: String
        }
        var type: String?
        var url: Address?
    }

    struct Artist: Decodable {
        var id: String
        var name: String
        var sortName: String?
        var type: String?
        var gender: String?
        var country: String?
        var area: Area?
        var lifeSpan: LifeSpan?
        var aliases: [Alias]?
        var isnis: [String]?
        var relations: [Relation]?

        enum CodingKeys: String, CodingKey {
            case id, name, type, gender, country, area, aliases, isnis, relations
            case sortName = "sort-name"
            case lifeSpan = "life-span"
        }
    }

    struct Credit: Decodable {
        var name: String
        var joinphrase: String?
        var artist: Entity?
    }

    struct Recording: Decodable {
        var id: String
        var title: String?
        var length: Double?
        var isrcs: [String]?
        var genres: [Tag]?
        var tags: [Tag]?
    }

    struct Track: Decodable {
        var id: String
        var title: String
        var position: Int?
        var length: Double?
        var credits: [Credit]?
        var recording: Recording?

        enum CodingKeys: String, CodingKey {
            case id, title, position, length, recording
            case credits = "artist-credit"
        }
    }

    struct Medium: Decodable {
        var position: Int?
        var format: String?
        var title: String?
        var trackCount: Int?
        var pregap: Track?
        var tracks: [Track]?

        enum CodingKeys: String, CodingKey {
            case position, format, title, pregap, tracks
            case trackCount = "track-count"
        }
    }

    struct Group: Decodable {
        var id: String
        var secondaryTypes: [String]?
        var firstDate: String?
        var genres: [Tag]?
        var tags: [Tag]?

        enum CodingKeys: String, CodingKey {
            case id, genres, tags
            case secondaryTypes = "secondary-types"
            case firstDate = "first-release-date"
        }
    }

    struct Release: Decodable {
        var id: String
        var title: String
        var date: String?
        var barcode: String?
        var credits: [Credit]?
        var group: Group?
        var media: [Medium]?
        var genres: [Tag]?
        var tags: [Tag]?
        var relations: [Relation]?

        enum CodingKeys: String, CodingKey {
            case id, title, date, barcode, media, genres, tags, relations
            case credits = "artist-credit"
            case group = "release-group"
        }
    }
}
