import EarshotCore
import Foundation
import TestSupport
import Testing

@Suite("Folders of the user")
struct UserFoldersTests {
    private typealias Case = (kind: UserFolders.Kind, variable: String, standard: String)

    private static let kinds: [Case] = [
        (.data, "XDG_DATA_HOME", ".local/share"), (.configuration, "XDG_CONFIG_HOME", ".config"),
        (.cache, "XDG_CACHE_HOME", ".cache"), (.state, "XDG_STATE_HOME", ".local/state"),
    ]

    private func folders(_ environment: [String: String]) -> UserFolders {
        UserFolders(environment: environment, layout: .freedesktop)
    }

    @Test("lie below HOME unless a variable of their own names another place")
    func variables() {
        for (kind, variable, standard) in Self.kinds {
            #expect(folders(["HOME": "/home/ada"]).base(kind).path == "/home/ada/\(standard)")
            #expect(folders(["HOME": "/home/ada", variable: ""]).base(kind).path == "/home/ada/\(standard)")
            let moved = folders(["HOME": "/home/ada", variable: "/elsewhere"])
            #expect(moved.base(kind).path == "/elsewhere")
            #expect(moved.own(kind).path == "/elsewhere/earshot")
            for other in Self.kinds where other.kind != kind {
                #expect(moved.base(other.kind).path == "/home/ada/\(other.standard)")
            }
        }
    }

    @Test(
        "ignore a variable that is no absolute path, as the specification demands",
        arguments: ["data", "./data", "~"]
    )
    func relative(path: String) {
        for (kind, variable, standard) in Self.kinds {
            #expect(folders(["HOME": "/home/ada", variable: path]).base(kind).path == "/home/ada/\(standard)")
        }
        let system = folders(["HOME": "/home/ada", "XDG_DATA_DIRS": "\(path):/opt/share::/usr/share"]).systemData
        #expect(system.map(\.path) == ["/opt/share", "/usr/share"])
        #expect(folders(["XDG_DATA_DIRS": ""]).systemData.map(\.path) == ["/usr/local/share", "/usr/share"])
    }

    @Test("lie in the home of the password database when HOME names none", arguments: [nil, "", "ada"])
    func withoutHome(home: String?) {
        let found = folders(home.map { ["HOME": $0] } ?? [:]).home.path
        #expect(found == FileManager.default.homeDirectoryForCurrentUser.path)
        #expect(found.hasPrefix("/"))
    }

    @Test("are those of Apple systems in that layout, below HOME too")
    func apple() {
        let environment = ["HOME": "/Users/ada", "XDG_DATA_HOME": "/elsewhere", "XDG_CACHE_HOME": "/elsewhere"]
        let folders = UserFolders(environment: environment, layout: .apple)
        #expect(folders.own(.data).path == "/Users/ada/Library/Application Support/earshot")
        #expect(folders.own(.configuration) == folders.own(.data))
        #expect(folders.own(.state) == folders.own(.data))
        #expect(folders.own(.cache).path == "/Users/ada/Library/Caches/earshot")
    }
}
