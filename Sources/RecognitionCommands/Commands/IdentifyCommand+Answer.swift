import CommandKit
import Earshot
import Foundation

/// Says what a clip is: a catalog of this machine, or a service.
protocol ClipIdentifier: Sendable {
    func identify(_ clip: String) async throws -> Identification
}

/// The result of identifying a clip.
struct Identification: Sendable {
    /// The length of the clip.
    let duration: MediaTime
    /// The matches, in the order in which they are shown.
    let matches: [MatchRecord]
    /// The best play, for the history; `nil` if a service was asked.
    var best: Play?
    /// The number of references that were searched, and of all; `nil` if those are the same.
    var searched: (references: Int, all: Int)?
}

/// Identifies clips by a catalog: all of each clip is searched, whatever its length.
struct CatalogIdentifier: ClipIdentifier {
    let catalog: Catalog
    /// `true` if all plays are matches, in order of time, instead of the best one of each reference.
    let givesAll: Bool
    /// `true` if the search also looks beneath what was found.
    let isThorough: Bool
    let hasBar: Bool

    func identify(_ clip: String) async throws -> Identification {
        let audio = try await Clip.audio(clip, spectrogram: .all, onCut: RecordingSearch.noteCut)
        let signature = try audio.recognizable(named: clip, atLeast: catalog.queryLimits.minimum)
        let plays = try RecordingSearch.plays(
            in: signature,
            named: clip,
            catalog: catalog,
            isThorough: isThorough,
            hasBar: hasBar
        )
        let shown = givesAll ? plays : plays.bestPerReference()
        return Identification(
            duration: signature.duration,
            matches: shown.map { MatchRecord($0, withItems: true) },
            best: shown.first
        )
    }
}

extension IdentifyCommand {
    /// The answer for one clip.
    struct Answer: Sendable {
        let clip: String
        /// The time at which the search for it began.
        let began = Date()
        let result: Result<Identification, EarshotError>

        /// Asks what a clip is. A clip that fails has an answer too.
        ///
        /// - Throws: `cancelled`.
        init(_ entry: ClipList.Entry, _ identifier: some ClipIdentifier) async throws {
            clip = entry.name
            do {
                if let failure = entry.failure { throw failure }
                result = .success(try await identifier.identify(entry.name))
            } catch let error as EarshotError where error.code != .cancelled {
                result = .failure(error)
            }
        }

        /// The length of the clip; zero of one that failed.
        var duration: MediaTime { (try? result.get())?.duration ?? .zero }

        /// The answer as JSON.
        var record: ClipRecord {
            var record = ClipRecord(clip: clip)
            switch result {
            case .success(let found):
                record.matches = found.matches
                record.duration = ResultSchema.rounded(found.duration.seconds)
                record.searched = found.searched.map { SearchedRecord(references: $0.references, of: $0.all) }
            case .failure(let error): record.error = ErrorRecord(error)
            }
            return record
        }

        /// Prints the answer for a person; a failure is said elsewhere.
        func print(all: Bool) {
            guard case .success(let found) = result else { return }
            Terminal.print(Terminal.dim("\(Terminal.shown(clip)) (\(DisplayText.position(found.duration)))"))
            if found.matches.isEmpty { Terminal.print("  Nothing matched.") }
            for match in found.matches {
                let lines = MatchText(match).lines(
                    showsPart: all || found.duration.seconds > 15,
                    showsAlternatives: all
                )
                for line in lines { Terminal.print(line) }
            }
            if let (references, all) = found.searched {
                Terminal.print("  \(references) of \(all) references could be searched: others may match too.")
            }
        }
    }
}
