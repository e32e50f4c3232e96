import EarshotAPI
import EarshotCatalogs
import EarshotCore
import EarshotRecognition
import Foundation
import TestSupport
import Testing

@testable import EarshotClient

@Suite("Configuration")
struct ConfigurationTests {
    private func fresh() throws -> ClientConfiguration {
        try ClientConfiguration(clientIdentifier: ServiceServer.identifier)
    }

    @Test("An identifier is an id and a tag", .requirements("R-MC-001", "R-MC-002"))
    func identifier() throws {
        let configuration = try fresh()
        #expect(configuration.identifier.id == "12345678")
        #expect(configuration.identifier.tag == "ABCDEFGHIJKLMNOPQRSTUVWXYZ012345")
    }

    @Test(
        "What is no identifier makes no configuration",
        .requirements("R-MC-003"),
        arguments: ["", "-", "12345678", "12345678-", "-ABC", "1234 5678-ABC", "12345678-ABC/DEF"]
    )
    func malformed(text: String) {
        #expect(code { _ = try ClientConfiguration(clientIdentifier: text) } == .configurationInvalid)
    }

    static let defaults: [(String, String?)] = [
        ("content.country", nil), ("content.lang", nil), ("content.coverArt", "false"),
        ("content.coverArt.sizePreference", "SMALL,MEDIUM,THUMBNAIL,LARGE,XLARGE"),
        ("content.coverArt.genreCoverArt", "true"), ("content.contributor.images", "false"),
        ("content.contributor.biography", "false"), ("content.review", "false"), ("content.genre.level", "DEFAULT"),
        ("content.mood", "false"), ("content.mood.level", "DEFAULT"), ("content.tempo", "false"),
        ("content.tempo.level", "DEFAULT"), ("content.origin", "false"), ("content.era", "false"),
        ("content.artistType", "false"), ("content.origin.level", "DEFAULT"), ("content.era.level", "DEFAULT"),
        ("content.artistType.level", "DEFAULT"), ("content.link.preferredSource", nil),
        ("content.recognition.queryPreference.singleBestMatch", "true"),
        ("content.albumIdentification.queryPreference.useTagData", "true"),
        ("content.albumIdentification.queryPreference.useCatalogueId", "true"),
        ("content.albumIdentification.queryPreference.useFingerprint", "true"), ("debugEnabled", "false"),
    ]

    @Test("Every setting has its default", .requirements("R-MC-010", "R-MC-011", "R-MC-012", "R-MC-161"))
    func defaultValues() throws {
        let configuration = try fresh()
        #expect(Self.defaults.map(\.0) == ConfigurationKey.allCases.map(\.rawValue))
        for (key, value) in Self.defaults {
            let told1 = try configuration.value(forKey: key)
            #expect(told1 == value, "\(key)")
        }
        // What goes without saying is not sent: no country, no cover.
        #expect(configuration.preferences.parameters.isEmpty)
    }

    /// A value for a key that is not its default.
    static func other(_ key: ConfigurationKey) -> String {
        switch key.kind {
        case .flag: key == .genreArt || key == .singleBestMatch || key.rawValue.contains("use") ? "false" : "true"
        case .level: "EXTENDED"
        case .text:
            switch key {
            case .country: "DEU"
            case .language: "jpn"
            case .imageSizes: "XLARGE,MEDIUM"
            default: "shop"
            }
        }
    }

    @Test(
        "Names are taken in any case and noted only where they are old",
        .requirements("R-MC-009"),
        arguments: ConfigurationKey.allCases
    )
    func anyCase(key: ConfigurationKey) throws {
        for name in [key.rawValue.lowercased(), key.rawValue.uppercased(), key.rawValue] {
            var configuration = try fresh()
            try configuration.setValue(Self.other(key), forKey: name)
            #expect(configuration.value(key) == Self.other(key))
            #expect(configuration.notices.isEmpty)
        }
    }

    @Test(
        "Older names set the same, with and without a prefix",
        .requirements("R-MC-013", "R-MC-014"),
        arguments: ConfigurationKey.allCases.filter { $0.deprecatedName != nil }
    )
    func older(key: ConfigurationKey) throws {
        let name = try #require(key.deprecatedName)
        for name in [name, "webservices." + name, "WEBSERVICES." + name.uppercased()] {
            var configuration = try fresh()
            try configuration.setValue(Self.other(key), forKey: name)
            #expect(configuration.value(key) == Self.other(key))
            #expect(configuration.notices.count == 1)
            let notice = try #require(configuration.notices.first)
            #expect(notice.contains(name) && notice.contains(key.rawValue))
        }
    }

    @Test("The six older names are those that apps use", .requirements("R-MC-013"))
    func olderNames() {
        let names = [
            "webservices.isInlineCoverArtEnabled", "webservices.coverArtSizePreference",
            "webservices.isSingleBestMatchPreferred", "isGenreCoverArtEnabled", "preferredLinkSource", "country",
        ]
        let keys = names.map { ConfigurationKey(name: $0) }
        #expect(keys == [.coverArt, .imageSizes, .singleBestMatch, .genreArt, .preferredLinkSource, .country])
    }

    @Test(
        "Switches are on and off by their words",
        .requirements("R-MC-007"),
        arguments: ["1", "true", "True"],
        ["0", "false", "False"]
    )
    func switches(on: String, off: String) throws {
        var configuration = try fresh()
        try configuration.setValue(on, forKey: "content.coverArt")
        #expect(configuration.preferences.coverArt)
        try configuration.setValue(off, forKey: "content.coverArt")
        #expect(!configuration.preferences.coverArt)
    }

    @Test(
        "What is no setting, or no value for it, changes nothing",
        .requirements("R-MC-016"),
        arguments: [
            ("content.colour", "1"), ("", ""), ("content.coverArt", "yes"), ("content.coverArt", ""),
            ("content.mood.level", "MORE"),
            ("content.country", "Germany"), ("content.lang", "de"), ("debugEnabled", "2"),
        ]
    )
    func invalid(name: String, value: String) throws {
        var configuration = try fresh()
        try configuration.setValue("1", forKey: "content.coverArt")
        let before = configuration.description
        #expect(code { try configuration.setValue(value, forKey: name) } == .configurationInvalid)
        #expect(configuration.description == before)
        #expect(configuration.preferences.coverArt)
    }

    @Test("A list of sizes with a wrong name is the list of all", .requirements("R-MC-160", "R-MC-162"))
    func sizes() throws {
        var configuration = try fresh()
        try configuration.setValue("LARGE,HUGE", forKey: "content.coverArt.sizePreference")
        #expect(configuration.preferences.imageSizes == ImageSize.defaultOrder)
        try configuration.setValue("THUMB,LARGE", forKey: "content.coverArt.sizePreference")
        #expect(configuration.preferences.imageSizes == [.thumbnail, .large])
        try configuration.setValue("LARGE,THUMBNAIL", forKey: "content.coverArt.sizePreference")
        #expect(configuration.preferences.imageSizes == [.large, .thumbnail])
    }

    @Test("Neither description nor mirror shows a secret")
    func secrets() throws {
        var configuration = try fresh()
        configuration.user = "serialised-user"
        configuration.preferences.language = "jpn"
        var dumped = ""
        dump(configuration, to: &dumped)
        for text in ["\(configuration)", String(reflecting: configuration), dumped] {
            #expect(!text.contains("ABCDEF") && !text.contains("serialised-user"))
            #expect(text.contains("content.lang=jpn"))
        }
    }
}
