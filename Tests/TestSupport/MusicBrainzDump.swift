package import Foundation

/// A small dump of made-up music in the form of MusicBrainz's tables: the columns of schema 30 in their order, `\N` for null.
package enum MusicBrainzDump {
    private static let time = "2026-01-02 03:04:05.678901+00"

    private static func id(_ digit: Character) -> String {
        "\(String(repeating: digit, count: 8))-2222-4333-8444-555555555555"
    }

    /// A row of `track`.
    package static func track(
        gid: String = "cccccccc-2222-4333-8444-555555555555",
        recording: String = "31",
        medium: String = "21",
        position: String = "1",
        name: String = "Lantern",
        credit: String = "11",
        length: String = "61500",
        isData: String = "f"
    ) -> String {
        ["41", gid, recording, medium, position, position, name, credit, length, "0", time, isData].joined(
            separator: "\t"
        )
    }

    /// The rows of each table.
    package static let tables: [String: [String]] = [
        "artist_type": [row("1", "Person", null, "1", null, id("e")), row("2", "Group", null, "2", null, id("e"))],
        "gender": [row("1", "Male", null, "1", null, id("e")), row("2", "Female", null, "2", null, id("e"))],
        "area": [row("107", id("e"), "Japan", "1", "0", time, null, null, null, null, null, null, "f", "")],
        "iso_3166_1": [row("107", "JP")],
        "artist": [
            row(
                "1",
                id("1"),
                "The Tin Foxes",
                "Tin Foxes, The",
                "1994",
                "3",
                null,
                null,
                null,
                null,
                "2",
                "107",
                null,
                "",
                "0",
                time,
                "f",
                null,
                null
            ),
            row(
                "2",
                id("2"),
                "Ada",
                "Ada",
                "1994",
                null,
                null,
                null,
                null,
                null,
                "1",
                null,
                "2",
                "a singer",
                "0",
                time,
                "f",
                null,
                null
            ),
        ],
        "artist_alias": [
            row(
                "1",
                "1",
                "ティン・フォクシズ",
                "ja",
                "0",
                time,
                "1",
                "ティン・フォクシズ",
                null,
                null,
                null,
                null,
                null,
                null,
                "t",
                "f"
            ),
            row("2", "1", "T. F.", null, "0", time, null, "T. F.", null, null, null, null, null, null, "f", "f"),
        ],
        "artist_isni": [row("1", "0000000121032683", "0", time)],
        // The order of a credit is told by its second column.
        "artist_credit_name": [
            row("11", "1", "2", "Ada", ""), row("11", "0", "1", "The Tin Foxes", " & "),
            row("12", "0", "1", "The Tin Foxes", ""),
        ],
        "release_group": [row("5", id("b"), "Morning Rail", "11", "1", "", "0", time)],
        "release_group_secondary_type": [row("1", "Compilation", null, "0", null, id("e"))],
        "release_group_secondary_type_join": [row("5", "1", time)],
        "release": [
            row(
                "6",
                id("a"),
                #"Morning\tRail \\ Night"#,
                "11",
                "5",
                "1",
                null,
                "120",
                "28",
                "4006381333931",
                "",
                "0",
                "-1",
                time
            ),
            row("7", id("f"), "Null", "12", "99", null, null, null, null, null, "", "0", "-1", null),
        ],
        "release_country": [row("6", "107", "2001", "11", "2"), row("6", "81", "1999", "5", null)],
        "release_unknown_country": [row("6", "2000", null, null)],
        "medium_format": [row("1", "CD", null, "0", "1982", "t", null, id("e"))],
        "medium": [
            row("22", "6", "2", null, "Extras", "0", time, "1", id("e")),
            row("21", "6", "1", "1", "", "0", time, "2", id("e")),
        ],
        "recording": [
            row("31", id("d"), "Lantern", "11", "61000", "", "0", time, "f"),
            row("32", id("d"), "Copper Wire", "12", "60000", "", "0", time, "f"),
            row("33", id("d"), "Hidden", "11", null, "", "0", time, "f"),
        ],
        "isrc": [row("1", "31", "GBAYE0601498", null, "0", time)],
        "track": [
            track(),
            track(gid: id("7"), recording: "32", position: "2", name: "Copper Wire", credit: "12", length: null),
            track(gid: id("8"), recording: "33", medium: "22", position: "0", name: "Hidden", length: null),
            track(gid: id("9"), name: "Wallpapers", isData: "t"),
        ],
        "url": [
            row("51", id("e"), "https://www.wikidata.org/wiki/Q987654", "0", time),
            row("52", id("e"), "https://www.discogs.com/artist/4711", "0", time),
            row("53", id("e"), "https://www.discogs.com/release/815", "0", time),
            row("54", id("e"), "https://example.org/foxes", "0", time),
        ],
        "l_artist_url": [
            row("1", "9", "1", "51", "0", time, "0", "", ""), row("2", "9", "1", "52", "0", time, "0", "", ""),
            row("3", "9", "1", "54", "0", time, "0", "", ""),
        ],
        "l_release_url": [row("1", "9", "6", "53", "0", time, "0", "", "")],
    ]

    /// Null, as `COPY` writes it.
    private static let null = #"\N"#

    private static func row(_ fields: String...) -> String { fields.joined(separator: "\t") }

    /// Writes the tables into a folder, which is there.
    package static func write(to folder: URL) throws {
        for (table, rows) in tables {
            try Data(rows.map { $0 + "\n" }.joined().utf8).write(to: folder.appendingPathComponent(table))
        }
    }
}
