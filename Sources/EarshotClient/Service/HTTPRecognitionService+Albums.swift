import EarshotAPI
public import EarshotCatalogs
public import EarshotCore
public import EarshotMetadata
import Foundation
import NIOHTTP1

extension HTTPRecognitionService: AlbumRecognitionService {
    /// The most files of one question.
    public var albumQueryLimit: Int { AlbumDecisions.fileLimit }

    /// Decides for all files of a question together. What may not be used of them is not sent, and audio never is.
    /// There is no limit of time: it is given up when it is cancelled, or the connection is lost.
    public func identify(
        _ query: AlbumQuery,
        _ preferences: ContentPreferences
    ) async throws(EarshotError) -> [FileDecision] {
        let body: Data
        do {
            body = try JSONEncoder().encode(AlbumRequest(query))
        } catch {
            throw EarshotError(.internalError, "The question could not be written.", cause: error)
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
        var decisions = try value(AlbumDecisions.self, try await authorised(call)).files
        for index in decisions.indices { decisions[index].match = decisions[index].match.map(resolved) }
        return decisions
    }
}
