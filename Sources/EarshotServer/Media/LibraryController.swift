import EarshotAPI
import EarshotAnalysis
import EarshotCore
import EarshotRecognition
import EarshotLibrary
import Foundation
import HTTPTypes
import Hummingbird

/// Analyzes and searches the media folders as a library.
struct LibraryController: Controller {
    let access: MediaAccess

    /// The largest number of candidates in a response, and of files of each.
    private static let candidateLimit = 100
    static let assetLimit = 500

    var endpoints: [Endpoint] {
        let run = Endpoint.Response(
            status: 200,
            summary: "The run.",
            type: "application/json",
            schema: Schemas.reference("AnalysisRun")
        )
        return [
            Endpoint(
                method: .post,
                path: "/v1/library/analyses",
                id: "analyse",
                summary: """
                    Has the files below a folder analyzed in the background. What was analyzed before and has not changed is not read again, \
                    so that a run that was ended is gone on with by asking for it anew.
                    """,
                tag: "Media",
                access: .right(.media),
                body: ["application/json": Schemas.reference("AnalysisRequest")],
                responses: [
                    Endpoint.Response(
                        status: 202,
                        summary: "Accepted.",
                        type: "application/json",
                        schema: Schemas.reference("AnalysisRun")
                    ), .notFound, .failure(413, "The body is too large."), .failure(415, "The body is not JSON."),
                ],
                handler: { try await analyze($0) }
            ),
            Endpoint(
                method: .get,
                path: "/v1/library/analyses/{id}",
                id: "analysisRun",
                summary: "How far a run is, with the files of which something failed.",
                tag: "Media",
                access: .right(.media),
                parameters: [.id("The run.")],
                responses: [run, .notFound],
                handler: { context in try .json(try await analysisRun(context)) }
            ),
            Endpoint(
                method: .delete,
                path: "/v1/library/analyses/{id}",
                id: "removeAnalysisRun",
                summary: "Ends a run that is not over, and forgets one that is. Results stay.",
                tag: "Media",
                access: .right(.media),
                parameters: [.id("The run.")],
                responses: [Endpoint.Response(status: 204, summary: "Ended, or forgotten."), .notFound],
                handler: { context in
                    let id = try await analysisRun(context).id
                    try await access.service().analyses.remove(id)
                    return .empty
                }
            ),
            Endpoint(
                method: .get,
                path: "/v1/library/search",
                id: "searchLibrary",
                summary: """
                    What a command such as "play album moondance", or a name alone, may mean in the media folders: all candidates, the best \
                    first, and none chosen where somebody has to choose. While the folders are still being looked at, the answer is of what \
                    is known so far.
                    """,
                tag: "Media",
                access: .right(.media),
                parameters: [
                    Endpoint.Parameter(
                        name: "q",
                        schema: ["type": "string", "minLength": 1, "maxLength": 400],
                        summary: "The command or the name.",
                        isRequired: true
                    ),
                    Endpoint.Parameter(
                        name: "limit",
                        schema: [
                            "type": "integer", "minimum": 1, "maximum": .integer(Self.candidateLimit), "default": 20,
                        ],
                        summary: "How many candidates, at most."
                    ), .flag("tracks", "tell what each file of the candidates is called."),
                ],
                responses: [
                    Endpoint.Response(
                        status: 200,
                        summary: "The candidates.",
                        type: "application/json",
                        schema: Schemas.reference("LibraryAnswer")
                    ), .notFound,
                ],
                handler: { try await searchLibrary($0) }
            ),
        ] + lists
    }

    // MARK: - Analyses

    private func analysisRun(_ context: RequestContext) async throws(EarshotError) -> AnalysisRun {
        let media = try access.service()
        let id = try context.path("id")
        guard let run = await media.analyses.run(id, for: context.identity.owner) else {
            throw EarshotError.missing("run", id)
        }
        return run
    }

    private func analyze(_ context: RequestContext) async throws -> Response {
        let media = try access.service()
        let request = try await context.document(AnalysisRequest.self)
        let known = media.analyses.analyzers.map(\.name)
        let wanted = request.analyzers ?? known
        guard !wanted.isEmpty else {
            throw EarshotError(.requestInvalid, "The run has no analyses: name some, or leave them out for all.")
        }
        for name in wanted where !known.contains(name) {
            throw EarshotError(
                .requestInvalid,
                "There is no analysis \"\(name.prefix(40))\": choose from \(known.joined(separator: ", "))."
            )
        }
        let place = try await media.place(request.folder, .folder)
        let run = try await media.analyses.submit(
            folder: place.id,
            analyzers: known.filter { wanted.contains($0) },
            owner: context.identity.name
        )
        return try .json(run, .accepted)
    }

    // MARK: - Search

    private func searchLibrary(_ context: RequestContext) async throws -> Response {
        let media = try access.service()
        guard let text = try context.text("q") else {
            throw EarshotError(.requestInvalid, "The parameter q is missing: give a command or a name.")
        }
        let limit = try context.number("limit", 1...Self.candidateLimit, default: 20)
        let isNaming = try context.flag("tracks")
        let state = await media.index.state()
        let roots = media.roots
        let answer = try await media.queue.run { () throws(EarshotError) in
            // A text that is no command is the name of something to play.
            let command = (try? LibraryCommand(text)) ?? .play(text)
            let resolution = CommandResolver(state.index).resolve(command)
            var answer = LibraryAnswer(resolution, limit, Self.assetLimit, state, roots)
            guard isNaming else { return answer }
            for (place, candidate) in resolution.candidates.prefix(limit).enumerated() {
                answer.candidates[place].tracks = LibraryTrack.tracks(candidate.items.prefix(Self.assetLimit), roots)
            }
            return answer
        }
        return try .json(answer)
    }
}

extension LibraryAnswer {
    /// Creates the wire form of the interpretations of a command.
    fileprivate init(
        _ resolution: CommandResolution,
        _ limit: Int,
        _ assetLimit: Int,
        _ state: MediaIndexState,
        _ roots: MediaRoots
    ) {
        let (command, source): (String, String?) =
            switch resolution.command {
            case .source(let word): ("source", word.rawValue)
            case .nextTrack: ("nextTrack", nil)
            case .playAlbum: ("playAlbum", nil)
            case .playTrack: ("playTrack", nil)
            case .playArtist: ("playArtist", nil)
            case .play: ("play", nil)
            }
        let candidates = resolution.candidates.prefix(limit)
        self.init(
            command: command,
            name: source ?? resolution.command.name,
            candidates: candidates.map { Candidate($0, assetLimit, roots) },
            choice: resolution.choice.flatMap { choice in candidates.firstIndex { $0.subject == choice.subject } },
            indexed: state.index.count,
            isComplete: state.isComplete
        )
    }
}

extension LibraryAnswer.Candidate {
    fileprivate init(_ candidate: LibraryCandidate, _ limit: Int, _ roots: MediaRoots) {
        let (kind, artist, album): (Kind, String?, String?) =
            switch candidate.subject {
            case .album(let album): (.album, album.artist, nil)
            case .artist: (.artist, nil, nil)
            case .track(let item): (.track, item.artist, item.album)
            }
        let items = candidate.items
        self.init(
            kind: kind,
            name: candidate.name,
            artist: artist,
            album: album,
            reason: candidate.reason.rawValue,
            score: candidate.score,
            assets: items.prefix(limit).compactMap { $0.assetURL.flatMap(roots.id) },
            assetCount: items.count
        )
    }
}
