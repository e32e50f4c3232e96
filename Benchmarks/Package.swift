// swift-tools-version: 6.2

import PackageDescription

// A package of its own, so that nobody who uses the libraries builds the measuring tools.
//
// The tools read what only Earshot's own modules may see, such as the evidence behind an answer. They are built under the
// name of the package around them, which is that of its folder; so nothing has to become public, and the code measured is
// optimized exactly as in the command.
let enclosing = Context.packageDirectory.split(separator: "/").dropLast().last.map(String.init) ?? "earshot"
let packageName = String(enclosing.lowercased().map { $0.isLetter || $0.isNumber ? $0 : "_" })

let package = Package(
    name: "earshot-benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "earshot", path: ".."),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.6.0"),
    ],
    targets: [
        // What the tools share: processor time, random numbers, lists of music, the few calls into the engine.
        .target(
            name: "BenchmarkSupport",
            dependencies: [
                .product(name: "EarshotCatalogs", package: "earshot"),
                .product(name: "EarshotCore", package: "earshot"),
                .product(name: "EarshotMedia", package: "earshot"),
                .product(name: "EarshotSignatures", package: "earshot"), .product(name: "Earshot", package: "earshot"),
            ],
            packageAccess: false
        ),

        // How often answers are right, and how often silence is, on music of one's own.
        .executableTarget(
            name: "trials",
            dependencies: [
                .product(name: "EarshotMedia", package: "earshot"),
                "BenchmarkSupport", .product(name: "Earshot", package: "earshot"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Sources/Trials",
            packageAccess: false
        ),

        // How fast each part is.
        .executableTarget(
            name: "benchmarks",
            dependencies: [
                .product(name: "EarshotMedia", package: "earshot"),
                "BenchmarkSupport", .product(name: "Earshot", package: "earshot"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Sources/Benchmarks",
            packageAccess: false
        ),

        // How time, memory and recall go with the number of references.
        .executableTarget(
            name: "scale",
            dependencies: [
                .product(name: "EarshotCatalogs", package: "earshot"), .product(name: "EarshotDSP", package: "earshot"),
                .product(name: "EarshotSignatures", package: "earshot"),
                "BenchmarkSupport", .product(name: "Earshot", package: "earshot"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Sources/Scale",
            packageAccess: false
        ),

        // How sessions do: time to the first answer, position, endurance.
        .executableTarget(
            name: "live",
            dependencies: [
                .product(name: "EarshotCore", package: "earshot"),
                "BenchmarkSupport", .product(name: "Earshot", package: "earshot"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Sources/Live",
            packageAccess: false
        ),

        // How large bundles are, how fast a store takes them in and answers, and what an interrupted ingest leaves.
        .executableTarget(
            name: "bundles",
            dependencies: [
                .product(name: "EarshotBroadcast", package: "earshot"),
                .product(name: "EarshotMusic", package: "earshot"),
                "BenchmarkSupport", .product(name: "EarshotCore", package: "earshot"),
                .product(name: "EarshotSignatures", package: "earshot"),
                .product(name: "EarshotCatalogs", package: "earshot"),
                .product(name: "EarshotMonitor", package: "earshot"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Sources/Bundles",
            packageAccess: false
        ),

        // How an index of whole-file fingerprints grows and answers.
        .executableTarget(
            name: "prints",
            dependencies: [
                .product(name: "EarshotFingerprints", package: "earshot"),
                "BenchmarkSupport", .product(name: "EarshotCore", package: "earshot"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Sources/Prints",
            packageAccess: false
        ),

        // How fast music comes into a store, and how soon it is found.
        .executableTarget(
            name: "music",
            dependencies: [
                .product(name: "EarshotMusic", package: "earshot"),
                .product(name: "EarshotCore", package: "earshot"),
                .product(name: "EarshotPostgreSQL", package: "earshot"),
                .product(name: "EarshotSQLite", package: "earshot"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Sources/Music",
            packageAccess: false
        ),

        // What a monitor hears: figures for fitting its classifier, its answers, and what they cost.
        .executableTarget(
            name: "classify",
            dependencies: [
                .product(name: "EarshotClassification", package: "earshot"),
                .product(name: "EarshotMedia", package: "earshot"),
                .product(name: "EarshotCore", package: "earshot"),
            ],
            path: "Sources/Classify",
            packageAccess: false
        ),

        // What channels repeat: for scripts/checks/repeats.
        .executableTarget(
            name: "repeats",
            dependencies: [
                .product(name: "EarshotMusic", package: "earshot"),
                .product(name: "EarshotStations", package: "earshot"),
                .product(name: "EarshotCore", package: "earshot"),
                .product(name: "EarshotSignatures", package: "earshot"),
            ],
            path: "Sources/Repeats",
            packageAccess: false
        ),

        // An evening in front of a television, as a monitor hears it: for scripts/checks/evening.
        .executableTarget(
            name: "evening",
            dependencies: [
                .product(name: "EarshotBroadcast", package: "earshot"),
                .product(name: "EarshotMusic", package: "earshot"),
                .product(name: "EarshotRecognition", package: "earshot"),
                .product(name: "EarshotCore", package: "earshot"),
                .product(name: "EarshotSignatures", package: "earshot"),
                .product(name: "EarshotCatalogs", package: "earshot"),
                .product(name: "EarshotMonitor", package: "earshot"),
            ],
            path: "Sources/Evening",
            packageAccess: false
        ),

        // Writes and undoes tags of a folder, to be killed meanwhile: for scripts/checks/tags.
        .executableTarget(
            name: "tags",
            dependencies: [
                .product(name: "EarshotCore", package: "earshot"),
                .product(name: "EarshotMedia", package: "earshot"),
                .product(name: "EarshotTags", package: "earshot"),
            ],
            path: "Sources/Tags",
            packageAccess: false
        ),

        // How soon calls of reading, writing and monitoring come back.
        .executableTarget(
            name: "pace",
            dependencies: [
                "BenchmarkSupport", .product(name: "EarshotCatalogs", package: "earshot"),
                .product(name: "EarshotCore", package: "earshot"),
                .product(name: "EarshotMedia", package: "earshot"),
                .product(name: "EarshotMonitor", package: "earshot"),
                .product(name: "EarshotRecognition", package: "earshot"),
                .product(name: "EarshotSignatures", package: "earshot"),
                .product(name: "EarshotTags", package: "earshot"),
            ],
            path: "Sources/Pace",
            packageAccess: false
        ),

        // A library of many songs: for scripts/checks/library-scale.
        .executableTarget(
            name: "library",
            dependencies: [
                .product(name: "EarshotCore", package: "earshot"),
                .product(name: "EarshotMedia", package: "earshot"),
                .product(name: "EarshotLibrary", package: "earshot"),
                .product(name: "EarshotSQLite", package: "earshot"),
            ],
            path: "Sources/Library",
            packageAccess: false
        ),
    ],
    swiftLanguageModes: [.v6]
)

for target in package.targets {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .treatAllWarnings(as: .error),
        .unsafeFlags(["-package-name", packageName]),
    ]
}
