// swift-tools-version: 6.2

import PackageDescription

// A package of its own, so that nobody who uses the libraries builds the fuzz targets. Build them with `scripts/fuzz`:
// they need the flags that it passes. A new target is a folder of Sources whose name begins with `Fuzz`, with a
// `main.swift` like that of FuzzMediaTime, and an entry here.
let package = Package(
    name: "earshot-fuzz",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "earshot", path: "..")],
    targets: [
        // The entry of libFuzzer, in C and for Swift.
        .target(name: "CLibFuzzer"),
        .target(name: "LibFuzzer", dependencies: ["CLibFuzzer"]),

        .executableTarget(
            name: "FuzzMediaTime",
            dependencies: ["LibFuzzer", .product(name: "EarshotCore", package: "earshot")]
        ),
        .executableTarget(
            name: "FuzzAudioBytes",
            dependencies: ["LibFuzzer", .product(name: "EarshotCore", package: "earshot")]
        ),
        .executableTarget(
            name: "FuzzSignature",
            dependencies: [
                "LibFuzzer", .product(name: "EarshotCore", package: "earshot"),
                .product(name: "EarshotSignatures", package: "earshot"),
            ]
        ),
        .executableTarget(
            name: "FuzzCatalog",
            dependencies: [
                "LibFuzzer", .product(name: "EarshotCore", package: "earshot"),
                .product(name: "EarshotSignatures", package: "earshot"),
                .product(name: "EarshotCatalogs", package: "earshot"),
            ]
        ),
        .executableTarget(
            name: "FuzzMediaItem",
            dependencies: [
                "LibFuzzer", .product(name: "EarshotCore", package: "earshot"),
                .product(name: "EarshotSignatures", package: "earshot"),
                .product(name: "EarshotCatalogs", package: "earshot"),
            ]
        ),
        .executableTarget(
            name: "FuzzStoreManifest",
            dependencies: [
                "LibFuzzer", .product(name: "EarshotCore", package: "earshot"),
                .product(name: "EarshotSignatures", package: "earshot"),
                .product(name: "EarshotCatalogs", package: "earshot"),
            ]
        ),
        .executableTarget(
            name: "FuzzBundle",
            dependencies: [
                .product(name: "EarshotBroadcast", package: "earshot"),
                .product(name: "EarshotMusic", package: "earshot"),
                "LibFuzzer", .product(name: "EarshotCore", package: "earshot"),
                .product(name: "EarshotSignatures", package: "earshot"),
                .product(name: "EarshotCatalogs", package: "earshot"),
                .product(name: "EarshotMonitor", package: "earshot"),
            ]
        ),
        .executableTarget(
            name: "FuzzLiveFeed",
            dependencies: [
                .product(name: "EarshotMusic", package: "earshot"),
                .product(name: "EarshotStations", package: "earshot"),
                "LibFuzzer", .product(name: "EarshotCore", package: "earshot"),
                .product(name: "EarshotSignatures", package: "earshot"),
            ]
        ),
        .executableTarget(
            name: "FuzzFingerprint",
            dependencies: [
                .product(name: "EarshotFingerprints", package: "earshot"),
                "LibFuzzer", .product(name: "EarshotCore", package: "earshot"),
            ]
        ),
        .executableTarget(
            name: "FuzzFingerprintForm",
            dependencies: [
                .product(name: "EarshotFingerprints", package: "earshot"),
                "LibFuzzer", .product(name: "EarshotCore", package: "earshot"),
                .product(name: "EarshotAPI", package: "earshot"),
            ]
        ),
        .executableTarget(
            name: "FuzzFingerprintSegment",
            dependencies: [
                .product(name: "EarshotFingerprints", package: "earshot"),
                "LibFuzzer", .product(name: "EarshotCore", package: "earshot"),
            ]
        ),
        .executableTarget(
            name: "FuzzMusic",
            dependencies: [
                .product(name: "EarshotMusic", package: "earshot"),
                "LibFuzzer", .product(name: "EarshotCore", package: "earshot"),
            ]
        ),
        .executableTarget(
            name: "FuzzGuide",
            dependencies: [
                .product(name: "EarshotBroadcast", package: "earshot"),
                "LibFuzzer", .product(name: "EarshotCore", package: "earshot"),
            ]
        ),
        .executableTarget(
            name: "FuzzPicture",
            dependencies: [
                "LibFuzzer", .product(name: "EarshotCore", package: "earshot"),
                .product(name: "EarshotMedia", package: "earshot"),
            ]
        ),
        .executableTarget(
            name: "FuzzPiece",
            dependencies: [
                "LibFuzzer", .product(name: "EarshotCore", package: "earshot"),
                .product(name: "EarshotPieces", package: "earshot"),
            ]
        ),
        .executableTarget(
            name: "FuzzPlayer",
            dependencies: [
                "LibFuzzer", .product(name: "EarshotCore", package: "earshot"),
                .product(name: "EarshotMusic", package: "earshot"),
                .product(name: "EarshotLibrary", package: "earshot"),
            ]
        ),
        .executableTarget(
            name: "FuzzPlaylist",
            dependencies: [
                "LibFuzzer", .product(name: "EarshotCore", package: "earshot"),
                .product(name: "EarshotLibrary", package: "earshot"),
            ]
        ),
        .executableTarget(
            name: "FuzzWaveform",
            dependencies: [
                .product(name: "EarshotLibrary", package: "earshot"),
                "LibFuzzer", .product(name: "EarshotCore", package: "earshot"),
                .product(name: "EarshotAnalysis", package: "earshot"),
            ]
        ),
        .executableTarget(
            name: "FuzzPlaylog",
            dependencies: [
                .product(name: "EarshotBroadcast", package: "earshot"),
                "LibFuzzer", .product(name: "EarshotCore", package: "earshot"),
            ]
        ),
        .executableTarget(
            name: "FuzzRequest",
            dependencies: [
                "LibFuzzer", .product(name: "EarshotCore", package: "earshot"),
                .product(name: "EarshotCatalogs", package: "earshot"),
                .product(name: "EarshotRecognition", package: "earshot"),
                .product(name: "EarshotAPI", package: "earshot"),
            ]
        ),
        // Reads what only Earshot's own modules see, and is built under the name of the package around this one, as the benchmarks are.
        .executableTarget(
            name: "FuzzNodeSearch",
            dependencies: [
                "LibFuzzer", .product(name: "EarshotCore", package: "earshot"),
                .product(name: "EarshotSignatures", package: "earshot"),
                .product(name: "EarshotCatalogs", package: "earshot"),
                .product(name: "EarshotSharedCatalogs", package: "earshot"),
            ],
            packageAccess: false
        ),
        .executableTarget(
            name: "FuzzTagJournal",
            dependencies: [
                "LibFuzzer", .product(name: "EarshotCore", package: "earshot"),
                .product(name: "EarshotTags", package: "earshot"),
            ]
        ),
        .executableTarget(
            name: "FuzzTimedContent",
            dependencies: [
                .product(name: "EarshotTimedContent", package: "earshot"),
                "LibFuzzer", .product(name: "EarshotCore", package: "earshot"),
            ]
        ),
    ],
    swiftLanguageModes: [.v6]
)

let enclosing = Context.packageDirectory.split(separator: "/").dropLast().last.map(String.init) ?? "earshot"
let packageName = String(enclosing.lowercased().map { $0.isLetter || $0.isNumber ? $0 : "_" })

for target in package.targets where target.name != "CLibFuzzer" {
    target.swiftSettings = [.treatAllWarnings(as: .error)]
    if !target.packageAccess { target.swiftSettings?.append(.unsafeFlags(["-package-name", packageName])) }
}
