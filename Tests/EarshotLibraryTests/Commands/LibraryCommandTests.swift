import EarshotCore
import EarshotLibrary
import EarshotMusic
import TestSupport
import Testing

@Suite("Commands")
struct LibraryCommandTests {
    @Test(
        "The forms of commands are read in any letter case",
        .requirements("R-MR-128"),
        arguments: [
            ("LINE IN", LibraryCommand.source(.lineIn)), ("line-in", .source(.lineIn)), ("LineIn", .source(.lineIn)),
            ("usb", .source(.usb)), ("Usb", .source(.usb)), ("CD", .source(.cd)), ("cd", .source(.cd)),
            ("ＦＭ", .source(.fm)), (" fm ", .source(.fm)),
            ("PLAY ALBUM MOONDANCE", .playAlbum("MOONDANCE")), ("play album Moondance", .playAlbum("Moondance")),
            ("Play Track Portions For Foxes", .playTrack("Portions For Foxes")),
            ("ｐｌａｙ　ｔｒａｃｋ　エアリスのテ-マ", .playTrack("エアリスのテ-マ")),
            ("play artist Van Morrison", .playArtist("Van Morrison")), ("PLAY  hello ", .play("hello")),
            ("play albums", .play("albums")), ("play tracks of my tears", .play("tracks of my tears")),
            ("next track", .nextTrack), ("NEXT TRACK", .nextTrack), ("Next  Track.", .nextTrack),
        ]
    )
    func forms(text: String, command: LibraryCommand) throws {
        #expect(try LibraryCommand(text) == command)
        #expect(try LibraryCommand(text.uppercased()).isSameForm(as: command))
        #expect(try LibraryCommand(text.lowercased()).isSameForm(as: command))
    }

    @Test(
        "What is no command, or names nothing, is refused with what to say",
        arguments: [
            "", " ", "play", "play album", "PLAY TRACK  ", "stop", "playalbum x", "next", "play \u{200B}", "\u{0}",
        ]
    )
    func refused(text: String) {
        #expect { try LibraryCommand(text) } throws: { error in
            let error = error as? EarshotError
            let message = error?.message ?? ""
            return error?.code == .requestInvalid && (message.contains("say") || message.contains("add the name"))
        }
    }

    @Test("A command that is too long is refused")
    func tooLong() {
        #expect(throws: EarshotError.self) { try LibraryCommand("play " + String(repeating: "a", count: 4_000)) }
    }

    @Test("Any text is read or refused, and a name is kept as it was given")
    func properties() {
        let parts = [
            "play", "PLAY", "album", "track", "next", " ", "\u{3000}", "エア", "é", "\u{301}", "line in", "\u{0}", "１",
        ]
        property("commands", rounds: 2_000) { random in
            let text = (0..<Int.random(in: 0...6, using: &random))
                .compactMap { _ in parts.randomElement(using: &random) }.joined(separator: " ")
            guard let name = (try? LibraryCommand(text))?.name else { return true }
            return !name.isEmpty && text.contains(name)
        }
    }
}

extension LibraryCommand {
    /// Whether another command is of the same form, with a name that differs in letter case only.
    fileprivate func isSameForm(as other: LibraryCommand) -> Bool {
        switch (self, other) {
        case (.playAlbum, .playAlbum), (.playTrack, .playTrack), (.playArtist, .playArtist), (.play, .play):
            name?.lowercased() == other.name?.lowercased()
        default: self == other
        }
    }
}
