import EarshotCore
import EarshotPostgreSQL
import Foundation
import TestSupport
import Testing

@testable import ServiceCommands

@Suite("Keys of stations.json")
struct StationSettingsKeyTests {
    @Test(
        "An unknown key of the settings is named, with where it stands and the keys that are known there",
        arguments: [
            (
                #"{"catalogue": "c", "stations": []}"#, "unknown key 'catalogue' in ",
                "known keys: catalog, playlog, database"
            ),
            (
                #"{"catalog": "c", "stations": [{"id": "a", "file": "f", "spot": true}]}"#,
                "unknown key 'spot' in station 'a' of ", "catalog, spots, callerRef"
            ),
            (
                #"{"stations": [{"file": "f"}, {"URL": "http://a"}]}"#, "unknown key 'URL' in station 2 of ",
                "id, name, url"
            ),
            (
                #"{"stations": [{"id": "a", "file": "f", "live": {"hour": 3}}]}"#,
                "unknown key 'hour' in live of station 'a'", "known keys: hours"
            ),
            (
                #"{"stations": [{"id": "a", "file": "f"}], "webhooks": [{"url": "http://a", "secret": "s"}]}"#,
                "unknown key 'secret' in webhook 'http://a'", "url, secretFile"
            ),
        ]
    )
    func unknownKey(text: String, said: String, known: String) throws {
        try withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("stations.json")
            try Data(text.utf8).write(to: url)
            let error = #expect(throws: EarshotError.self) { _ = try StationSettings(path: url.path) }
            #expect(error?.code == .configurationInvalid)
            let message = error?.message ?? ""
            #expect(message.contains(said) && message.contains(known), "\(message)")
        }
    }

    @Test("The database for plays is the command line's or the file's, and an address")
    func database() throws {
        try withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("stations.json")
            func settings(_ database: String) throws -> StationSettings {
                try Data(
                    #"{"catalog": "c", \#(database)"stations": [{"id": "a", "file": "f"}]}"#.utf8
                ).write(to: url)
                return try StationSettings(path: url.path)
            }
            #expect(try settings("").database == nil)
            var named = try settings(#""database": "postgresql://a:b@db/earshot", "#)
            #expect(try named.database?.name == "postgresql://a@db/earshot")
            named.databaseOption = "postgresql://other/earshot"
            #expect(try named.database?.name == "postgresql://other/earshot")
            let error = #expect(throws: EarshotError.self) {
                _ = try settings(#""database": "plays.sqlite", "#).database
            }
            #expect(error?.code == .configurationInvalid)
        }
    }
}
