import Foundation
import TestSupport
import Testing

@Suite("earshot: the user's own catalog")
struct OwnCatalogTests {
    private let earshot = Workshop.earshot

    @Test("makes and searches a catalog without an option that names one")
    func withoutOptions() async throws {
        let workshop = try await Workshop.shared()
        try await withTemporaryFolder { folder in
            let environment = userEnvironment(home: folder).merging(["EARSHOT_CATALOG": "", "EARSHOT_SERVER": ""]) {
                $1
            }
            let none = try await earshot.run(["identify", workshop.clip.path], environment: environment)
            #expect(none.status == 1)
            #expect(none.errors.contains("earshot catalog create FOLDER"), "\(none.errors)")

            let made = try await earshot.run(["catalog", "create", workshop.music.path], environment: environment)
            #expect(made.status == 0, "\(made.errors)")
            #expect(made.output.contains("catalog.earstore: 2 references"), "\(made.output)")
            for command in [["identify"], ["tracklist"], ["listen", "--fast", "--file"]] {
                let found = try await earshot.run(command + [workshop.clip.path], environment: environment)
                #expect(found.status == 0, "\(command): \(found.errors)")
            }
            let again = try await earshot.run(["catalog", "create", workshop.music.path], environment: environment)
            #expect(again.status == 4)
        }
    }

    @Test("EARSHOT_CATALOG names the catalog to make and to search")
    func variable() async throws {
        let workshop = try await Workshop.shared()
        try await withTemporaryFolder { folder in
            let catalog = folder.appendingPathComponent("mine/own.earcat").path
            let environment = userEnvironment(home: folder).merging(["EARSHOT_CATALOG": catalog, "EARSHOT_SERVER": ""])
            { $1 }
            let made = try await earshot.run(["catalog", "create", workshop.music.path], environment: environment)
            #expect(made.status == 0, "\(made.errors)")
            #expect(FileManager.default.fileExists(atPath: catalog))
            let found = try await earshot.run(["identify", workshop.clip.path], environment: environment)
            #expect(found.status == 0, "\(found.errors)")
            let foreign = try await earshot.run(["identify", workshop.foreign.path], environment: environment)
            #expect(foreign.status == 3)
        }
    }
}
