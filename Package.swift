// swift-tools-version: 6.2

import PackageDescription

/// The modules that an app can import, each a library of its own.
let libraries = [
    "EarshotCore", "EarshotDSP", "EarshotMedia", "EarshotTags", "EarshotSignatures", "EarshotMusic", "EarshotBroadcast",
    "EarshotPieces", "EarshotCatalogs", "EarshotFingerprints", "EarshotAnalysis", "EarshotClassification",
    "EarshotRecognition", "EarshotTimedContent", "EarshotSessions", "Earshot", "EarshotIngest", "EarshotRemoteCatalogs",
    "EarshotMonitor", "EarshotStations", "EarshotAlbums", "EarshotLibrary", "EarshotSQLite", "EarshotAPI",
    "EarshotClient",
]

// The modules, tier by tier: a target depends only on targets above it. CONTRIBUTING.md says what each holds.
let modules: [Target] = [
    // Tier 0: C libraries (libavdevice-dev has all of FFmpeg's headers); what Swift cannot do; time, audio, errors, files.
    .installed(
        "CFFmpeg",
        "libavformat libavcodec libswresample libswscale libavutil",
        debian: "libavdevice-dev",
        brew: "ffmpeg"
    ),
    .installed("CChromaprint", "libchromaprint", debian: "libchromaprint-dev", brew: "chromaprint"),
    .installed("TagLib", "taglib", debian: "libtag1-dev", brew: "taglib"),
    .installed("CEBUR128", "libebur128", debian: "libebur128-dev", brew: "libebur128"),
    // TagLib behind C functions: its own C binding has no pictures and no free properties.
    .target(name: "CTagLib", dependencies: ["TagLib"]),
    .installed("CPostgreSQL", "libpq", debian: "libpq-dev", brew: "libpq"),
    .systemLibrary(name: "CZlib"),  // Where every system has it: on Apple's in the SDK.
    .target(name: "CFiles"),
    .target(name: "CKernels"),
    .target(name: "CSandbox"),
    // An environment variable is part of what SwiftPM caches a manifest by; the commit that it finds itself is not.
    .target(
        name: "CBuild",
        cSettings: Context.environment["EARSHOT_COMMIT"].map { [.define("EARSHOT_COMMIT", to: $0)] }
    ),
    .module("EarshotCore"),

    // Tier 1: signals; files of stores; media files, devices and streams; tags and the undoing of them; nodes of a service.
    .module("EarshotDSP", ["CKernels", "EarshotCore"]),
    .module("EarshotSegments", ["EarshotCore"]),
    .module("EarshotMedia", ["CFFmpeg", "CFiles", "EarshotCore"]),
    .module("EarshotTags", ["CTagLib", "EarshotCore", "EarshotMedia"]),
    .module("EarshotNodes", ["EarshotCore"]),

    // Tier 2: audio to signatures; what is known of music, of broadcasts and of musical pieces.
    .module("EarshotSignatures", ["EarshotCore", "EarshotDSP"]),
    .target(name: "EarshotMusic", dependencies: ["EarshotCore"], exclude: ["Taxonomies/Data"]),
    .module("EarshotBroadcast", ["EarshotCore", "EarshotMusic"]),
    .module("EarshotPieces", ["CZlib", "EarshotCore", .library("Crypto", "swift-crypto")]),

    // Tier 3: catalogs and matching; fingerprints of whole files; loudness, tempo, key; speech, music and silence.
    .module("EarshotCatalogs", ["EarshotCore", "EarshotDSP", "EarshotSegments", "EarshotSignatures"]),
    .module("EarshotFingerprints", ["CChromaprint", "EarshotCore", "EarshotSegments", "EarshotMedia"]),
    .module("EarshotAnalysis", ["CEBUR128", "EarshotCore", "EarshotDSP", "EarshotMedia", "EarshotSignatures"]),
    .module("EarshotClassification", ["EarshotCore", "EarshotDSP", "EarshotSignatures"]),

    // Tier 4: the recognition service as a protocol, and its form on this machine.
    .module(
        "EarshotRecognition",
        ["EarshotCore", "EarshotSignatures", "EarshotMusic", "EarshotBroadcast", "EarshotCatalogs"]
    ),
    // Tier 4: content in step with audio; live matching; what an app imports.
    .module("EarshotTimedContent", ["EarshotCore", "EarshotCatalogs"]),
    .module(
        "EarshotSessions",
        ["EarshotCore", "EarshotDSP", "EarshotSignatures", "EarshotCatalogs", "EarshotTimedContent"]
    ),
    .module(
        "Earshot",
        [
            "EarshotCore", "EarshotDSP", "EarshotMedia", "EarshotSignatures", "EarshotCatalogs", "EarshotTimedContent",
            "EarshotSessions",
        ]
    ),
    // Tier 4: catalogs from folders of music; catalogs that are fetched, signed by their publisher.
    .module(
        "EarshotIngest",
        ["EarshotCore", "EarshotSegments", "EarshotMedia", "EarshotSignatures", "EarshotCatalogs", "Earshot"]
    ),
    .module("EarshotRemoteCatalogs", ["EarshotCore", "EarshotCatalogs", .library("Crypto", "swift-crypto")]),
    // Tier 4: catalogs that nodes share through a database and a bucket.
    .module(
        "EarshotSharedCatalogs",
        [
            "EarshotCore", "EarshotNodes", "EarshotSegments", "EarshotSignatures", "EarshotCatalogs",
            .library("Crypto", "swift-crypto"),
        ]
    ),
    // Tier 4: a second screen's monitor with bundles; stations around the clock with live references and repeats.
    .module(
        "EarshotMonitor",
        [
            "EarshotCore", "EarshotSegments", "EarshotSignatures", "EarshotMusic", "EarshotBroadcast",
            "EarshotCatalogs", "EarshotClassification", "EarshotRecognition", .library("Crypto", "swift-crypto"),
        ]
    ),
    .module(
        "EarshotStations",
        [
            "EarshotCore", "EarshotSignatures", "EarshotMusic", "EarshotBroadcast", "EarshotCatalogs",
            "EarshotClassification", "EarshotRecognition",
        ]
    ),
    // Tier 4: which file is which track of which album; a library with commands and a play queue.
    .module(
        "EarshotAlbums",
        [
            "EarshotCore", "EarshotMedia", "EarshotTags", "EarshotSignatures", "EarshotMusic", "EarshotCatalogs",
            "EarshotFingerprints", "EarshotRecognition",
        ]
    ),
    .module(
        "EarshotLibrary",
        [
            "EarshotCore", "EarshotMedia", "EarshotSignatures", "EarshotMusic", "EarshotCatalogs", "EarshotAnalysis",
            "EarshotRecognition", "EarshotPieces",
        ]
    ),

    // Tier 5: stores in SQLite, in PostgreSQL and in buckets, and the way from one to the other; what service and client say to each other.
    .module("EarshotMigration", ["EarshotCore", .library("Crypto", "swift-crypto")]),
    .module(
        "EarshotSQLite",
        [
            "EarshotCore", "EarshotMigration", "EarshotMusic", "EarshotBroadcast", "EarshotPieces",
            "EarshotFingerprints", "EarshotAnalysis", "EarshotRecognition", "EarshotAlbums", "EarshotLibrary",
            .library("GRDB", "GRDB.swift"),
        ]
    ),
    .module(
        "EarshotPostgreSQL",
        [
            "CPostgreSQL", "EarshotCore", "EarshotMigration", "EarshotNodes", "EarshotMusic", "EarshotBroadcast",
            "EarshotPieces", "EarshotCatalogs", "EarshotFingerprints", "EarshotRecognition", "EarshotSharedCatalogs",
        ]
    ),
    .module(
        "EarshotBuckets",
        [
            "EarshotCore", "EarshotNodes", .library("Crypto", "swift-crypto"),
            .service("AsyncHTTPClient", "async-http-client"), .service("NIOCore", "swift-nio"),
            .service("NIOHTTP1", "swift-nio"),
        ]
    ),
    .module(
        "EarshotAPI",
        ["CZlib", "EarshotCore", "EarshotMusic", "EarshotBroadcast", "EarshotPieces", "EarshotRecognition"]
    ),

    // Tier 6: the client of a recognition service, and the service.
    .module(
        "EarshotClient",
        [
            "EarshotCore", "EarshotSignatures", "EarshotMusic", "EarshotBroadcast", "EarshotPieces",
            "EarshotRecognition", "EarshotRemoteCatalogs", "EarshotAPI", .library("Crypto", "swift-crypto"),
            .service("AsyncHTTPClient", "async-http-client"), .service("NIOCore", "swift-nio"),
            .service("NIOHTTP1", "swift-nio"), .service("NIOHTTPCompression", "swift-nio-extras"),
        ]
    ),
    .target(
        name: "EarshotServer",
        dependencies: [
            "EarshotCore", "EarshotMedia", "EarshotTags", "EarshotNodes", "EarshotSignatures", "EarshotMusic",
            "EarshotBroadcast", "EarshotPieces", "EarshotCatalogs", "EarshotFingerprints", "EarshotAnalysis",
            "EarshotRecognition", "EarshotTimedContent", "EarshotMonitor", "EarshotStations", "EarshotAlbums",
            "EarshotLibrary", "EarshotSharedCatalogs", "EarshotAPI", "CSandbox",
            .library("Crypto", "swift-crypto"), .library("CryptoExtras", "swift-crypto"),
            .service("AsyncHTTPClient", "async-http-client"), .service("CoreMetrics", "swift-metrics"),
            .service("HTTPTypes", "swift-http-types"), .service("Hummingbird", "hummingbird"),
            .service("HummingbirdCore", "hummingbird"), .service("Instrumentation", "swift-distributed-tracing"),
            .service("Logging", "swift-log"), .service("Mustache", "swift-mustache"), .service("NIOCore", "swift-nio"),
            .service("NIOHTTP1", "swift-nio"), .service("NIOHTTPTypes", "swift-nio-extras"),
            .service("NIOSSL", "swift-nio-ssl"), .service("ServiceContextModule", "swift-service-context"),
            .service("ServiceLifecycle", "swift-service-lifecycle"),
        ],
        resources: [.embedInCode("Web")]
    ),

    // Tier 7: pictures of spectrograms and waveforms; what the subcommands share; the subcommands in three groups.
    .module(
        "EarshotPlots",
        [
            "EarshotCore", "EarshotDSP", "EarshotMedia", "EarshotSignatures", "EarshotCatalogs", "EarshotAnalysis",
            "Earshot",
        ]
    ),
    .module(
        "CommandKit",
        [
            "CBuild", "EarshotCore", "EarshotMedia", "EarshotSignatures", "EarshotCatalogs", "Earshot", "EarshotIngest",
            .module("EarshotMusic", "Library"), .module("EarshotRecognition", "Library"),
            .module("EarshotSQLite", "Library"), .module("EarshotNodes", "Service"),
            .module("EarshotPostgreSQL", "Service"), .module("EarshotBuckets", "Service"),
            .module("EarshotClient", "Service"), .argumentParser,
        ]
    ),
    .module(
        "RecognitionCommands",
        [
            "EarshotCore", "EarshotMedia", "EarshotTags", "EarshotSignatures", "EarshotMusic", "EarshotCatalogs",
            "EarshotAnalysis", "Earshot", "EarshotIngest", "EarshotPlots", "CommandKit",
            .module("EarshotSQLite", "Library"), .module("EarshotNodes", "Service"),
            .module("EarshotRecognition", "Service"), .module("EarshotRemoteCatalogs", "Service"),
            .module("EarshotSharedCatalogs", "Service"), .module("EarshotPostgreSQL", "Service"),
            .module("EarshotClient", "Service"), .argumentParser,
        ]
    ),
    .module(
        "LibraryCommands",
        [
            "EarshotCore", "EarshotMedia", "EarshotTags", "EarshotMusic", "EarshotBroadcast", "EarshotCatalogs",
            "EarshotFingerprints", "EarshotAnalysis", "EarshotRecognition", "EarshotAlbums", "EarshotLibrary",
            "EarshotSQLite", "Earshot", "EarshotIngest", "EarshotPlots", "CommandKit",
            .module("EarshotPostgreSQL", "Service"), .module("EarshotClient", "Service"), .argumentParser,
        ]
    ),
    .module(
        "ServiceCommands",
        [
            "EarshotCore", "EarshotMedia", "EarshotTags", "EarshotNodes", "EarshotMusic", "EarshotBroadcast",
            "EarshotPieces", "EarshotCatalogs", "EarshotFingerprints", "EarshotClassification", "EarshotRecognition",
            "EarshotRemoteCatalogs", "EarshotSharedCatalogs", "EarshotMonitor", "EarshotStations", "EarshotAlbums",
            "EarshotLibrary",
            "EarshotMigration", "EarshotSQLite", "EarshotPostgreSQL", "EarshotBuckets", "EarshotAPI", "EarshotClient",
            "EarshotServer", "Earshot",
            "EarshotIngest", "CommandKit", "LibraryCommands", .argumentParser,
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
            .module("ServiceCommands", "Service"), .argumentParser,
        ]
    ),
    .executableTarget(
        name: "FingerprintCommand",
        dependencies: ["EarshotCore", "EarshotMedia", "EarshotFingerprints"]
    ),
]

// Small programs, which the tests run.
let examples: [Target] = [
    .example("QuickStart", ["Earshot"]),
    .example("ReadSamples", ["Earshot"]),
    .example("MatchBuffers", ["EarshotCore", "EarshotCatalogs", "EarshotSessions"]),
    .example("MixSongs", ["Earshot"]),
    .example("DrawWaveform", ["EarshotCore", "EarshotMedia", "EarshotAnalysis", "EarshotLibrary"]),
    .example("ConvertFolder", ["EarshotCore", "EarshotMedia", "EarshotTags"]),
    .example("BuildCatalog", ["Earshot", "EarshotIngest"]),
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
            "EarshotCore", "EarshotMedia", "EarshotSignatures", "EarshotMusic", "EarshotCatalogs", "EarshotRecognition",
            "EarshotSQLite", "EarshotClient",
        ]
    ),
    .example(
        "SecondScreen",
        [
            "EarshotCore", "EarshotMedia", "EarshotMusic", "EarshotBroadcast", "EarshotCatalogs", "EarshotRecognition",
            "EarshotMonitor", "EarshotSQLite", "EarshotClient",
        ]
    ),
]

// Tests of a module may import what the module imports, TestSupport and what is named here.
let tests: [Target] = [
    .target(
        name: "TestSupport",
        dependencies: [
            "EarshotCore", "EarshotNodes", "EarshotSignatures", "EarshotMusic", "EarshotBroadcast", "EarshotPieces",
            "EarshotCatalogs", "EarshotFingerprints", "EarshotClassification", "EarshotRecognition",
            "EarshotSharedCatalogs",
        ],
        path: "Tests/TestSupport"
    ),
    .tests(of: "EarshotCore"),
    .tests(of: "EarshotDSP"),
    .tests(of: "EarshotSegments"),
    .tests(
        of: "EarshotMedia",
        and: ["EarshotSignatures", "EarshotMusic", "EarshotCatalogs", "EarshotRecognition", "EarshotMonitor"],
        resources: [.copy("Fixtures")]
    ),
    .tests(of: "EarshotTags"),
    .tests(of: "EarshotNodes"),
    .tests(of: "EarshotSignatures"),
    .tests(of: "EarshotMusic"),
    .tests(of: "EarshotBroadcast"),
    .tests(of: "EarshotPieces"),
    .tests(of: "EarshotCatalogs"),
    .tests(of: "EarshotFingerprints", and: ["EarshotAlbums", "FingerprintCommand"], resources: [.copy("Fixtures")]),
    .tests(of: "EarshotAnalysis", and: ["EarshotLibrary"]),
    .tests(of: "EarshotClassification"),
    .tests(of: "EarshotRecognition"),
    .tests(of: "EarshotTimedContent", and: ["EarshotSignatures"]),
    .tests(of: "EarshotSessions"),
    .tests(of: "EarshotIngest"),
    .tests(of: "EarshotRemoteCatalogs", and: ["EarshotSignatures", "EarshotSessions", "EarshotClient"]),
    .tests(of: "EarshotSharedCatalogs"),
    .tests(of: "EarshotMonitor"),
    .tests(of: "EarshotStations", and: ["EarshotMonitor"]),
    .tests(of: "EarshotAlbums", and: ["EarshotSQLite"]),
    .tests(of: "EarshotLibrary"),
    .tests(of: "EarshotSQLite"),
    .tests(of: "EarshotPostgreSQL", and: ["EarshotSQLite"]),
    .tests(of: "EarshotBuckets"),
    .tests(of: "EarshotAPI"),
    .tests(
        of: "EarshotClient",
        and: [
            "EarshotMedia", "EarshotCatalogs", "EarshotAlbums", "EarshotSQLite", "Recognizer",
            .service("NIOPosix", "swift-nio"),
        ]
    ),
    .tests(of: "EarshotServer", and: ["EarshotSQLite", "EarshotClient", .service("NIOEmbedded", "swift-nio")]),
    // Command, service, client and examples together, over loopback.
    .testTarget(
        name: "EndToEndTests",
        dependencies: (modules + examples).filter { $0.type != .system }.map { .byName(name: $0.name) }
            + ["TestSupport", .library("Crypto", "swift-crypto")]
    ),
]

let package = Package(
    name: "earshot",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: libraries.map { .library(name: $0, targets: [$0]) } + [
        // For the benchmarks: apps can use nothing of it.
        .library(name: "EarshotPostgreSQL", targets: ["EarshotPostgreSQL"]),
        // For the fuzz targets: the same.
        .library(name: "EarshotSharedCatalogs", targets: ["EarshotSharedCatalogs"]),
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
        .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
        .package(url: "https://github.com/apple/swift-configuration", exact: "1.4.0", traits: ["JSON"]),
        .package(url: "https://github.com/apple/swift-crypto", exact: "4.5.2"),
        .package(url: "https://github.com/apple/swift-distributed-tracing", exact: "1.7.3"),
        .package(url: "https://github.com/apple/swift-http-types", exact: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics", exact: "2.13.0"),
        .package(url: "https://github.com/apple/swift-nio", exact: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-extras", exact: "1.35.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl", exact: "2.37.6"),
        .package(url: "https://github.com/apple/swift-service-context", exact: "1.5.1"),
        .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", exact: "2.28.1"),
        .package(url: "https://github.com/hummingbird-project/swift-mustache", exact: "2.1.1"),
        .package(url: "https://github.com/swift-server/async-http-client", exact: "1.37.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", exact: "2.13.0"),
        .package(url: "https://github.com/swiftlang/swift-docc-plugin", exact: "1.5.0"),
    ],
    targets: modules + examples + tests,
    swiftLanguageModes: [.v6],
    cxxLanguageStandard: .cxx17
)

#if os(macOS)  // SwiftUI is there on Apple platforms only.
    package.targets.append(
        .executableTarget(
            name: "CompanionApp",
            // None of these needs FFmpeg.
            dependencies: ["EarshotCore", "EarshotCatalogs", "EarshotTimedContent", "EarshotSessions"],
            path: "Examples/SwiftUI"
        )
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
    // For the tests `scripts/lib/builds` optimizes nothing; this does it where much is computed, by a flag that comes after its own.
    let computing = [
        "Albums", "Analysis", "CKernels", "Catalogs", "Classification", "Core", "DSP", "Fingerprints", "Media",
        "Monitor", "Music", "Pieces", "Segments", "Sessions", "Signatures", "Stations", "TestSupport",
    ]
    let subject = target.name.replacing("Earshot", with: "").replacing("Tests", with: "")
    if Context.environment["EARSHOT_BUILD"] == "tests" && computing.contains(subject) {
        target.swiftSettings?.append(.unsafeFlags(["-Xfrontend", "-O", "-Xfrontend", "-enable-default-cmo"]))
        target.cSettings = [.unsafeFlags(["-O2"])]
    }
}

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
    static var argumentParser: Self { .product(name: "ArgumentParser", package: "swift-argument-parser") }
}

extension Target {
    /// A C library of the system, found by pkg-config.
    static func installed(_ name: String, _ pkgConfig: String, debian: String, brew: String) -> Target {
        .systemLibrary(name: name, pkgConfig: pkgConfig, providers: [.apt([debian]), .brew([brew])])
    }
    static func module(_ name: String, _ dependencies: [Dependency] = []) -> Target {
        .target(name: name, dependencies: dependencies)
    }
    static func example(_ name: String, _ dependencies: [Dependency]) -> Target {
        .executableTarget(name: name, dependencies: dependencies, path: "Examples/\(name)")
    }
    @MainActor
    static func tests(of module: String, and others: [Dependency] = [], resources: [Resource]? = nil) -> Target {
        let its = modules.first { $0.name == module }?.dependencies ?? []
        let all = its + others + [.byName(name: module), "TestSupport"]
        return .testTarget(name: "\(module)Tests", dependencies: all, resources: resources)
    }
}
