// swift-tools-version: 6.2

import PackageDescription

/// The modules that an app can import, each a library of its own.
let libraries = [
    "Earshot", "EarshotCore", "EarshotDSP", "EarshotMedia", "EarshotSignatures", "EarshotMusic", "EarshotBroadcast",
    "EarshotPieces", "EarshotCatalogs", "EarshotFingerprints", "EarshotAnalysis", "EarshotClassification",
    "EarshotRecognition", "EarshotTimedContent", "EarshotSessions", "EarshotRemoteCatalogs", "EarshotMonitor",
    "EarshotStations", "EarshotAlbums", "EarshotLibrary", "EarshotSQLite", "EarshotAPI", "EarshotClient",
    "EarshotServer",
]

// Targets stand bottom-up: a target may depend only on targets above its own line.
let package = Package(
    name: "earshot",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: libraries.map { .library(name: $0, targets: [$0]) } + [
        .executable(name: "earshot", targets: ["EarshotCommand"]),
        .executable(name: "earshot-fpcalc", targets: ["FingerprintCommand"]),
    ],
    traits: [
        .default(enabledTraits: ["Library", "Service"]),
        .trait(name: "Library", description: "Music databases, collections, history: builds SQLite through GRDB."),
        .trait(
            name: "Service",
            description: "The service and its clients: builds an HTTP server and client.",
            enabledTraits: ["Library"]
        ),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-configuration", from: "1.0.2", traits: ["JSON"]),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.1.0"),
        .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.14.0"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.9.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.34.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.2"),
        .package(url: "https://github.com/apple/swift-service-context", from: "1.1.0"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.20.0"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.30.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.8.0"),
        .package(url: "https://github.com/swiftlang/swift-docc-plugin", from: "1.4.0"),
    ],
    targets: [
        // Tier 0: C libraries; time, audio buffers, errors, files.
        .systemLibrary(
            name: "CFFmpeg",
            pkgConfig: "libavdevice libavformat libavcodec libswresample libswscale libavutil",
            providers: [
                .apt([
                    "libavdevice-dev", "libavformat-dev", "libavcodec-dev", "libswresample-dev", "libswscale-dev",
                    "libavutil-dev",
                ]),
                .brew(["ffmpeg"]),
            ]
        ),
        .systemLibrary(
            name: "CChromaprint",
            pkgConfig: "libchromaprint",
            providers: [.apt(["libchromaprint-dev"]), .brew(["chromaprint"])]
        ),
        .systemLibrary(
            name: "TagLib",
            pkgConfig: "taglib",
            providers: [.apt(["libtag1-dev"]), .brew(["taglib"])]
        ),
        .systemLibrary(
            name: "CEBUR128",
            pkgConfig: "libebur128",
            providers: [.apt(["libebur128-dev"]), .brew(["libebur128"])]
        ),
        // TagLib behind C functions: its own C binding has no pictures and no free properties.
        .target(name: "CTagLib", dependencies: ["TagLib"]),
        // Where every system has it: on Apple's in the SDK.
        .systemLibrary(name: "CZlib"),
        .target(name: "EarshotCore"),

        // Tier 1: signals; files of stores; media files, devices and streams.
        .target(name: "EarshotDSP", dependencies: ["EarshotCore"]),
        .target(name: "EarshotSegments", dependencies: ["EarshotCore"]),
        .target(name: "EarshotMedia", dependencies: ["CFFmpeg", "CTagLib", "EarshotCore"]),

        // Tier 2: audio to signatures; what is known of music, of broadcasts and of musical pieces.
        .target(name: "EarshotSignatures", dependencies: ["EarshotCore", "EarshotDSP"]),
        .target(name: "EarshotMusic", dependencies: ["EarshotCore"], exclude: ["Taxonomies/Data"]),
        .target(name: "EarshotBroadcast", dependencies: ["EarshotCore", "EarshotMusic"]),
        .target(name: "EarshotPieces", dependencies: ["CZlib", "EarshotCore", .library("Crypto", "swift-crypto")]),

        // Tier 3: catalogs and matching; fingerprints of whole files; loudness, tempo, key; speech, music and silence.
        .target(
            name: "EarshotCatalogs",
            dependencies: ["EarshotCore", "EarshotDSP", "EarshotSegments", "EarshotSignatures"]
        ),
        .target(
            name: "EarshotFingerprints",
            dependencies: ["CChromaprint", "EarshotCore", "EarshotSegments", "EarshotMedia"]
        ),
        .target(
            name: "EarshotAnalysis",
            dependencies: ["CEBUR128", "EarshotCore", "EarshotDSP", "EarshotMedia", "EarshotSignatures"]
        ),
        .target(
            name: "EarshotClassification",
            dependencies: ["EarshotCore", "EarshotDSP", "EarshotSignatures"]
        ),

        // Tier 4: the recognition service as a protocol, and its form on this machine.
        .target(
            name: "EarshotRecognition",
            dependencies: ["EarshotCore", "EarshotSignatures", "EarshotMusic", "EarshotBroadcast", "EarshotCatalogs"]
        ),
        // Tier 4: content in step with audio; live matching; catalogs that are fetched, signed by their publisher.
        .target(name: "EarshotTimedContent", dependencies: ["EarshotCore", "EarshotCatalogs"]),
        .target(
            name: "EarshotSessions",
            dependencies: ["EarshotCore", "EarshotDSP", "EarshotSignatures", "EarshotCatalogs", "EarshotTimedContent"]
        ),
        .target(
            name: "EarshotRemoteCatalogs",
            dependencies: ["EarshotCore", "EarshotCatalogs", .library("Crypto", "swift-crypto")]
        ),
        // Tier 4: a second screen's monitor with bundles; stations around the clock with live references and repeats.
        .target(
            name: "EarshotMonitor",
            dependencies: [
                "EarshotCore", "EarshotSegments", "EarshotSignatures", "EarshotMusic", "EarshotBroadcast",
                "EarshotCatalogs",
                "EarshotClassification", "EarshotRecognition", .library("Crypto", "swift-crypto"),
            ]
        ),
        .target(
            name: "EarshotStations",
            dependencies: [
                "EarshotCore", "EarshotSignatures", "EarshotMusic", "EarshotBroadcast", "EarshotCatalogs",
                "EarshotClassification", "EarshotRecognition",
            ]
        ),
        // Tier 4: which file is which track of which album, tags and names; a library with commands and a play queue.
        .target(
            name: "EarshotAlbums",
            dependencies: [
                "EarshotCore", "EarshotMedia", "EarshotSignatures", "EarshotMusic", "EarshotCatalogs",
                "EarshotFingerprints", "EarshotRecognition",
            ]
        ),
        .target(
            name: "EarshotLibrary",
            dependencies: [
                "EarshotCore", "EarshotMedia", "EarshotSignatures", "EarshotMusic", "EarshotCatalogs",
                "EarshotAnalysis", "EarshotRecognition", "EarshotPieces",
            ]
        ),

        // Tier 5: stores in SQLite; what service and client say to each other.
        .target(
            name: "EarshotSQLite",
            dependencies: [
                "EarshotCore", "EarshotMusic", "EarshotBroadcast", "EarshotPieces", "EarshotFingerprints",
                "EarshotRecognition", "EarshotAlbums", "EarshotLibrary", .library("GRDB", "GRDB.swift"),
            ]
        ),
        .target(
            name: "EarshotAPI",
            dependencies: [
                "CZlib", "EarshotCore", "EarshotMusic", "EarshotBroadcast", "EarshotPieces", "EarshotRecognition",
            ]
        ),

        // Tier 6: the client of a recognition service, and the service.
        .target(
            name: "EarshotClient",
            dependencies: [
                "EarshotCore", "EarshotSignatures", "EarshotMusic", "EarshotBroadcast", "EarshotPieces",
                "EarshotRecognition", "EarshotRemoteCatalogs", "EarshotAPI", .library("Crypto", "swift-crypto"),
                .service("AsyncHTTPClient", "async-http-client"), .service("NIOCore", "swift-nio"),
                .service("NIOHTTP1", "swift-nio"), .service("NIOHTTPCompression", "swift-nio-extras"),
            ]
        ),
        .target(
            name: "EarshotServer",
            dependencies: [
                "EarshotCore", "EarshotMedia", "EarshotSignatures", "EarshotMusic", "EarshotBroadcast",
                "EarshotPieces", "EarshotCatalogs", "EarshotFingerprints", "EarshotAnalysis", "EarshotRecognition",
                "EarshotMonitor", "EarshotStations", "EarshotAlbums", "EarshotLibrary", "EarshotAPI",
                .library("Crypto", "swift-crypto"), .library("CryptoExtras", "swift-crypto"),
                .service("AsyncHTTPClient", "async-http-client"), .service("CoreMetrics", "swift-metrics"),
                .service("HTTPTypes", "swift-http-types"), .service("Hummingbird", "hummingbird"),
                .service("HummingbirdCore", "hummingbird"), .service("HummingbirdTLS", "hummingbird"),
                .service("Instrumentation", "swift-distributed-tracing"),
                .service("Logging", "swift-log"), .service("Metrics", "swift-metrics"),
                .service("NIOCore", "swift-nio"), .service("NIOHTTP1", "swift-nio"),
                .service("NIOHTTPTypes", "swift-nio-extras"), .service("NIOSSL", "swift-nio-ssl"),
                .service("ServiceContextModule", "swift-service-context"),
                .service("ServiceLifecycle", "swift-service-lifecycle"),
            ]
        ),

        // What an app imports.
        .target(
            name: "Earshot",
            dependencies: [
                "EarshotCore", "EarshotDSP", "EarshotMedia", "EarshotSignatures", "EarshotCatalogs",
                "EarshotTimedContent", "EarshotSessions",
            ]
        ),

        // Tier 7: pictures of spectrograms and waveforms; what the subcommands share; the subcommands in three groups.
        .target(
            name: "EarshotPlots",
            dependencies: [
                "EarshotCore", "EarshotDSP", "EarshotMedia", "EarshotSignatures", "EarshotCatalogs",
                "EarshotAnalysis", "Earshot",
            ]
        ),
        .target(
            name: "CommandKit",
            dependencies: [
                "EarshotCore", "EarshotSegments", "EarshotMedia", "EarshotSignatures", "EarshotCatalogs", "Earshot",
                .module("EarshotMusic", "Library"), .module("EarshotRecognition", "Library"),
                .module("EarshotSQLite", "Library"), .module("EarshotClient", "Service"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]
        ),
        .target(
            name: "RecognitionCommands",
            dependencies: [
                "EarshotCore", "EarshotMedia", "EarshotSignatures", "EarshotMusic", "EarshotCatalogs",
                "EarshotAnalysis", "Earshot", "EarshotPlots", "CommandKit", .module("EarshotRecognition", "Service"),
                .module("EarshotRemoteCatalogs", "Service"), .module("EarshotClient", "Service"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]
        ),
        .target(
            name: "LibraryCommands",
            dependencies: [
                "EarshotCore", "EarshotMedia", "EarshotMusic", "EarshotBroadcast", "EarshotCatalogs",
                "EarshotFingerprints", "EarshotAnalysis", "EarshotRecognition", "EarshotAlbums", "EarshotLibrary",
                "EarshotSQLite", "Earshot", "EarshotPlots", "CommandKit", .module("EarshotClient", "Service"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]
        ),
        .target(
            name: "ServiceCommands",
            dependencies: [
                "EarshotCore", "EarshotMedia", "EarshotMusic", "EarshotBroadcast", "EarshotPieces", "EarshotCatalogs",
                "EarshotFingerprints", "EarshotClassification", "EarshotRecognition", "EarshotMonitor",
                "EarshotStations", "EarshotAlbums", "EarshotLibrary", "EarshotSQLite", "EarshotAPI", "EarshotClient",
                "EarshotServer", "Earshot", "CommandKit", "LibraryCommands",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .service("Configuration", "swift-configuration"), .service("Logging", "swift-log"),
                .service("ServiceLifecycle", "swift-service-lifecycle"),
                .service("UnixSignals", "swift-service-lifecycle"),
            ]
        ),

        // Tier 8: the programs. The product of the first is `earshot`; the target has another name because file systems
        // that fold case would take `earshot` and `Earshot` for one. The second is a drop-in for Chromaprint's `fpcalc`.
        .executableTarget(
            name: "EarshotCommand",
            dependencies: [
                "EarshotCore", "CommandKit", "RecognitionCommands", .module("LibraryCommands", "Library"),
                .module("ServiceCommands", "Service"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]
        ),
        .executableTarget(
            name: "FingerprintCommand",
            dependencies: ["EarshotCore", "EarshotMedia", "EarshotFingerprints"]
        ),

        // Examples, built and run by the tests.
        .example("QuickStart", ["Earshot"]),
        .example("ReadSamples", ["Earshot"]),
        .example("MixSongs", ["Earshot"]),
        .example("DrawWaveform", ["EarshotCore", "EarshotMedia", "EarshotAnalysis", "EarshotLibrary"]),
        .example("ConvertFolder", ["EarshotCore", "EarshotMedia"]),
        .example("Companion", ["Earshot"]),
        .example("LessonCatalog", ["Earshot"]),
        .example("Karaoke", ["Earshot"]),
        .example("TwoDevices", ["Earshot"]),
        .example("CountTitles", ["EarshotCore", "EarshotLibrary"]),
        .example("FindMusic", ["EarshotCore", "EarshotMusic", "EarshotRecognition", "EarshotClient"]),
        .example("DrumLoop", ["EarshotCore", "EarshotMedia", "EarshotPieces", "EarshotAPI", "EarshotClient"]),
        .example(
            "VocalRecorder",
            ["EarshotCore", "EarshotMedia", "EarshotAnalysis", "EarshotPieces", "EarshotLibrary", "EarshotClient"]
        ),
        .example(
            "Recognizer",
            [
                "EarshotCore", "EarshotMedia", "EarshotSignatures", "EarshotMusic", "EarshotCatalogs",
                "EarshotRecognition", "EarshotSQLite", "EarshotClient",
            ]
        ),
        .example(
            "SecondScreen",
            [
                "EarshotCore", "EarshotMedia", "EarshotMusic", "EarshotBroadcast", "EarshotCatalogs",
                "EarshotRecognition", "EarshotMonitor", "EarshotSQLite", "EarshotClient",
            ]
        ),

        // Tests.
        .target(
            name: "TestSupport",
            dependencies: [
                "EarshotCore", "EarshotSignatures", "EarshotMusic", "EarshotBroadcast", "EarshotPieces",
                "EarshotCatalogs", "EarshotFingerprints", "EarshotClassification", "EarshotRecognition",
            ],
            path: "Tests/TestSupport"
        ),
        .tests(of: "EarshotCore", []),
        .tests(of: "EarshotDSP", ["EarshotCore"]),
        .tests(of: "EarshotSegments", ["EarshotCore"]),
        .tests(
            of: "EarshotMedia",
            [
                "CFFmpeg", "EarshotCore", "EarshotSignatures", "EarshotMusic", "EarshotCatalogs", "EarshotRecognition",
                "EarshotMonitor",
            ],
            resources: [.copy("Fixtures")]
        ),
        .tests(of: "EarshotSignatures", ["EarshotCore", "EarshotDSP"]),
        .tests(of: "EarshotMusic", ["EarshotCore"]),
        .tests(of: "EarshotBroadcast", ["EarshotCore", "EarshotMusic"]),
        .tests(of: "EarshotPieces", ["EarshotCore"]),
        .tests(of: "EarshotCatalogs", ["EarshotCore", "EarshotSegments", "EarshotSignatures"]),
        .tests(
            of: "EarshotFingerprints",
            ["EarshotCore", "EarshotSegments", "EarshotMedia", "EarshotAlbums", "FingerprintCommand"],
            resources: [.copy("Fixtures")]
        ),
        .tests(of: "EarshotAnalysis", ["EarshotCore", "EarshotLibrary"]),
        .tests(of: "EarshotClassification", ["EarshotCore"]),
        .tests(of: "EarshotRecognition", ["EarshotCore", "EarshotMusic"]),
        .tests(of: "EarshotTimedContent", ["EarshotCore", "EarshotSignatures", "EarshotCatalogs"]),
        .tests(
            of: "EarshotSessions",
            ["EarshotCore", "EarshotDSP", "EarshotSignatures", "EarshotCatalogs", "EarshotTimedContent"]
        ),
        .tests(
            of: "EarshotRemoteCatalogs",
            ["EarshotCore", "EarshotSignatures", "EarshotCatalogs", "EarshotSessions", "EarshotClient"]
        ),
        .tests(
            of: "EarshotMonitor",
            [
                "EarshotCore", "EarshotSignatures", "EarshotMusic", "EarshotBroadcast", "EarshotCatalogs",
                "EarshotRecognition",
            ]
        ),
        .tests(
            of: "EarshotStations",
            [
                "EarshotCore", "EarshotSignatures", "EarshotMusic", "EarshotBroadcast", "EarshotCatalogs",
                "EarshotClassification", "EarshotRecognition", "EarshotMonitor",
            ]
        ),
        .tests(
            of: "EarshotAlbums",
            [
                "EarshotCore", "EarshotMedia", "EarshotSignatures", "EarshotMusic", "EarshotCatalogs",
                "EarshotFingerprints", "EarshotRecognition", "EarshotSQLite",
            ]
        ),
        .tests(
            of: "EarshotLibrary",
            [
                "EarshotCore", "EarshotMedia", "EarshotSignatures", "EarshotMusic", "EarshotAnalysis", "EarshotPieces",
            ]
        ),
        .tests(
            of: "EarshotSQLite",
            [
                "EarshotCore", "EarshotMusic", "EarshotBroadcast", "EarshotPieces", "EarshotFingerprints",
                "EarshotRecognition", "EarshotLibrary", .library("GRDB", "GRDB.swift"),
            ]
        ),
        .tests(of: "EarshotAPI", ["EarshotCore"]),
        .tests(
            of: "EarshotClient",
            [
                "EarshotCore", "EarshotMedia", "EarshotSignatures", "EarshotMusic", "EarshotBroadcast", "EarshotPieces",
                "EarshotCatalogs", "EarshotRecognition", "EarshotAlbums", "EarshotSQLite", "EarshotAPI", "Recognizer",
                .library("Crypto", "swift-crypto"), .service("NIOCore", "swift-nio"), .service("NIOHTTP1", "swift-nio"),
                .service("NIOPosix", "swift-nio"),
            ]
        ),
        .tests(
            of: "EarshotServer",
            [
                "EarshotCore", "EarshotMedia", "EarshotSignatures", "EarshotMusic", "EarshotBroadcast", "EarshotPieces",
                "EarshotCatalogs", "EarshotFingerprints", "EarshotAnalysis", "EarshotRecognition", "EarshotMonitor",
                "EarshotStations", "EarshotAlbums", "EarshotLibrary", "EarshotSQLite", "EarshotAPI", "EarshotClient",
                .library("Crypto", "swift-crypto"), .service("AsyncHTTPClient", "async-http-client"),
                .service("CoreMetrics", "swift-metrics"), .service("HTTPTypes", "swift-http-types"),
                .service("HummingbirdCore", "hummingbird"), .service("Instrumentation", "swift-distributed-tracing"),
                .service("Logging", "swift-log"), .service("NIOCore", "swift-nio"), .service("NIOHTTP1", "swift-nio"),
                .service("ServiceContextModule", "swift-service-context"),
            ]
        ),
        // Command, service, client and examples together, over loopback.
        .testTarget(
            name: "EndToEndTests",
            dependencies: [
                "EarshotCore", "EarshotMedia", "EarshotSignatures", "EarshotMusic", "EarshotBroadcast", "EarshotPieces",
                "EarshotCatalogs", "EarshotAnalysis", "EarshotRecognition", "EarshotMonitor", "EarshotStations",
                "EarshotLibrary", "EarshotSQLite", "EarshotAPI", "EarshotClient", "Earshot", "EarshotPlots",
                "CommandKit", "RecognitionCommands", "LibraryCommands", "ServiceCommands", "EarshotCommand",
                "QuickStart", "ReadSamples", "MixSongs", "DrawWaveform", "ConvertFolder", "Companion", "LessonCatalog",
                "Karaoke", "TwoDevices", "CountTitles", "FindMusic", "DrumLoop", "VocalRecorder", "SecondScreen",
                "TestSupport", .library("Crypto", "swift-crypto"),
            ]
        ),
    ],
    swiftLanguageModes: [.v6],
    cxxLanguageStandard: .cxx17
)

extension Target.Dependency {
    /// A module of this package that only a trait brings.
    static func module(_ name: String, _ trait: String) -> Self {
        .target(name: name, condition: .when(traits: [trait]))
    }
    /// A product that the trait `Library` brings.
    static func library(_ name: String, _ package: String) -> Self {
        .product(name: name, package: package, condition: .when(traits: ["Library"]))
    }
    /// A product that the trait `Service` brings.
    static func service(_ name: String, _ package: String) -> Self {
        .product(name: name, package: package, condition: .when(traits: ["Service"]))
    }
}

extension Target {
    static func example(_ name: String, _ dependencies: [Dependency]) -> Target {
        .executableTarget(name: name, dependencies: dependencies, path: "Examples/\(name)")
    }
    /// The tests of a module, which they import.
    static func tests(of module: String, _ dependencies: [Dependency], resources: [Resource]? = nil) -> Target {
        let all = dependencies + [.byName(name: module), "TestSupport"]
        return .testTarget(name: "\(module)Tests", dependencies: all, resources: resources)
    }
}

// SwiftUI is there on Apple platforms only.
#if os(macOS)
    package.targets.append(
        .executableTarget(name: "CompanionApp", dependencies: ["Earshot"], path: "Examples/SwiftUI")
    )
#endif

// One set of rules for every Swift target.
for target in package.targets where target.type != .system && target.type != .plugin {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("InferIsolatedConformances"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
        .treatAllWarnings(as: .error),
    ]
}
