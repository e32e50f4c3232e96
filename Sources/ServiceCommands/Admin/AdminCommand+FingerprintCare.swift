import ArgumentParser
import CommandKit
import EarshotAlbums
import EarshotCore
import EarshotFingerprints
import EarshotSQLite
import Foundation

extension AdminCommand.Fingerprints {
    struct Unlink: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Say that a track is not the recording that it was said to be.",
            discussion: """
                Lookups tell the recording no longer, however many people say so again. The ids are those of an answer: of the result, \
                and of its recording. A running service knows at once.
                """
        )
        @Argument(help: "The track's id.") var track: String
        @Argument(help: "The recording's id at MusicBrainz.") var mbid: String
        @Flag(name: .long, help: "Say that it is the recording after all.") var undo = false
        @OptionGroup var folder: DataFolder
        @OptionGroup var format: JSONOption

        func validate() throws {
            guard UUID(uuidString: track) != nil, UUID(uuidString: mbid) != nil else {
                throw ValidationError("A track and a recording are named by UUIDs, as lookups tell them.")
            }
        }

        func run() async throws {
            guard let track = UUID(uuidString: track), let recording = UUID(uuidString: mbid) else { return }
            let store = try await folder.fingerprintStore(.existing)
            guard try await store.setDisabled(!undo, recording: recording, of: track) else {
                throw EarshotError(
                    .entityNotFound,
                    "Nobody said that track \(track.text) is recording \(recording.text): look the fingerprint up, and name ids of the answer."
                )
            }
            let target = ["track": track.text, "recording": recording.text, "undo": "\(undo)"]
            folder.record("admin fingerprints unlink", target)
            try format.print(
                "Track \(track.text) is \(undo ? "" : "not ")recording \(recording.text)",
                ["track": .string(track.text), "recording": .string(recording.text), "isLinked": .boolean(undo)]
            )
        }
    }

    struct Check: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Look for damage in the fingerprints and their index.",
            discussion: "The service may run. Damage of the index is mended by `earshot admin fingerprints rebuild`."
        )
        @OptionGroup var folder: DataFolder
        @Flag(name: .long, help: "Print one JSON object.") var json = false

        func run() async throws {
            var faults = try await folder.fingerprintIndexFaults()
            if folder.postgreSQL == nil {
                faults += try await SQLiteFingerprintStore(url: folder.fingerprintsURL).check()
            }
            if json {
                Terminal.print(try JSON.document(["faults": faults]))
            } else {
                Terminal.print(faults.isEmpty ? "Nothing is wrong." : faults.joined(separator: "\n"))
            }
            if !faults.isEmpty { throw ExitCode(1) }
        }
    }

    struct Rebuild: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Make the index again of the fingerprints. The service must not run."
        )
        @OptionGroup var folder: DataFolder
        @OptionGroup var format: JSONOption

        func run() async throws {
            let store = try await folder.fingerprintStore(.existing)
            let count = try await folder.fingerprints(store) { Terminal.printError($0.message) }.remakeIndex()
            try format.print(
                "The index has \(DisplayText.plural(count, "fingerprint", "fingerprints"))",
                ["fingerprints": .integer(count)]
            )
        }
    }
}
