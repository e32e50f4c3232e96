import ArgumentParser
import Earshot
import EarshotClient
import EarshotMetadata
import Foundation

extension IdentifyCommand {
    /// What a service says about one clip.
    struct ServiceAnswer: Encodable {
        let clip: String
        let duration: Double
        let matches: [Found]

        struct Found: Encodable {
            let id: String?
            let title, artist, album, albumID: String?
            let offset: Double?
            let confidence, speedSkew, pitchSkew: Double?
            let queryRange, referenceRange: [Double]?
            let genres: [String]
            let links: [ExternalLink]?
            let coverArt: ContentImage?

            init(_ match: MusicMatch) {
                id = match.trackID?.rawValue
                title = match.trackTitle
                artist = match.artist
                album = match.albumTitle
                albumID = match.albumID?.rawValue
                let place = match.placement
                offset = match.songPosition.map { Double($0) / 1000 } ?? place?.offset
                confidence = place?.confidence
                speedSkew = place?.speedSkew
                pitchSkew = place?.pitchSkew
                queryRange = place.map { [$0.queryBegin, $0.queryEnd] }
                referenceRange = place.map { [$0.referenceBegin, $0.referenceEnd] }
                genres = match.trackGenre.map(\.name)
                links = match.trackLinks
                coverArt = match.coverArt
            }

            var line: String {
                let name = [artist, title].compactMap(\.self).joined(separator: " — ")
                return Console.bold(name.isEmpty ? id ?? "untitled" : name) + (album.map { "  \($0)" } ?? "")
            }
        }

        func print() {
            Console.say(Console.dim("\(clip) (\(Wording.length(MediaTime(seconds: duration))))"))
            if matches.isEmpty { Console.say("  Nothing matched.") }
            for match in matches {
                Console.say("  " + match.line)
                var details: [String] = []
                if let offset = match.offset { details.append("at \(Wording.position(MediaTime(seconds: offset)))") }
                if let confidence = match.confidence {
                    details.append("confidence \(Int((confidence * 100).rounded(.down))) %")
                }
                if let url = match.coverArt?.url { details.append("cover \(url)") }
                if !details.isEmpty { Console.say("    " + details.joined(separator: ", ")) }
            }
        }
    }

    /// Asks a service about every clip.
    func runOnService() async throws {
        let (remote, preferences) = try service.connect(language: language, country: country) { configuration in
            configuration.preferences.coverArt = cover
            configuration.preferences.singleBestMatch = !all
        }
        var answers: [ServiceAnswer] = []
        var failed = false
        for clip in clips {
            do {
                let answer = try await ask(remote, preferences, clip)
                answers.append(answer)
                if output.jsonl {
                    Console.say(try JSON.line(answer))
                } else if !output.json {
                    answer.print()
                }
            } catch let error as EarshotError where clips.count > 1 && error.failureKind != .clientIdentifierRejected {
                // One bad clip does not stop the others.
                Console.complain("\(clip): \(error.message)")
                failed = true
            }
        }
        if output.json { Console.say(try JSON.document(["clips": answers])) }
        if failed { throw ExitCode(1) }
        if answers.allSatisfy(\.matches.isEmpty) { throw ExitCode(3) }
    }

    /// Anything that is heard may begin anywhere: clips are asked for as streams, whatever their length.
    private func ask(
        _ service: HTTPRecognitionService,
        _ preferences: ContentPreferences,
        _ clip: String
    ) async throws -> ServiceAnswer {
        let limit = MediaTime.zero..<RecognitionClient.Policy.fileDuration
        let isSignature = Clip.url(clip).pathExtension.lowercased() == "earsig"
        let signature = try await Clip.signature(clip, range: isSignature ? nil : limit, toleratesCut: true)
        var matches: [MusicMatch] = []
        if !signature.isEmpty {
            matches = try await service.recognise(RecognitionQuery(signature, kind: .stream), preferences)
        }
        return ServiceAnswer(
            clip: clip,
            duration: signature.duration.seconds,
            matches: matches.map(ServiceAnswer.Found.init)
        )
    }
}
