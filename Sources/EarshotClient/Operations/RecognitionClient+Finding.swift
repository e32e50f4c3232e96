import EarshotCore
import EarshotMusic
import EarshotRecognition
import EarshotSignatures

extension RecognitionClient {
    private typealias Question =
        @Sendable (any RecognitionService, ContentPreferences) async throws(EarshotError) -> [MusicMatch]

    /// Carries out the search of an operation.
    func find(
        _ request: SearchRequest,
        _ job: Job<SearchResult>,
        hasMicrophone: Bool
    ) async throws(EarshotError) -> SearchResult {
        let preferences = job.configuration.preferences
        let result: SearchResult
        switch request {
        case .microphone:
            let signature = try await recorded(job, hasMicrophone: hasMicrophone)
            result = try await recognize(signature, .stream, preferences, job)
        case .stream(let samples):
            result = try await recognize(try await made(samples, .stream, job), .stream, preferences, job)
        case .file(let url):
            result = try await recognize(try await read(url, job), .file, preferences, job)
        case .fileSamples(let samples):
            result = try await recognize(try await made(samples, .file, job), .file, preferences, job)
        case .fingerprint(let fingerprint):
            // A search: what is there to choose from, whatever recognitions are to answer.
            var several = preferences
            several.singleBestMatch = false
            result = try await recognize(fingerprint.signature, fingerprint.kind, several, job)
        case .text(let query):
            let texts = [query.artist, query.album, query.track, query.anything]
            guard texts.contains(where: { $0?.contains { !$0.isWhitespace } == true }) else {
                throw EarshotError(
                    .requestInvalid,
                    "The search has no text: give an artist, an album or a track."
                )
            }
            result = try await ask(preferences, job) { service, preferences throws(EarshotError) in
                try await service.search(query, preferences)
            }
        case .lyrics(let query):
            guard query.fragment.contains(where: { !$0.isWhitespace }) else {
                throw EarshotError(.requestInvalid, "The search has no words: give some words of the song.")
            }
            result = try await ask(preferences, job) { service, preferences throws(EarshotError) in
                try await service.search(query, preferences)
            }
        case .track(let id):
            result = try await fetch(.init(id, job.configuration), job) { service, preferences throws(EarshotError) in
                try await service.track(id, preferences).map { [$0] } ?? []
            }
        case .album(let id):
            result = try await fetch(.init(id, job.configuration), job) { service, preferences throws(EarshotError) in
                try await service.album(id, preferences).map { [$0] } ?? []
            }
        }
        await keep(result, job)
        return result
    }

    private func recognize(
        _ signature: Signature,
        _ kind: RecognitionQuery.Kind,
        _ preferences: ContentPreferences,
        _ job: Job<SearchResult>
    ) async throws(EarshotError) -> SearchResult {
        // Silence is like nothing, which no service need be asked about.
        guard !signature.isEmpty else {
            enter(.querying, job)
            return SearchResult()
        }
        let query = RecognitionQuery(signature, kind: kind)
        let found = try await ask(preferences, job) { service, preferences throws(EarshotError) in
            try await service.recognize(query, preferences)
        }
        let matches = found.matches.prefix(preferences.singleBestMatch ? 1 : Policy.matchLimit).map { match in
            var match = match
            // A file begins with its track.
            if kind == .file { match.songPosition = nil }
            return match
        }
        return SearchResult(matches)
    }

    private func fetch(
        _ key: ResultCache.Key,
        _ job: Job<SearchResult>,
        _ question: @escaping Question
    ) async throws(EarshotError) -> SearchResult {
        if let kept = cache?.match(key) {
            enter(.querying, job)
            return SearchResult([kept])
        }
        let result = try await ask(job.configuration.preferences, job, question)
        if let best = result.best { cache?.keep(best, key) }
        return result
    }

    /// Asks the service when the turn of the operation comes, for as long as the policy lets it.
    private func ask(
        _ preferences: ContentPreferences,
        _ job: Job<SearchResult>,
        _ question: @escaping Question
    ) async throws(EarshotError) -> SearchResult {
        let service = (service as? any ConfiguredService)?.configured(job.configuration) ?? service
        return try await inTurn { () async throws(EarshotError) -> SearchResult in
            enter(.querying, job)
            let outcome = await withTimeLimit(policy.queryLimit, clock: clock) {
                () async -> Result<[MusicMatch], EarshotError> in
                do throws(EarshotError) {
                    return .success(try await question(service, preferences))
                } catch {
                    return .failure(error)
                }
            }
            return SearchResult(try outcome.result(policy.queryLimit, "The query").get())
        }
    }

    private func keep(_ result: SearchResult, _ job: Job<SearchResult>) async {
        guard job.operation.kind.isKeptInHistory, let best = result.best, let history, !job.operation.isCancelling
        else {
            return
        }
        do {
            try await history.record(best, from: job.operation.kind)
        } catch {
            log(job, "the history fails: \(error)")
        }
    }
}
