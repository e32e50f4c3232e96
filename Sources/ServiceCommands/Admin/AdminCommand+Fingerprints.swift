import ArgumentParser
import CommandKit
import EarshotCore
import EarshotFingerprints
import EarshotMedia
import EarshotMusic
import EarshotNodes
import EarshotSQLite
import EarshotServer
import Foundation

extension AdminCommand {
    struct Fingerprints: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "fingerprints",
            abstract: "Fingerprints of whole files, for programs that speak AcoustID's protocol.",
            discussion: """
                Picard, beets and whatever uses pyacoustid may ask the service in place of AcoustID's: Docs/acoustid.md says \
                how each is told to.

                EXAMPLES
                  earshot admin fingerprints add Music
                  earshot admin fingerprints add song.flac --mbid 6a0f5b7e-24f1-4c53-8f3a-9e1d5a2b4c01
                  earshot admin fingerprints key v8pQ6oyB 12345678
                  earshot admin fingerprints unlink 0b1e7c9a-5d43-4f0e-8a77-3c2f9d10e6b5 6a0f5b7e-24f1-4c53-8f3a-9e1d5a2b4c01
                  earshot admin fingerprints check
                """,
            subcommands: [Show.self, Add.self, Key.self, Unlink.self, Check.self, Rebuild.self]
        )

        struct Show: AsyncParsableCommand {
            static let configuration = CommandConfiguration(abstract: "Say how many there are.")
            @OptionGroup var folder: DataFolder
            @Flag(name: .long, help: "Print one JSON object.") var json = false

            func run() async throws {
                let counts = try await folder.fingerprintStore(.existing).counts()
                if json { return Terminal.print(try JSON.document(counts)) }
                let parts = [
                    DisplayText.plural(counts.fingerprints, "fingerprint", "fingerprints"),
                    DisplayText.plural(counts.tracks, "track", "tracks"),
                    DisplayText.plural(counts.links, "link to a recording", "links to recordings"),
                    "\(counts.pending) waiting",
                ]
                Terminal.print(parts.joined(separator: ", "))
            }
        }

        struct Add: AsyncParsableCommand {
            static let configuration = CommandConfiguration(
                abstract: "Add the fingerprints of files, with what their tags say.",
                discussion: """
                    A file belongs to the recording that its tags name, or to that of --mbid; one of which neither is known and \
                    that has no title is left out. A running service imports them within a minute.
                    """
            )
            @Argument(help: "Files and folders.", completion: .file()) var files: [String]
            @Option(name: .long, help: "The recording at MusicBrainz that the file is; for one file.") var mbid: String?
            @OptionGroup var folder: DataFolder
            @Flag(name: .long, help: "Print one JSON object.") var json = false

            func run() async throws {
                let files = try MusicFiles(files).files
                let recording = mbid.flatMap { UUID(uuidString: $0) }
                guard mbid == nil || (recording != nil && files.count == 1) else {
                    throw ValidationError("--mbid takes one UUID, for one file.")
                }
                try folder.make()
                let store = try await folder.fingerprintStore(.making)
                var (numbers, failures): ([Int], [String]) = ([], [])
                for file in files {
                    do throws(EarshotError) {
                        let submission = try await Self.submission(of: file.url, recording)
                        numbers += try await store.submit([submission])
                    } catch {
                        failures.append("\(file.id): \(error.message)")
                        if !json { Terminal.printError(failures.last ?? "") }
                    }
                }
                let isImported = try await importNow(store)
                if json {
                    Terminal.print(
                        try JSON.document(Report(added: numbers.count, failures: failures, imported: isImported))
                    )
                } else {
                    let what = DisplayText.plural(numbers.count, "fingerprint", "fingerprints")
                    Terminal.print(
                        isImported ? "Added \(what)" : "Handed \(what) to the service, which imports them soon"
                    )
                }
                if !failures.isEmpty { throw ExitCode(1) }
            }

            private struct Report: Encodable {
                var added: Int
                var failures: [String]
                var imported: Bool
            }

            /// Imports what waits, unless a running service has the index, or another node imports.
            private func importNow(_ store: any FingerprintTrackStore) async throws(EarshotError) -> Bool {
                let library: FingerprintLibrary
                do throws(EarshotError) {
                    library = try folder.fingerprints(store) { Terminal.printError($0.message) }
                } catch {
                    guard error.code == .storeUnavailable else { throw error }
                    return false
                }
                let leases = LeaseKeeper(try await folder.leases(), node: .random())
                return try await leases.run(FingerprintLibrary.importLease) { _ throws(EarshotError) in
                    try await library.importPending()
                } != nil
            }

            private static func submission(
                of url: URL,
                _ recording: UUID?
            ) async throws(EarshotError) -> FingerprintSubmission {
                let fingerprint = try await FileFingerprint(contentsOf: url)
                let asset = try await Asset.load(url)
                var values: [String: String] = [:]
                for name in asset.tags.names { values[name] = asset.tags[name] }
                let tags = TrackTags(values)
                var submission = FingerprintSubmission(
                    fingerprint: fingerprint.text,
                    duration: Int(fingerprint.duration.seconds),
                    application: "operator",
                    submitter: "operator",
                    date: Date()
                )
                let named = tags.identifiers.first { $0.scheme == .musicBrainzRecording }
                submission.recordings = [recording ?? named.flatMap { UUID(uuidString: $0.value) }].compactMap(\.self)
                var metadata = SubmittedMetadata()
                (metadata.track, metadata.artist) = (tags.title, tags.ownArtist)
                (metadata.album, metadata.albumArtist) = (tags.album, tags.albumArtist)
                (metadata.trackNumber, metadata.discNumber) = (tags.place.number, tags.disc.number)
                metadata.year = tags.date?.year
                submission.metadata = metadata.isEmpty ? nil : metadata
                guard !submission.recordings.isEmpty || metadata.track != nil else {
                    throw EarshotError(
                        .metadataInvalid,
                        "Neither a recording nor a title is known of it: name the recording with --mbid."
                    )
                }
                return submission
            }
        }

        struct Key: AsyncParsableCommand {
            static let configuration = CommandConfiguration(
                abstract: "Let a program in that comes with a key of its own.",
                discussion: """
                    Some programs always send the key that AcoustID gave them. Such a key is not secret: whoever sends it is \
                    served as the client named here, so give it one of its own, with a quota.
                    """
            )
            @Argument(help: "The key.") var key: String
            @Argument(help: "The id of the client that it stands for.") var client: String?
            @Flag(name: .long, help: "Let the key in no longer.") var remove = false
            @OptionGroup var folder: DataFolder
            @OptionGroup var format: JSONOption

            func validate() throws {
                guard remove == (client == nil) else {
                    throw ValidationError("Name the client that the key stands for, or say --remove.")
                }
            }

            func run() async throws {
                let register = ClientRegister(try await folder.accounts())
                try await register.setFingerprintKey(key, for: client)
                folder.record("admin fingerprints key", ["key": key, "client": client ?? "none"])
                try format.print(
                    client.map { "The key \(key) stands for client \($0)" } ?? "The key \(key) is let in no longer",
                    ["key": .string(key), "client": client.map { .string($0) } ?? .null]
                )
            }
        }
    }
}
