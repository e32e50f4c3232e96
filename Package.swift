// swift-tools-version: 6.2

import PackageDescription

// Targets stand bottom-up: a target may depend only on targets above its own line.
let package = Package(
    name: "earshot",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .library(name: "Earshot", targets: ["Earshot"]),
        .library(name: "EarshotCore", targets: ["EarshotCore"]),
        .library(name: "EarshotMedia", targets: ["EarshotMedia"]),
        .library(name: "EarshotSignatures", targets: ["EarshotSignatures"]),
        .library(name: "EarshotMetadata", targets: ["EarshotMetadata"]),
        .library(name: "EarshotCatalogs", targets: ["EarshotCatalogs"]),
        .library(name: "EarshotSessions", targets: ["EarshotSessions"]),
        .library(name: "EarshotMonitor", targets: ["EarshotMonitor"]),
        .library(name: "EarshotAlbums", targets: ["EarshotAlbums"]),
        .library(name: "EarshotLibrary", targets: ["EarshotLibrary"]),
        .library(name: "EarshotPieces", targets: ["EarshotPieces"]),
        .library(name: "EarshotSQLite", targets: ["EarshotSQLite"]),
        .library(name: "EarshotAPI", targets: ["EarshotAPI"]),
        .library(name: "EarshotClient", targets: ["EarshotClient"]),
        .library(name: "EarshotServer", targets: ["EarshotServer"]),
        .executable(name: "earshot", targets: ["EarshotCommand"]),
        .executable(name: "earshot-fpcalc", targets: ["FingerprintCommand"]),
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
        .package(url: "https://github.com/vapor/jwt-kit", from: "5.2.0"),
    ],
    targets: [
        // Layer 0: C libraries, time, audio buffers, errors.
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

        // Layer 1: reading media; audio to signatures; what is known of music.
        .target(
            name: "EarshotMedia",
            dependencies: [
                "CFFmpeg", "CTagLib", "EarshotCore",
                .product(name: "Crypto", package: "swift-crypto"),
            ]
        ),
        .target(name: "EarshotSignatures", dependencies: ["EarshotCore"]),
        .target(name: "EarshotMetadata", dependencies: ["EarshotCore"], exclude: ["Taxonomies/Data"]),

        // Layer 2: catalogs and matching; what a recognition service answers.
        .target(name: "EarshotCatalogs", dependencies: ["EarshotCore", "EarshotSignatures", "EarshotMetadata"]),

        // Layer 3: live matching, prediction, timed content, catalogs over a network.
        .target(
            name: "EarshotSessions",
            dependencies: [
                "EarshotCore", "EarshotSignatures", "EarshotCatalogs",
                .product(name: "Crypto", package: "swift-crypto"),
            ]
        ),

        // Layer 3: continuous recognition: what is on, from when to when.
        .target(
            name: "EarshotMonitor",
            dependencies: [
                "EarshotCore", "EarshotSignatures", "EarshotMetadata", "EarshotCatalogs",
                .product(name: "Crypto", package: "swift-crypto"),
            ]
        ),

        // Layer 3: collections: which file is which track of which album; fingerprints of whole files; writing of tags and names.
        .target(
            name: "EarshotAlbums",
            dependencies: [
                "CChromaprint", "EarshotCore", "EarshotMedia", "EarshotMetadata", "EarshotSignatures",
                "EarshotCatalogs",
            ]
        ),

        // Layer 3: musical pieces that are shared between apps: what may be said of one, keys and their names, the package format.
        .target(
            name: "EarshotPieces",
            dependencies: [
                "CZlib", "EarshotCore",
                .product(name: "Crypto", package: "swift-crypto"),
            ]
        ),

        // Layer 3: a library of music: sources, typed commands, the play queue, analysis in the background.
        .target(
            name: "EarshotLibrary",
            dependencies: [
                "CEBUR128", "EarshotCore", "EarshotMedia", "EarshotSignatures", "EarshotMetadata", "EarshotCatalogs",
                "EarshotPieces",
            ]
        ),

        // Layer 4: stores in SQLite.
        .target(
            name: "EarshotSQLite",
            dependencies: [
                "EarshotCore", "EarshotMetadata", "EarshotCatalogs", "EarshotAlbums", "EarshotLibrary", "EarshotPieces",
                .product(name: "GRDB", package: "GRDB.swift"),
            ]
        ),

        // Layer 4: what service and client say to each other.
        .target(
            name: "EarshotAPI",
            dependencies: [
                "CZlib", "EarshotCore", "EarshotSignatures", "EarshotMetadata", "EarshotCatalogs", "EarshotPieces",
            ]
        ),

        // Layer 5: the client of a recognition service, and the service.
        .target(
            name: "EarshotClient",
            dependencies: [
                "EarshotCore", "EarshotSignatures", "EarshotMetadata", "EarshotCatalogs", "EarshotPieces", "EarshotAPI",
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOHTTPCompression", package: "swift-nio-extras"),
            ]
        ),
        .target(
            name: "EarshotServer",
            dependencies: [
                "EarshotCore", "EarshotMedia", "EarshotSignatures", "EarshotMetadata", "EarshotCatalogs",
                "EarshotMonitor", "EarshotAlbums", "EarshotLibrary", "EarshotPieces", "EarshotAPI",
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "CoreMetrics", package: "swift-metrics"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdCore", package: "hummingbird"),
                .product(name: "HummingbirdTLS", package: "hummingbird"),
                .product(name: "Instrumentation", package: "swift-distributed-tracing"),
                .product(name: "JWTKit", package: "jwt-kit"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Metrics", package: "swift-metrics"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "ServiceContextModule", package: "swift-service-context"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ]
        ),

        // What an app imports.
        .target(
            name: "Earshot",
            dependencies: ["EarshotCore", "EarshotMedia", "EarshotSignatures", "EarshotCatalogs", "EarshotSessions"]
        ),

        // The command. Its product is `earshot`; the target has another name because file systems that fold case
        // would take `earshot` and `Earshot` for one.
        .executableTarget(
            name: "EarshotCommand",
            dependencies: [
                "EarshotCore", "EarshotMedia", "EarshotSignatures", "EarshotMetadata", "EarshotCatalogs",
                "EarshotSessions", "EarshotMonitor", "EarshotAlbums", "EarshotLibrary", "EarshotPieces",
                "EarshotSQLite", "EarshotAPI", "EarshotClient", "EarshotServer",
                "Earshot",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Configuration", package: "swift-configuration"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ]
        ),

        // A drop-in for Chromaprint's `fpcalc`: the product is `earshot-fpcalc`.
        .executableTarget(name: "FingerprintCommand", dependencies: ["EarshotCore", "EarshotMedia", "EarshotAlbums"]),

        // Examples, built and run by the tests.
        .executableTarget(name: "QuickStart", dependencies: ["Earshot"], path: "Examples/QuickStart"),
        .executableTarget(name: "ReadSamples", dependencies: ["Earshot"], path: "Examples/ReadSamples"),
        .executableTarget(name: "MixSongs", dependencies: ["Earshot"], path: "Examples/MixSongs"),
        .executableTarget(
            name: "DrawWaveform",
            dependencies: ["EarshotCore", "EarshotMedia", "EarshotLibrary"],
            path: "Examples/DrawWaveform"
        ),
        .executableTarget(
            name: "ConvertFolder",
            dependencies: ["EarshotCore", "EarshotMedia"],
            path: "Examples/ConvertFolder"
        ),
        .executableTarget(name: "Companion", dependencies: ["Earshot"], path: "Examples/Companion"),
        .executableTarget(name: "LessonCatalog", dependencies: ["Earshot"], path: "Examples/LessonCatalog"),
        .executableTarget(name: "Karaoke", dependencies: ["Earshot"], path: "Examples/Karaoke"),
        .executableTarget(name: "TwoDevices", dependencies: ["Earshot"], path: "Examples/TwoDevices"),
        .executableTarget(
            name: "CountTitles",
            dependencies: ["EarshotCore", "EarshotLibrary"],
            path: "Examples/CountTitles"
        ),
        .executableTarget(
            name: "FindMusic",
            dependencies: ["EarshotCore", "EarshotMetadata", "EarshotClient"],
            path: "Examples/FindMusic"
        ),
        .executableTarget(
            name: "DrumLoop",
            dependencies: ["EarshotCore", "EarshotMedia", "EarshotPieces", "EarshotAPI", "EarshotClient"],
            path: "Examples/DrumLoop"
        ),
        .executableTarget(
            name: "VocalRecorder",
            dependencies: ["EarshotCore", "EarshotMedia", "EarshotPieces", "EarshotLibrary", "EarshotClient"],
            path: "Examples/VocalRecorder"
        ),
        .executableTarget(
            name: "Recogniser",
            dependencies: [
                "EarshotCore", "EarshotMedia", "EarshotSignatures", "EarshotMetadata", "EarshotCatalogs",
                "EarshotSQLite", "EarshotClient",
            ],
            path: "Examples/Recogniser"
        ),
        .executableTarget(
            name: "SecondScreen",
            dependencies: [
                "EarshotCore", "EarshotMedia", "EarshotMetadata", "EarshotCatalogs", "EarshotMonitor", "EarshotSQLite",
                "EarshotClient",
            ],
            path: "Examples/SecondScreen"
        ),

        // Tests.
        .target(
            name: "TestSupport",
            dependencies: ["EarshotCore", "EarshotSignatures", "EarshotMetadata", "EarshotCatalogs", "EarshotPieces"],
            path: "Tests/TestSupport"
        ),
        .testTarget(name: "EarshotCoreTests", dependencies: ["EarshotCore", "TestSupport"]),
        .testTarget(
            name: "EarshotMediaTests",
            dependencies: [
                "EarshotCore", "EarshotMedia", "EarshotSignatures", "EarshotMetadata", "EarshotCatalogs",
                "EarshotMonitor",
                "TestSupport",
            ],
            resources: [.copy("Fixtures")]
        ),
        .testTarget(name: "EarshotSignaturesTests", dependencies: ["EarshotCore", "EarshotSignatures", "TestSupport"]),
        .testTarget(name: "EarshotMetadataTests", dependencies: ["EarshotCore", "EarshotMetadata", "TestSupport"]),
        .testTarget(
            name: "EarshotCatalogsTests",
            dependencies: ["EarshotCore", "EarshotSignatures", "EarshotCatalogs", "TestSupport"]
        ),
        .testTarget(
            name: "EarshotSessionsTests",
            dependencies: ["EarshotCore", "EarshotSignatures", "EarshotCatalogs", "EarshotSessions", "TestSupport"]
        ),
        .testTarget(
            name: "EarshotMonitorTests",
            dependencies: [
                "EarshotCore", "EarshotSignatures", "EarshotMetadata", "EarshotCatalogs", "EarshotMonitor",
                "TestSupport",
            ]
        ),
        .testTarget(
            name: "EarshotAlbumsTests",
            dependencies: [
                "EarshotCore", "EarshotMedia", "EarshotSignatures", "EarshotMetadata", "EarshotCatalogs",
                "EarshotAlbums",
                "EarshotSQLite", "FingerprintCommand", "TestSupport",
            ],
            resources: [.copy("Fixtures")]
        ),
        .testTarget(name: "EarshotPiecesTests", dependencies: ["EarshotCore", "EarshotPieces", "TestSupport"]),
        .testTarget(
            name: "EarshotLibraryTests",
            dependencies: [
                "EarshotCore", "EarshotMedia", "EarshotSignatures", "EarshotMetadata", "EarshotPieces",
                "EarshotLibrary", "TestSupport",
            ]
        ),
        .testTarget(
            name: "EarshotSQLiteTests",
            dependencies: [
                "EarshotCore", "EarshotMetadata", "EarshotCatalogs", "EarshotAlbums", "EarshotLibrary", "EarshotPieces",
                "EarshotSQLite", "TestSupport",
                .product(name: "GRDB", package: "GRDB.swift"),
            ]
        ),
        .testTarget(
            name: "EarshotClientTests",
            dependencies: [
                "EarshotCore", "EarshotMedia", "EarshotSignatures", "EarshotMetadata", "EarshotCatalogs",
                "EarshotAlbums", "EarshotPieces", "EarshotSQLite", "EarshotAPI", "EarshotClient", "Recogniser",
                "TestSupport",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ]
        ),
        .testTarget(
            name: "EarshotAPITests",
            dependencies: ["EarshotCore", "EarshotMetadata", "EarshotPieces", "EarshotAPI", "TestSupport"]
        ),
        .testTarget(
            name: "EarshotServerTests",
            dependencies: [
                "EarshotCore", "EarshotMedia", "EarshotSignatures", "EarshotMetadata", "EarshotCatalogs",
                "EarshotMonitor", "EarshotAlbums", "EarshotLibrary", "EarshotPieces", "EarshotSQLite", "EarshotAPI",
                "EarshotClient", "EarshotServer", "TestSupport",
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "CoreMetrics", package: "swift-metrics"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "HummingbirdCore", package: "hummingbird"),
                .product(name: "Instrumentation", package: "swift-distributed-tracing"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "ServiceContextModule", package: "swift-service-context"),
            ]
        ),
        .testTarget(
            name: "EndToEndTests",
            dependencies: [
                "Earshot", "EarshotCore", "EarshotMedia", "EarshotSignatures", "EarshotCatalogs", "EarshotMetadata",
                "EarshotMonitor", "EarshotLibrary", "EarshotPieces", "EarshotSQLite", "EarshotAPI", "EarshotClient",
                "EarshotCommand", "QuickStart", "ReadSamples", "MixSongs", "DrawWaveform", "ConvertFolder", "Companion",
                "LessonCatalog", "Karaoke", "TwoDevices", "CountTitles", "FindMusic", "SecondScreen", "DrumLoop",
                "VocalRecorder", "TestSupport",
                .product(name: "Crypto", package: "swift-crypto"),
            ]
        ),
    ],
    swiftLanguageModes: [.v6],
    cxxLanguageStandard: .cxx17
)

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
