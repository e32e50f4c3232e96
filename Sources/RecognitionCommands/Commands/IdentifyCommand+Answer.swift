import CommandKit
import Earshot
import EarshotRecognition
import Foundation

#if Service
#endif

extension IdentifyCommand {
    /// The answer for one clip.
    struct Answer: Sendable {
        /// What a clip is.
        enum Content: Sendable {
            /// What a catalog knows.
            case plays([Play])
            /// What a service knows.
            case matches([MatchRecord])
            /// Why nothing is known.
            case failure(EarshotError)
        }

        let clip: String
        /// When it was begun to be looked for.
        let began = Date()
        /// The length of the clip; zero of one that failed.
        let duration: MediaTime
        let content: Content

        /// Looks for a clip. A clip that fails has an answer too.
        ///
        /// - Throws: `cancelled`.
        init(
            _ entry: ClipList.Entry,
            _ look: @Sendable (String) async throws -> (MediaTime, Content)
        ) async throws {
            clip = entry.name
            do {
                if let failure = entry.failure { throw failure }
                (duration, content) = try await look(entry.name)
            } catch let error as EarshotError where error.code != .cancelled {
                duration = .zero
                content = .failure(error)
            }
        }

        var hasMatches: Bool {
            switch content {
            case .plays(let plays): !plays.isEmpty
            case .matches(let matches): !matches.isEmpty
            case .failure: false
            }
        }

        /// The answer as JSON.
        var record: ClipRecord {
            var record = ClipRecord(clip: clip)
            switch content {
            case .plays(let plays): record.matches = plays.map { MatchRecord($0, withItems: true) }
            case .matches(let matches): record.matches = matches
            case .failure(let error): record.error = ErrorRecord(error)
            }
            if record.error == nil { record.duration = ResultSchema.rounded(duration.seconds) }
            return record
        }

        /// The longest play of each reference, longest first.
        static func best(of plays: [Play]) -> [Play] {
            var seen: Set<ReferenceID> = []
            func length(_ play: Play) -> Double {
                (play.queryRange.upperBound - play.queryRange.lowerBound).seconds
            }
            // Of plays about as long as each other the surer one comes first.
            let order = plays.enumerated().sorted {
                let (first, second) = (length($0.element).rounded(), length($1.element).rounded())
                if plays.count > 1, first > 15 || second > 15, first != second { return first > second }
                if $0.element.score != $1.element.score { return $0.element.score > $1.element.score }
                return $0.offset < $1.offset
            }
            return order.map(\.element).filter { seen.insert($0.id).inserted }
        }

        /// Prints the answer for a person; a failure is said elsewhere.
        func print(all: Bool) {
            if case .failure = content { return }
            Terminal.print(Terminal.dim("\(Terminal.shown(clip)) (\(DisplayText.position(duration)))"))
            if !hasMatches { Terminal.print("  Nothing matched.") }
            switch content {
            case .plays(let plays): for play in plays { print(play, all: all) }
            case .matches(let matches): for match in matches { print(match) }
            case .failure: break
            }
        }

        private func print(_ play: Play, all: Bool) {
            Terminal.print("  " + Terminal.bold(DisplayText.name(play.id, play.items)))
            let length = DisplayText.position(play.referenceDuration)
            var place = "    at \(DisplayText.position(play.offset)) of \(length)"
            if duration.seconds > 15 || all {
                place =
                    "    heard \(DisplayText.position(play.queryRange.lowerBound)) to "
                    + "\(DisplayText.position(play.queryRange.upperBound)), "
                    + "from \(DisplayText.position(play.referenceRange.lowerBound)) of \(length)"
            }
            let skew = DisplayText.skew(speed: play.speedSkew, pitch: play.pitchSkew)
            Terminal.print("\(place), \(skew), confidence \(Int((play.confidence * 100).rounded(.down))) %")
            if let other = play.duplicateOf {
                Terminal.print(Terminal.dim("    the same audio as \(other)"))
            }
            if all, !play.alternatives.isEmpty {
                let places = play.alternatives.map(DisplayText.position).joined(separator: ", ")
                Terminal.print(Terminal.dim("    fits as well at \(places)"))
            }
        }

        private func print(_ record: MatchRecord) {
            let name = [record.artist, record.title].compactMap(\.self).joined(separator: " — ")
            let shown = name.isEmpty ? record.trackID ?? record.id ?? "untitled" : name
            Terminal.print("  " + Terminal.bold(shown) + (record.album.map { "  \($0)" } ?? ""))
            var details: [String] = []
            if let offset = record.offset { details.append("at \(DisplayText.position(MediaTime(seconds: offset)))") }
            if let confidence = record.confidence {
                details.append("confidence \(Int((confidence * 100).rounded(.down))) %")
            }
            #if Service
                if let cover = record.coverArt?.value as? ContentImage { details.append("cover \(cover.url)") }
            #endif
            if !details.isEmpty { Terminal.print("    " + details.joined(separator: ", ")) }
        }
    }
}
