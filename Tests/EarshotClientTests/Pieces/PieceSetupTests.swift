import EarshotAPI
import EarshotCore
import EarshotPieces
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import EarshotClient

@Suite("Setting up pieces")
struct PieceSetupTests {
    private struct Manifest: AppManifest {
        var schemes = ["piece-sketcher"]
        var missingPermissionTexts: [AppPermission] = []
        func opens(scheme: String) -> Bool { schemes.contains(scheme) }
    }

    private static let address = URL(string: "http://127.0.0.1:9")!

    private static func configuration(
        application: String? = "sketcher",
        key: String? = PieceServiceDouble.key,
        service: URL = address,
        manifest: any AppManifest = Manifest()
    ) -> PieceClient.Configuration {
        var configuration = PieceClient.Configuration(
            applicationIdentifier: application,
            apiKey: key,
            service: service
        )
        configuration.manifest = manifest
        return configuration
    }

    @Test("Two settings are enough, and all four reach the client", .requirements("R-PC-001", "R-PC-004"))
    func settings() throws {
        let least = try PieceClient(Self.configuration())
        #expect(least.scheme.name == "piece-sketcher")
        #expect(least.configuration.receiver == nil && least.configuration.sharingIdentifier == nil)
        let receiver = TestReceiver()
        var configuration = PieceClient.Configuration(
            applicationIdentifier: "Sketcher",
            apiKey: PieceServiceDouble.key,
            service: Self.address,
            receiver: receiver,
            sharingIdentifier: "4711"
        )
        configuration.manifest = Manifest()
        let client = try PieceClient(configuration)
        #expect(client.scheme.application == "sketcher")
        #expect(client.configuration.apiKey == PieceServiceDouble.key)
        #expect(client.configuration.receiver === receiver)
        #expect(client.configuration.sharingIdentifier == "4711")
        #expect(client.configuration.providerLimit == MediaTime(value: 120, timescale: 1))
    }

    @Test(
        "A setting that is missing, or cannot be, is named",
        .requirements("R-PC-002", "R-PC-006"),
        arguments: [
            (nil, PieceServiceDouble.key, "applicationIdentifier"),
            (" ", PieceServiceDouble.key, "applicationIdentifier"),
            ("sketcher", nil, "apiKey"), ("sketcher", "", "apiKey"), ("sketcher", "no key", "apiKey"),
            ("my app", PieceServiceDouble.key, "my app"),
        ] as [(String?, String?, String)]
    )
    func missing(application: String?, key: String?, named: String) {
        let error = #expect(throws: EarshotError.self) {
            try PieceClient(Self.configuration(application: application, key: key))
        }
        #expect(error?.code == .setupInvalid)
        #expect(error?.message.contains(named) == true)
        #expect(error?.description.contains("no key") == false)
    }

    @Test("An address of a service that is none is refused")
    func address() throws {
        for text in ["ftp://music.example", "music.example", "http://"] {
            let url = try #require(URL(string: text))
            let error = #expect(throws: EarshotError.self) { try PieceClient(Self.configuration(service: url)) }
            #expect(error?.code == .setupInvalid, "\(text)")
        }
    }

    @Test("A scheme that is not registered is refused", .requirements("R-PC-003"))
    func scheme() {
        for schemes in [[], ["piece-other"], ["sketcher"]] {
            let error = #expect(throws: EarshotError.self) {
                try PieceClient(Self.configuration(manifest: Manifest(schemes: schemes)))
            }
            #expect(error?.code == .setupInvalid)
            #expect(error?.message.contains("piece-sketcher") == true)
        }
    }

    @Test("Missing texts of rights hide the editing of covers, with one warning", .requirements("R-PC-007"))
    func permissions() throws {
        #expect(try PieceClient(Self.configuration()).canEditCover)
        for missing in [[.camera], [.photoLibrary], [.camera, .photoLibrary]] as [[AppPermission]] {
            let lines = Mutex<[String]>([])
            var configuration = Self.configuration(manifest: Manifest(missingPermissionTexts: missing))
            configuration.log = { line in lines.withLock { $0.append(line) } }
            #expect(try PieceClient(configuration).canEditCover == false)
            let told = lines.withLock { $0 }
            #expect(told.count == 1)
            for permission in missing { #expect(told.first?.contains(permission.rawValue) == true) }
        }
    }

    @Test("Nothing works before the set-up", .requirements("R-PC-005"))
    func order() async throws {
        PieceClient.tearDown()
        let draft = try PieceSamples.draft()
        let error = await #expect(throws: EarshotError.self) {
            try await PieceClient.default.drop(draft, TestProviders())
        }
        #expect(error?.code == .notConfigured)
        #expect(throws: EarshotError.self) { try PieceClient.setUp(Self.configuration(application: nil)) }
        #expect(throws: EarshotError.self) { _ = try PieceClient.default }
        let client = try PieceClient.setUp(Self.configuration())
        #expect(try PieceClient.default === client)
        PieceClient.tearDown()
    }

    @Test("Clients beside each other have their own addresses", .requirements("R-PC-008"))
    func several() async throws {
        try await PieceServiceDouble.with { service in
            let receivers = [TestReceiver(), TestReceiver()]
            var clients: [PieceClient] = []
            for (name, receiver) in zip(["sketcher", "singer"], receivers) {
                clients.append(
                    try await PieceSamples.client(service) { configuration in
                        configuration.applicationIdentifier = name
                        configuration.receiver = receiver
                    }
                )
            }
            let piece = service.publish(try PieceSamples.draft(), parts: [])
            for (index, client) in clients.enumerated() {
                let own = try #require(client.scheme.address(opening: piece.id))
                #expect(clients.map { $0.handle(own) } == [index == 0, index == 1])
                #expect(try await receivers[index].next()?.get().id == piece.id)
            }
            // The identifier is written into the store by its own name.
            try await clients[0].logOut()
            #expect(try await clients[0].account() == nil)
            #expect(try await clients[1].account() != nil)
        }
    }

    // MARK: - Manifests

    @Test("The entries of an app are read", .requirements("R-PC-003", "R-PC-007"))
    func info() throws {
        let text = """
            <?xml version="1.0" encoding="UTF-8"?><plist version="1.0"><dict>
            <key>CFBundleURLTypes</key><array><dict><key>CFBundleURLSchemes</key>
            <array><string>other</string><string>Piece-Sketcher</string></array></dict></array>
            <key>NSCameraUsageDescription</key><string>For covers.</string>
            <key>NSPhotoLibraryUsageDescription</key><string> </string></dict></plist>
            """
        let manifest = try #require(InfoManifest(data: Data(text.utf8)))
        #expect(manifest.opens(scheme: "piece-sketcher") && !manifest.opens(scheme: "piece-other"))
        #expect(manifest.missingPermissionTexts == [.photoLibrary])
        #expect(InfoManifest(data: Data("no list".utf8)) == nil)
        let empty = InfoManifest(["CFBundleURLTypes": "nonsense", "NSCameraUsageDescription": 1])
        #expect(!empty.opens(scheme: "piece-sketcher") && empty.missingPermissionTexts == AppPermission.allCases)
    }

    @Test("The entries of a desktop are read, a user's own before those of the system", .requirements("R-PC-003"))
    func desktop() throws {
        try withTemporaryFolder { folder in
            func write(_ path: String, _ text: String) throws {
                let file = folder.appendingPathComponent(path)
                try FileManager.default.createDirectory(
                    at: file.deletingLastPathComponent(),
                    withIntermediateDirectories: true
                )
                try Data(text.utf8).write(to: file)
            }
            let entry = "[Desktop Entry]\nName=S\nMimeType = text/plain;x-scheme-handler/piece-sketcher;\n"
            let manifest = DesktopManifest(environment: [
                "XDG_DATA_HOME": folder.appendingPathComponent("own").path,
                "XDG_DATA_DIRS": folder.appendingPathComponent("all").path,
            ])
            #expect(!manifest.opens(scheme: "piece-sketcher"))
            try write("all/applications/sub/sketcher.desktop", entry)
            #expect(manifest.opens(scheme: "piece-sketcher") && !manifest.opens(scheme: "piece-sketch"))
            try write("own/applications/sub-sketcher.desktop", entry + "Hidden=true\n")
            #expect(!manifest.opens(scheme: "piece-sketcher"))
            try write("own/applications/sub-sketcher.desktop", "[Other]\n" + entry.dropFirst(16))
            #expect(!manifest.opens(scheme: "piece-sketcher"))
            try write("own/applications/sub-sketcher.desktop", entry)
            #expect(manifest.opens(scheme: "piece-sketcher"))
            // A path that is not absolute is ignored: the entries below HOME count.
            let home = ["HOME": folder.path, "XDG_DATA_HOME": "own", "XDG_DATA_DIRS": "all"]
            #expect(!DesktopManifest(environment: home).opens(scheme: "piece-sketcher"))
            try write(".local/share/applications/sketcher.desktop", entry)
            #expect(DesktopManifest(environment: home).opens(scheme: "piece-sketcher"))
            #expect(DesktopManifest(environment: ["XDG_DATA_DIRS": ""]).opens(scheme: "piece-none-such") == false)
            #expect(manifest.missingPermissionTexts.isEmpty)
        }
    }
}
