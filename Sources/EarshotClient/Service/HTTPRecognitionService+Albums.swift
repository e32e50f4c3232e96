import EarshotAPI
public import EarshotCore
public import EarshotRecognition
import Foundation
import NIOHTTP1

extension HTTPRecognitionService: AlbumRecognitionService {
    /// The largest number of files in one album query.
    public var albumQueryLimit: Int { AlbumDecisions.fileLimit }

    /// Identifies the files of a query together. Evidence that the query does not allow is not sent, and file
    /// identifiers are replaced by numbers. Audio is never sent. There is no time limit: the request ends if it is
    /// canceled or the connection is lost.
    ///
    /// - Throws: The errors of `RecognitionService`; `requestInvalid` for two files with the same identifier;
    ///   `malformedResponse` for a response about other files, or an inconsistent one.
    public func identify(
        _ query: AlbumQuery,
        _ preferences: ContentPreferences
    ) async throws(EarshotError) -> [FileDecision] {
        try await answer(to: query, preferences).decisions
    }

    /// Identifies the files of a query as ``identify(_:_:)`` does, and reports the part of the service's catalog that was
    /// searched.
    ///
    /// - Throws: The errors of ``identify(_:_:)``.
    public func answer(
        to query: AlbumQuery,
        _ preferences: ContentPreferences
    ) async throws(EarshotError) -> AlbumAnswer {
        let names = query.files.map(\.id)
        guard Set(names).count == names.count else {
            throw EarshotError(.requestInvalid, "Two files have the same identifier: give each its own.")
        }
        var numbered = query
        for index in numbered.files.indices { numbered.files[index].id = String(index + 1) }
        let body: Data
        do {
            body = try JSONEncoder().encode(AlbumRequest(numbered))
        } catch {
            throw EarshotError(.internalError, "The request could not be encoded: please report this.", cause: error)
        }
        let call = HTTPCall(
            .POST,
            path: "albums/identifications",
            parameters: preferences.parameters.map { ($0.name, $0.value) },
            body: body,
            bodyType: "application/json",
            // A hundred files may take a service longer than any other question, and nobody waits at a screen for each.
            isLasting: true
        )
        let received = try value(AlbumDecisions.self, try await authorized(call))
        let decisions = received.files
        guard decisions.map(\.file) == numbered.files.map(\.id) else {
            throw EarshotError(
                .malformedResponse,
                "The service answered for other files than it was asked for: ask again."
            )
        }
        var named: [FileDecision] = []
        for (index, decision) in decisions.enumerated() {
            guard decision.isPossible else {
                throw EarshotError(
                    .malformedResponse,
                    "The service's answer for file \(index + 1) is inconsistent: tell its operator."
                )
            }
            var decision = decision
            decision.file = names[index]
            decision.match = decision.match.map(resolved)
            if let first = decision.duplicateOf {
                guard let number = Int(first), names.indices.contains(number - 1), number - 1 != index else {
                    throw EarshotError(
                        .malformedResponse,
                        "The service names a file that it was not asked for: tell its operator."
                    )
                }
                decision.duplicateOf = names[number - 1]
            }
            named.append(decision)
        }
        return AlbumAnswer(named, searched: received.searched)
    }
}

extension FileDecision {
    /// `true` if shares are shares, and numbers of tracks are such as albums have.
    fileprivate var isPossible: Bool {
        let shares = [confidence, albumConfidence, editionConfidence]
        guard shares.allSatisfy({ (0...1).contains($0) }), reasons.count <= 100,
            reasons.allSatisfy({ $0.weight.isFinite && $0.text.utf8.count <= 4_000 })
        else { return false }
        guard let match else { return true }
        let numbers = [
            match.track.number, match.album.trackCount, match.track.discNumber ?? 0, match.track.discTrackCount ?? 0,
            match.album.discCount ?? 0,
        ]
        return numbers.allSatisfy { (-1...100_000).contains($0) }
    }
}
