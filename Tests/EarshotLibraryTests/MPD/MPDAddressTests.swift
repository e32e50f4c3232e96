import EarshotCore
import EarshotLibrary
import Testing

@Suite("Addresses of Music Player Daemons")
struct MPDAddressTests {
    @Test(
        "hosts, ports and sockets",
        arguments: [
            ("mpd://localhost", .host("localhost", port: 6_600), nil),
            ("MPD://a.example:6601/", .host("a.example", port: 6_601), nil),
            ("mpd://[::1]:6600", .host("::1", port: 6_600), nil), ("mpd://[::1]", .host("::1", port: 6_600), nil),
            ("mpd://s%40cret@a:1", .host("a", port: 1), "s@cret"), ("mpd://p@ss@a", .host("a", port: 6_600), "p@ss"),
            ("mpd:///run/mpd/socket", .socket(path: "/run/mpd/socket"), nil),
            ("/run/a b", .socket(path: "/run/a b"), nil),
            ("mpd://word@/run/mpd/socket", .socket(path: "/run/mpd/socket"), "word"),
        ] as [(String, MPDAddress.Place, String?)]
    )
    func places(text: String, place: MPDAddress.Place, password: String?) throws {
        let address = try MPDAddress(text)
        #expect(address.place == place)
        #expect(address.password == password)
        #expect(try MPDAddress(address.description).place == place)
    }

    @Test("a message does not tell the password")
    func secret() throws {
        #expect(try MPDAddress("mpd://secret@localhost").description == "mpd://localhost:6600")
        let error = #expect(throws: EarshotError.self) { try MPDAddress("mpd://secret@localhost:0") }
        #expect(error?.message.contains("secret") == false)
    }

    @Test(
        "what is no address is refused",
        arguments: [
            "", "localhost", "http://a", "mpd://", "mpd:///", "/", "mpd://a:0", "mpd://a:65536", "mpd://a:x",
            "mpd://:6600", "mpd://a/b",
            "mpd://a\nclear", "mpd://[::1", "mpd://[::1]x", "mpd://%0A@a", "/" + String(repeating: "x", count: 200),
            "mpd://" + String(repeating: "x", count: 2_000),
        ]
    )
    func refused(text: String) {
        let error = #expect(throws: EarshotError.self) { try MPDAddress(text) }
        #expect(error?.code == .requestInvalid)
    }
}
