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
            let (remote, preferences) = try service.connect(
                language: language,
                country: country,
                sendsSpectrograms: sending.spectrograms
            ) { configuration in
                configuration.preferences.coverArt = cover
                configuration.preferences.singleBestMatch = !all
            }
            let identifier = ServiceIdentifier(service: remote, preferences: preferences)
            try await identify(ClipList(clips).entries, jobs: jobs ?? 1, identifier)
        }
    }

    /// Identifies clips by a recognition service.
    private final class ServiceIdentifier: ClipIdentifier {
        private let service: any RecognitionService
        private let preferences: ContentPreferences
        private let rejection = Mutex<EarshotError?>(nil)

        init(service: any RecognitionService, preferences: ContentPreferences) {
            self.service = service
            self.preferences = preferences
        }

        func identify(_ clip: String) async throws -> Identification {
            // A service that rejects whoever asks is asked no more; all other clips have the same answer.
            if let error = rejection.withLock(\.self) { throw error }
            do {
                return try await ask(clip)
            } catch let error as EarshotError where error.failureKind == .clientIdentifierRejected {
                rejection.withLock { $0 = error }
                throw error
            }
        }

        /// Anything that is heard may begin anywhere: clips are asked for as streams, whatever their length.
        private func ask(_ clip: String) async throws -> Identification {
            let limit = MediaTime.zero..<RecognitionClient.Policy.fileDuration
            let isSignature = Clip.url(clip).pathExtension.lowercased() == "earsig"
            let audio = try await Clip.audio(clip, range: isSignature ? nil : limit, onCut: RecordingSearch.noteCut)
            let signature = try audio.recognizable(named: clip)
            let answer = try await service.answer(to: RecognitionQuery(signature, kind: .stream), preferences)
            return Identification(
                duration: signature.duration,
                matches: answer.matches.map { MatchRecord($0) },
                searched: answer.searched.map { ($0.references, $0.of) }
            )
        }
    }
#else
    import CommandKit

    extension IdentifyCommand {
        func runOnService() async throws { throw LeftOutFeature.error("--server", "Service") }
    }
#endif
