import EarshotAPI
import EarshotCore
import EarshotFingerprints
import Foundation
import NIOHTTP1
import TestSupport
import Testing

/// An answer as far as tests look at it.
struct AcoustIDAnswer: Decodable {
    struct Fault: Decodable {
        var code: Int
        var message: String
    }
    struct Artist: Decodable, Equatable {
        var id: String
        var name: String
    }
    struct Track: Decodable {
        var position: Int
        var title: String?
    }
    struct Medium: Decodable {
        var position: Int
        var tracks: [Track]
    }
    struct Release: Decodable {
        var id: String
        var title: String?
        var mediums: [Medium]?
    }
    struct Group: Decodable {
        var id: String
        var releases: [Release]?
    }
    struct Recording: Decodable {
        var id: String?
        var title: String?
        var duration: Double?
        var sources: Int?
        var artists: [Artist]?
        var releases: [Release]?
        var releasegroups: [Group]?
    }
    struct Result: Decodable {
        var id: String
        var score: Double
        var recordings: [Recording]?
    }
    struct Entry: Decodable {
        var index: Int?
        var results: [Result]
    }
    struct Submission: Decodable {
        struct Outcome: Decodable { var id: String }
        var id: Int
        var status: String
        var index: String?
        var result: Outcome?
    }
    struct User: Decodable { var apikey: String }
    struct Listed: Decodable {
        var id: String
        var disabled: Bool?
    }
    struct Listing: Decodable {
        var mbid: String
        var tracks: [Listed]
    }
    struct Stored: Decodable {
        var id: Int
        var duration: Int
        var hashes: [Int]
    }
    var status: String
    var error: Fault?
    var results: [Result]?
    var fingerprints: [Entry]?
    var submissions: [Submission]?
    var user: User?
    var tracks: [Listed]?
    var mbids: [Listing]?
    var fingerprint: Stored?
}

extension TestService {
    /// What a path of AcoustID's protocol answers.
    func acoustID(_ path: String) async throws -> AcoustIDAnswer {
        try await ask(.GET, path).decoded(AcoustIDAnswer.self)
    }

    /// What it answers to a form.
    func acoustID(_ path: String, form: String) async throws -> AcoustIDAnswer {
        let type = "application/x-www-form-urlencoded"
        return try await ask(.POST, path, type: type, body: Data(form.utf8)).decoded(AcoustIDAnswer.self)
    }

    /// The key of a new client, and of a user of it.
    func acoustIDKeys() async throws -> (client: String, user: String) {
        let client = try #require(try await client().identifier)
        let user = try await acoustID("/v2/user/create_anonymous?client=\(client)").user?.apikey
        return (client, try #require(user))
    }
}

extension FileFingerprint {
    /// A fingerprint of 200 s, somewhat like those of music.
    static func madeUp(_ seed: UInt64) throws -> FileFingerprint {
        var random = SeededGenerator(seed: seed)
        var value = UInt32.random(in: 0 ... .max, using: &random)
        let values = (0..<900).map { _ in
            for _ in 0..<Int.random(in: 0...7, using: &random) {
                value ^= 1 << UInt32.random(in: 0..<32, using: &random)
            }
            return value
        }
        return try FileFingerprint(values, duration: MediaTime(value: 200, timescale: 1))
    }
}
