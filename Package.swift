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
        .library(name: "EarshotRecognition", targets: ["EarshotRecognition"]),
        .library(name: "EarshotRemoteCatalogs", targets: ["EarshotRemoteCatalogs"]),
        .library(name: "EarshotAnalysis", targets: ["EarshotAnalysis"]),
        .library(name: "EarshotLibrary", targets: ["EarshotLibrary"]),
        .library(name: "EarshotPieces", targets: ["EarshotPieces"]),
        .library(name: "EarshotSQLite", targets: ["EarshotSQLite"]),
        .library(name: "EarshotAPI", targets: ["EarshotAPI"]),
        .library(name: "EarshotClient", targets: ["EarshotClient"]),
        .library(name: "EarshotServer", targets: ["EarshotServer"]),
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
            dependencies: ["CFFmpeg", "CTagLib", "EarshotCore"]
        ),
        .target(name: "EarshotSignatures", dependencies: ["EarshotCore"]),
        .target(name: "EarshotMetadata", dependencies: ["EarshotCore"], exclude: ["Taxonomies/Data"]),

        // Layer 2: catalogs and matching; what a recognition service answers.
        .target(name: "EarshotCatalogs", dependencies: ["EarshotCore", "EarshotSignatures", "EarshotMetadata"]),

        // Layer 3: live matching, prediction, timed content.
        .target(name: "EarshotSessions", dependencies: ["EarshotCore", "EarshotSignatures", "EarshotCatalogs"]),

        // Layer 3: catalogs that are fetched over a network, signed by their publisher.
        .target(
            name: "EarshotRemoteCatalogs",
            dependencies: [
                "EarshotCore", "EarshotCatalogs",
                .product(name: "Crypto", package: "swift-crypto", condition: .when(traits: ["Library"])),
            ]
        ),

        // Layer 3: the recognition service as a protocol, and its form on this machine.
        .target(
            name: "EarshotRecognition",
            dependencies: ["EarshotCore", "EarshotSignatures", "EarshotMetadata", "EarshotCatalogs"]
        ),

        // Layer 3: loudness, tempo, key, waveform.
        .target(
            name: "EarshotAnalysis",
            dependencies: ["CEBUR128", "EarshotCore", "EarshotMedia", "EarshotSignatures"]
        ),

        // Layer 3: continuous recognition: what is on, from when to when.
        .target(
            name: "EarshotMonitor",
            dependencies: [
                "EarshotCore", "EarshotSignatures", "EarshotMetadata", "EarshotCatalogs", "EarshotRecognition",
                .product(name: "Crypto", package: "swift-crypto", condition: .when(traits: ["Library"])),
            ]
        ),

        // Layer 3: collections: which file is which track of which album; fingerprints of whole files; writing of tags and names.
        .target(
            name: "EarshotAlbums",
            dependencies: [
                "CChromaprint", "EarshotCore", "EarshotMedia", "EarshotMetadata", "EarshotSignatures",
                "EarshotCatalogs", "EarshotRecognition",
            ]
        ),

        // Layer 3: musical pieces that are shared between apps: what may be said of one, keys and their names, the package format.
        .target(
            name: "EarshotPieces",
            dependencies: [
                "CZlib", "EarshotCore",
                .product(name: "Crypto", package: "swift-crypto", condition: .when(traits: ["Library"])),
            ]
        ),

        // Layer 3: a library of music: sources, typed commands, the play queue, analysis in the background.
        .target(
            name: "EarshotLibrary",
            dependencies: [
                "EarshotCore", "EarshotMedia", "EarshotSignatures", "EarshotMetadata", "EarshotCatalogs",
                "EarshotRecognition", "EarshotAnalysis", "EarshotPieces",
            ]
        ),

        // Layer 4: stores in SQLite.
        .target(
            name: "EarshotSQLite",
            dependencies: [
                "EarshotCore", "EarshotMetadata", "EarshotRecognition", "EarshotAlbums", "EarshotPieces",
                "EarshotLibrary", .product(name: "GRDB", package: "GRDB.swift", condition: .when(traits: ["Library"])),
            ]
        ),

        // Layer 4: what service and client say to each other.
        .target(
            name: "EarshotAPI",
            dependencies: ["CZlib", "EarshotCore", "EarshotMetadata", "EarshotRecognition", "EarshotPieces"]
        ),

        // Layer 5: the client of a recognition service, and the service.
        .target(
            name: "EarshotClient",
            dependencies: [
                "EarshotCore", "EarshotSignatures", "EarshotMetadata", "EarshotRecognition", "EarshotPieces",
                "EarshotAPI",
                .product(name: "AsyncHTTPClient", package: "async-http-client", condition: .when(traits: ["Service"])),
                .product(name: "Crypto", package: "swift-crypto", condition: .when(traits: ["Library"])),
                .product(name: "NIOCore", package: "swift-nio", condition: .when(traits: ["Service"])),
                .product(name: "NIOHTTP1", package: "swift-nio", condition: .when(traits: ["Service"])),
                .product(
                    name: "NIOHTTPCompression",
                    package: "swift-nio-extras",
                    condition: .when(traits: ["Service"])
                ),
            ]
        ),
        .target(
            name: "EarshotServer",
            dependencies: [
                "EarshotCore", "EarshotMedia", "EarshotSignatures", "EarshotMetadata", "EarshotCatalogs",
                "EarshotRecognition", "EarshotMonitor", "EarshotAlbums", "EarshotAnalysis", "EarshotLibrary",
                "EarshotPieces", "EarshotAPI",
                .product(name: "AsyncHTTPClient", package: "async-http-client", condition: .when(traits: ["Service"])),
                .product(name: "CoreMetrics", package: "swift-metrics", condition: .when(traits: ["Service"])),
                .product(name: "Crypto", package: "swift-crypto", condition: .when(traits: ["Library"])),
                .product(name: "CryptoExtras", package: "swift-crypto", condition: .when(traits: ["Library"])),
                .product(name: "HTTPTypes", package: "swift-http-types", condition: .when(traits: ["Service"])),
                .product(name: "Hummingbird", package: "hummingbird", condition: .when(traits: ["Service"])),
                .product(name: "HummingbirdCore", package: "hummingbird", condition: .when(traits: ["Service"])),
                .product(name: "HummingbirdTLS", package: "hummingbird", condition: .when(traits: ["Service"])),
                .product(
                    name: "Instrumentation",
                    package: "swift-distributed-tracing",
                    condition: .when(traits: ["Service"])
                ), .product(name: "JWTKit", package: "jwt-kit", condition: .when(traits: ["Service"])),
                .product(name: "Logging", package: "swift-log", condition: .when(traits: ["Service"])),
                .product(name: "Metrics", package: "swift-metrics", condition: .when(traits: ["Service"])),
                .product(name: "NIOCore", package: "swift-nio", condition: .when(traits: ["Service"])),
                .product(name: "NIOHTTP1", package: "swift-nio", condition: .when(traits: ["Service"])),
                .product(name: "NIOHTTPTypes", package: "swift-nio-extras", condition: .when(traits: ["Service"])),
                .product(name: "NIOSSL", package: "swift-nio-ssl", condition: .when(traits: ["Service"])),
                .product(
                    name: "ServiceContextModule",
                    package: "swift-service-context",
                    condition: .when(traits: ["Service"])
                ),
                .product(
                    name: "ServiceLifecycle",
                    package: "swift-service-lifecycle",
                    condition: .when(traits: ["Service"])
                ),
            ]
        ),

        // What an app imports.
        .target(
            name: "Earshot",
            dependencies: ["EarshotCore", "EarshotMedia", "EarshotSignatures", "EarshotCatalogs", "EarshotSessions"]
        ),

        // Pictures of spectrograms and waveforms.
        .target(
            name: "EarshotPlots",
            dependencies: [
                "EarshotCore", "EarshotMedia", "EarshotSignatures", "EarshotCatalogs", "EarshotAnalysis", "Earshot",
            ]
        ),

        // What the subcommands share: the terminal, options, JSON, catalogs from folders.
        .target(
            name: "CommandKit",
            dependencies: [
                "EarshotCore", "EarshotMedia", "EarshotSignatures", "EarshotCatalogs", "Earshot",
                .target(name: "EarshotMetadata", condition: .when(traits: ["Library"])),
                .target(name: "EarshotSQLite", condition: .when(traits: ["Library"])),
                .target(name: "EarshotClient", condition: .when(traits: ["Service"])),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]
        ),
        .target(
            name: "RecognitionCommands",
            dependencies: [
                "EarshotCore", "EarshotMedia", "EarshotSignatures", "EarshotCatalogs", "EarshotAnalysis", "Earshot",
                "EarshotPlots", "CommandKit", .target(name: "EarshotMetadata", condition: .when(traits: ["Service"])),
                .target(name: "EarshotRecognition", condition: .when(traits: ["Service"])),
                .target(name: "EarshotRemoteCatalogs", condition: .when(traits: ["Service"])),
                .target(name: "EarshotClient", condition: .when(traits: ["Service"])),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]
        ),
        .target(
            name: "LibraryCommands",
            dependencies: [
                "EarshotCore", "EarshotMedia", "EarshotMetadata", "EarshotCatalogs", "EarshotRecognition",
                "EarshotAnalysis", "EarshotAlbums", "EarshotLibrary", "EarshotSQLite", "Earshot", "EarshotPlots",
                "CommandKit", .target(name: "EarshotClient", condition: .when(traits: ["Service"])),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]
        ),
        .target(
            name: "ServiceCommands",
            dependencies: [
                "EarshotCore", "EarshotMedia", "EarshotMetadata", "EarshotCatalogs", "EarshotRecognition",
                "EarshotMonitor", "EarshotAlbums", "EarshotPieces", "EarshotLibrary", "EarshotSQLite", "EarshotAPI",
                "EarshotClient", "EarshotServer", "Earshot", "CommandKit", "LibraryCommands",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Configuration", package: "swift-configuration", condition: .when(traits: ["Service"])),
                .product(name: "Logging", package: "swift-log", condition: .when(traits: ["Service"])),
                .product(
                    name: "ServiceLifecycle",
                    package: "swift-service-lifecycle",
                    condition: .when(traits: ["Service"])
                ),
                .product(
                    name: "UnixSignals",
                    package: "swift-service-lifecycle",
                    condition: .when(traits: ["Service"])
                ),
            ]
        ),

        // The command. Its product is `earshot`; the target has another name because file systems that fold case
        // would take `earshot` and `Earshot` for one.
        .executableTarget(
            name: "EarshotCommand",
            dependencies: [
                "EarshotCore", "CommandKit", "RecognitionCommands",
                .target(name: "LibraryCommands", condition: .when(traits: ["Library"])),
                .target(name: "ServiceCommands", condition: .when(traits: ["Service"])),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
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
            dependencies: ["EarshotCore", "EarshotMedia", "EarshotAnalysis", "EarshotLibrary"],
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
            dependencies: [
                "EarshotCore", "EarshotMedia", "EarshotAnalysis", "EarshotPieces", "EarshotLibrary", "EarshotClient",
            ],
            path: "Examples/VocalRecorder"
        ),
        .executableTarget(
            name: "Recognizer",
            dependencies: [
                "EarshotCore", "EarshotMedia", "EarshotSignatures", "EarshotMetadata", "EarshotCatalogs",
                "EarshotRecognition", "EarshotSQLite", "EarshotClient",
            ],
            path: "Examples/Recognizer"
        ),
        .executableTarget(
            name: "SecondScreen",
            dependencies: [
                "EarshotCore", "EarshotMedia", "EarshotMetadata", "EarshotCatalogs", "EarshotRecognition",
                "EarshotMonitor", "EarshotSQLite", "EarshotClient",
            ],
            path: "Examples/SecondScreen"
        ),

        // Tests.
        .target(
            name: "TestSupport",
            dependencies: ["EarshotCore", "EarshotSignatures", "EarshotMetadata", "EarshotPieces"],
            path: "Tests/TestSupport"
        ),
        .testTarget(name: "EarshotCoreTests", dependencies: ["EarshotCore", "TestSupport"]),
        .testTarget(
            name: "EarshotMediaTests",
            dependencies: [
                "CFFmpeg", "EarshotCore", "EarshotMedia", "EarshotSignatures", "EarshotMetadata", "EarshotCatalogs",
                "EarshotMonitor", "TestSupport",
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
            name: "EarshotRemoteCatalogsTests",
            dependencies: [
                "EarshotCore", "EarshotSignatures", "EarshotCatalogs", "EarshotSessions", "EarshotRemoteCatalogs",
                "TestSupport",
            ]
        ),
        .testTarget(
            name: "EarshotMonitorTests",
            dependencies: [
                "EarshotCore", "EarshotSignatures", "EarshotMetadata", "EarshotCatalogs", "EarshotRecognition",
                "EarshotMonitor", "TestSupport",
            ]
        ),
        .testTarget(
            name: "EarshotAlbumsTests",
            dependencies: [
                "EarshotCore", "EarshotMedia", "EarshotSignatures", "EarshotMetadata", "EarshotCatalogs",
                "EarshotRecognition", "EarshotAlbums", "EarshotSQLite", "FingerprintCommand", "TestSupport",
            ],
            resources: [.copy("Fixtures")]
        ),
        .testTarget(name: "EarshotPiecesTests", dependencies: ["EarshotCore", "EarshotPieces", "TestSupport"]),
        .testTarget(
            name: "EarshotAnalysisTests",
            dependencies: ["EarshotCore", "EarshotAnalysis", "EarshotLibrary", "TestSupport"]
        ),
        .testTarget(
            name: "EarshotLibraryTests",
            dependencies: [
                "EarshotCore", "EarshotMedia", "EarshotSignatures", "EarshotMetadata", "EarshotAnalysis",
                "EarshotPieces", "EarshotLibrary", "TestSupport",
            ]
        ),
        .testTarget(
            name: "EarshotSQLiteTests",
            dependencies: [
                "EarshotCore", "EarshotMetadata", "EarshotAlbums", "EarshotPieces", "EarshotLibrary", "EarshotSQLite",
                "TestSupport", .product(name: "GRDB", package: "GRDB.swift", condition: .when(traits: ["Library"])),
            ]
        ),
        .testTarget(
            name: "EarshotClientTests",
            dependencies: [
                "EarshotCore", "EarshotMedia", "EarshotSignatures", "EarshotMetadata", "EarshotCatalogs",
                "EarshotRecognition", "EarshotAlbums", "EarshotPieces", "EarshotSQLite", "EarshotAPI", "EarshotClient",
                "Recognizer", "TestSupport",
                .product(name: "Crypto", package: "swift-crypto", condition: .when(traits: ["Library"])),
                .product(name: "NIOCore", package: "swift-nio", condition: .when(traits: ["Service"])),
                .product(name: "NIOHTTP1", package: "swift-nio", condition: .when(traits: ["Service"])),
                .product(name: "NIOPosix", package: "swift-nio", condition: .when(traits: ["Service"])),
            ]
        ),
        .testTarget(
            name: "EarshotAPITests",
            dependencies: ["EarshotCore", "EarshotAPI", "TestSupport"]
        ),
        .testTarget(
            name: "EarshotServerTests",
            dependencies: [
                "EarshotCore", "EarshotMedia", "EarshotSignatures", "EarshotMetadata", "EarshotCatalogs",
                "EarshotRecognition", "EarshotAnalysis", "EarshotMonitor", "EarshotAlbums", "EarshotPieces",
                "EarshotLibrary", "EarshotSQLite", "EarshotAPI", "EarshotClient", "EarshotServer", "TestSupport",
                .product(name: "AsyncHTTPClient", package: "async-http-client", condition: .when(traits: ["Service"])),
                .product(name: "CoreMetrics", package: "swift-metrics", condition: .when(traits: ["Service"])),
                .product(name: "Crypto", package: "swift-crypto", condition: .when(traits: ["Library"])),
                .product(name: "HTTPTypes", package: "swift-http-types", condition: .when(traits: ["Service"])),
                .product(name: "HummingbirdCore", package: "hummingbird", condition: .when(traits: ["Service"])),
                .product(
                    name: "Instrumentation",
                    package: "swift-distributed-tracing",
                    condition: .when(traits: ["Service"])
                ), .product(name: "Logging", package: "swift-log", condition: .when(traits: ["Service"])),
                .product(name: "NIOCore", package: "swift-nio", condition: .when(traits: ["Service"])),
                .product(name: "NIOHTTP1", package: "swift-nio", condition: .when(traits: ["Service"])),
                .product(
                    name: "ServiceContextModule",
                    package: "swift-service-context",
                    condition: .when(traits: ["Service"])
                ),
            ]
        ),
        .testTarget(
            name: "EndToEndTests",
            dependencies: [
                "EarshotCore", "EarshotMedia", "EarshotSignatures", "EarshotMetadata", "EarshotCatalogs",
                "EarshotRecognition", "EarshotAnalysis", "EarshotMonitor", "EarshotPieces", "EarshotLibrary",
                "EarshotSQLite", "EarshotAPI", "EarshotClient", "Earshot", "EarshotPlots", "CommandKit",
                "RecognitionCommands", "LibraryCommands", "ServiceCommands", "EarshotCommand", "QuickStart",
                "ReadSamples", "MixSongs", "DrawWaveform", "ConvertFolder", "Companion", "LessonCatalog", "Karaoke",
                "TwoDevices", "CountTitles", "FindMusic", "DrumLoop", "VocalRecorder", "SecondScreen", "TestSupport",
                .product(name: "Crypto", package: "swift-crypto", condition: .when(traits: ["Library"])),
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
