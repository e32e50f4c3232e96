#if Service
    import CommandKit
    import Earshot
    import EarshotClient
    import EarshotRecognition
    import Foundation
    import Synchronization

    extension IdentifyCommand {
        /// Asks a service about every clip.
        func runOnService() async throws {
            let (remote, preferences) = try service.connect(language: language, country: country) { configuration in
                configuration.preferences.coverArt = cover
                configuration.preferences.singleBestMatch = !all
            }
            // A service that rejects whoever asks is asked no more; all other clips have the same answer.
            let rejection = Mutex<EarshotError?>(nil)
            try await tell(ClipList(clips).entries, jobs: jobs ?? 1) { clip in
                if let error = rejection.withLock(\.self) { throw error }
                do {
                    return try await Self.ask(remote, preferences, clip)
                } catch let error as EarshotError where error.failureKind == .clientIdentifierRejected {
                    rejection.withLock { $0 = error }
                    throw error
                }
            }
        }

        /// Anything that is heard may begin anywhere: clips are asked for as streams, whatever their length.
        private static func ask(
            _ service: HTTPRecognitionService,
            _ preferences: ContentPreferences,
            _ clip: String
        ) async throws -> (MediaTime, Answer.Content) {
            let limit = MediaTime.zero..<RecognitionClient.Policy.fileDuration
            let isSignature = Clip.url(clip).pathExtension.lowercased() == "earsig"
            let audio = try await Clip.audio(clip, range: isSignature ? nil : limit, onCut: RecordingSearch.noteCut)
            let signature = try audio.recognizable(named: clip)
            let matches = try await service.recognize(RecognitionQuery(signature, kind: .stream), preferences)
            return (signature.duration, .matches(matches.map { MatchRecord($0) }))
        }
    }
#else
    import CommandKit

    extension IdentifyCommand {
        func runOnService() async throws { throw LeftOutFeature.error("--server", "Service") }
    }
#endif
