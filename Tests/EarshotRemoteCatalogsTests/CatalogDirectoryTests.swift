import EarshotCatalogs
import EarshotClient
import EarshotCore
import EarshotRemoteCatalogs
import Foundation
import TestSupport
import Testing

@Suite("Directories of catalogs")
struct CatalogDirectoryTests {
    /// A folder with a signed catalog, one that is not signed, and what is no catalog.
    private func publish(in folder: URL, _ key: SigningKey) throws {
        try RemoteBench.catalog(1, 2).write(to: folder.appendingPathComponent("music.earcat"))
        try key.sign(folder.appendingPathComponent("music.earcat"))
        try RemoteBench.catalog(3).write(to: folder.appendingPathComponent("draft.earcat"))
        try Data("notes".utf8).write(to: folder.appendingPathComponent("notes.txt"))
    }

    @Test("A folder's catalogs are listed by name, with the key of those that are signed")
    func folder() throws {
        try withTemporaryFolder { folder in
            let key = SigningKey()
            try publish(in: folder, key)
            let directory = try CatalogDirectory(folder: folder, key: key.publicKey)
            #expect(directory.entries.map(\.file) == ["draft.earcat", "music.earcat"])
            let (draft, music) = (directory.entries[0], directory.entries[1])
            #expect(music.references == 2 && draft.references == 1)
            #expect(abs(music.duration.seconds - 24) < 0.5)
            #expect(music.size == Int64(try Data(contentsOf: folder.appendingPathComponent("music.earcat")).count))
            #expect(music.signer == key.publicKey && music.isSigned(by: key.publicKey))
            #expect(!music.isSigned(by: SigningKey().publicKey))
            #expect(draft.signature == nil && draft.signer == nil && !draft.isSigned(by: key.publicKey))
            // Another's signature is found when the list is made.
            #expect(
                code { _ = try CatalogDirectory(folder: folder, key: SigningKey().publicKey) } == .verificationFailed
            )
            #expect(try CatalogDirectory(folder: folder).entries[1].signer == nil)
            let nowhere = folder.appendingPathComponent("nowhere")
            #expect(code { _ = try CatalogDirectory(folder: nowhere) } == .assetNotFound)
        }
    }

    @Test("A directory is the same after it was written and fetched, from its folder and by its name")
    func fetched() async throws {
        try await RemoteBench.with { bench in
            let key = SigningKey()
            try publish(in: bench.folder, key)
            let directory = try CatalogDirectory(folder: bench.folder, key: key.publicKey)
            try directory.write(to: bench.folder)
            let file = try Data(contentsOf: bench.folder.appendingPathComponent("catalogs.json"))
            #expect(try CatalogDirectory(data: file) == directory)
            bench.server.publish(file, at: "/published/catalogs.json")
            for path in ["/published/", "/published", "/published/catalogs.json"] {
                let address = bench.server.url(path)
                #expect(try await CatalogDirectory.fetch(address, transport: AsyncHTTPTransport()) == directory)
                let catalog = CatalogDirectory.address(of: directory.entries[1], in: address)
                #expect(catalog.absoluteString == bench.server.url("/published/music.earcat").absoluteString)
            }
            let away = bench.server.url("/elsewhere/")
            let missing = await code { _ = try await CatalogDirectory.fetch(away, transport: AsyncHTTPTransport()) }
            #expect(missing == .downloadFailed)
        }
    }

    @Test(
        "A directory that cannot be used is refused",
        arguments: [
            "", "[]", #"{"version": 2, "catalogs": []}"#, #"{"version": 1}"#,
            CatalogDirectoryTests.line(#""file": "../music.earcat""#),
            CatalogDirectoryTests.line(#""file": "a/music.earcat""#),
            CatalogDirectoryTests.line(#""file": "music.txt""#),
            CatalogDirectoryTests.line(#""file": ".earcat""#), CatalogDirectoryTests.line(#""references": -1"#),
            CatalogDirectoryTests.line(#""seconds": 1e300"#), CatalogDirectoryTests.line(#""bytes": -1"#),
            CatalogDirectoryTests.line(#""date": "yesterday""#), CatalogDirectoryTests.line(#""sha256": "12""#),
            CatalogDirectoryTests.line(#""signer": "nobody""#),
        ]
    )
    func damaged(text: String) {
        #expect(code { _ = try CatalogDirectory(data: Data(text.utf8)) } == .verificationFailed)
    }

    @Test("A directory without catalogs is one, and members that are not known are passed over")
    func empty() throws {
        let text = #"{"version": 1, "catalogs": [], "later": true}"#
        #expect(try CatalogDirectory(data: Data(text.utf8)).entries.isEmpty)
        #expect(try CatalogDirectory(data: Data(Self.line("").utf8)).entries.count == 1)
    }

    /// A directory of one catalog, with one member of it replaced.
    static func line(_ member: String) -> String {
        let members = [
            #""file": "music.earcat""#, #""references": 1"#, #""seconds": 12"#, #""bytes": 900"#,
            #""date": "2026-05-31T12:00:00Z""#,
            #""sha256": "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855""#,
        ]
        let name = member.prefix { $0 != ":" }
        let kept = members.filter { name.isEmpty || !$0.hasPrefix(name) } + [member].filter { !$0.isEmpty }
        return #"{"version": 1, "catalogs": [{"# + kept.joined(separator: ", ") + "}]}"
    }
}
