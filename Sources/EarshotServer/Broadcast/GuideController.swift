import EarshotAPI
import EarshotBroadcast
import EarshotCore
import EarshotMusic
import EarshotRecognition
import Foundation
import Hummingbird

/// Answers questions about works, programs, channels and airings.
struct GuideController: Controller {
    let guide: any GuideStore

    /// The most records of one answer.
    private static let guideLimit = 1_000
    /// The longest time span of a guide in an answer, in seconds: 32 days.
    private static let longestSpan: TimeInterval = 32 * 86_400

    private static let links = Endpoint.Parameter(
        name: "links",
        schema: Schemas.flag,
        summary: "1: with identifiers in others' catalogs."
    )

    var endpoints: [Endpoint] {
        func answer(_ name: String, _ summary: String) -> Endpoint.Response {
            Endpoint.Response(
                status: 200,
                summary: summary,
                type: "application/json",
                schema: Schemas.reference(name)
            )
        }
        let limit = Endpoint.Parameter(
            name: "limit",
            schema: ["type": "integer", "minimum": 1, "maximum": .integer(Self.guideLimit), "default": 100],
            summary: "How many, at most."
        )
        func date(_ name: String, _ summary: String) -> Endpoint.Parameter {
            Endpoint.Parameter(name: name, schema: ["type": "string", "format": "date-time"], summary: summary)
        }
        return [
            Endpoint(
                method: .get,
                path: "/v1/works",
                id: "works",
                summary: "Works in whose titles all words of a text stand.",
                tag: "Broadcasts",
                access: .client,
                module: .monitoring,
                entitlement: .works,
                parameters: [.text("title", "Words of the title.", isRequired: true), limit],
                responses: [answer("WorkList", "The works, those with exactly this title first.")],
                handler: { context in
                    let (title, limit) = try titleAndLimit(context)
                    return try .json(WorkList(try await guide.works(titled: title, limit: limit)))
                }
            ),
            Endpoint(
                method: .get,
                path: "/v1/works/{id}",
                id: "work",
                summary: "A work with all that is known of it.",
                tag: "Broadcasts",
                access: .client,
                module: .monitoring,
                entitlement: .works,
                parameters: [.id("The work."), Self.links],
                responses: [answer("WorkList", "The work."), .notFound],
                handler: { context in
                    let (id, links) = try idAndLinks(context)
                    guard let work = try await guide.work(EntityID(id), links: links) else {
                        throw EarshotError.missing("work", id)
                    }
                    return try .json(WorkList([work]))
                }
            ),
            Endpoint(
                method: .get,
                path: "/v1/programs",
                id: "programs",
                summary: "Programmes in whose titles all words of a text stand.",
                tag: "Broadcasts",
                access: .client,
                module: .monitoring,
                entitlement: .guide,
                parameters: [.text("title", "Words of the title.", isRequired: true), limit],
                responses: [answer("ProgramList", "The programmes, those with exactly this title first.")],
                handler: { context in
                    let (title, limit) = try titleAndLimit(context)
                    let programs = try await guide.programs(titled: title, limit: limit)
                    return try .json(ProgramList(programs.map { $0.entitled(to: context.identity.entitlements) }))
                }
            ),
            Endpoint(
                method: .get,
                path: "/v1/programs/{id}",
                id: "program",
                summary: "A programme with its credits and contributors.",
                tag: "Broadcasts",
                access: .client,
                module: .monitoring,
                entitlement: .guide,
                parameters: [.id("The programme."), Self.links],
                responses: [answer("ProgramList", "The programme."), .notFound],
                handler: { context in
                    let (id, links) = try idAndLinks(context)
                    guard let program = try await guide.program(EntityID(id), links: links) else {
                        throw EarshotError.missing("programme", id)
                    }
                    return try .json(ProgramList([program.entitled(to: context.identity.entitlements)]))
                }
            ),
            Endpoint(
                method: .get,
                path: "/v1/channels",
                id: "channels",
                summary: """
                    All channels, or the one of an identifier that comes from elsewhere: from the service itself \
                    (televisionChannel) or a guide (xmltv).
                    """,
                tag: "Broadcasts",
                access: .client,
                module: .monitoring,
                entitlement: .guide,
                parameters: [
                    .text("identifier", "The identifier."), .text("tag", "The word that goes with it."),
                    Endpoint.Parameter(
                        name: "source",
                        schema: Schemas.choice(BroadcastChannel.IdentifierSource.allCases.map(\.rawValue)),
                        summary: "Where the identifier comes from; televisionChannel where nothing is said."
                    ), Self.links,
                ],
                responses: [answer("ChannelList", "The channels.")],
                handler: { try await channels($0) }
            ),
            Endpoint(
                method: .get,
                path: "/v1/channels/{id}",
                id: "channel",
                summary: "A channel.",
                tag: "Broadcasts",
                access: .client,
                module: .monitoring,
                entitlement: .guide,
                parameters: [.id("The channel."), Self.links],
                responses: [answer("ChannelList", "The channel."), .notFound],
                handler: { context in
                    let (id, links) = try idAndLinks(context)
                    guard let channel = try await guide.channel(EntityID(id), links: links) else {
                        throw EarshotError.missing("channel", id)
                    }
                    return try .json(ChannelList([channel]))
                }
            ),
            Endpoint(
                method: .get,
                path: "/v1/airings",
                id: "airings",
                summary: "What channels show: now, or in a span of at most 32 days, what began before it too.",
                tag: "Broadcasts",
                access: .client,
                module: .monitoring,
                entitlement: .guide,
                parameters: [
                    Endpoint.Parameter(
                        name: "channel",
                        schema: ["type": "array", "items": ["type": "string", "maxLength": 128], "maxItems": 10],
                        summary: "A channel; said once for each, up to 10 times. All where it is left out."
                    ),
                    date("from", "The begin of the span; now where it is left out."),
                    date("to", "The end of the span; a second behind its begin where it is left out."), limit,
                ],
                responses: [answer("AiringList", "The airings, in order of beginnings.")],
                handler: { try await airings($0) }
            ),
        ]
    }

    private func titleAndLimit(_ context: RequestContext) throws(EarshotError) -> (String, Int) {
        guard let title = try context.text("title") else {
            throw EarshotError(.requestInvalid, "The parameter title is missing: give words of the title.")
        }
        return (title, try context.number("limit", 1...Self.guideLimit, default: 100))
    }

    private func idAndLinks(_ context: RequestContext) throws(EarshotError) -> (String, Bool) {
        let links = try context.flag("links")
        try check(links, context)
        return (try context.path("id"), links)
    }

    private func check(_ links: Bool, _ context: RequestContext) throws(EarshotError) {
        guard !links || context.identity.entitlements.contains(.externalIdentifiers) else {
            throw EarshotError(
                .accessDenied,
                "The client is not entitled to externalIdentifiers: ask without links, or let the operator grant it."
            )
        }
    }

    private func channels(_ context: RequestContext) async throws -> Response {
        let links = try context.flag("links")
        try check(links, context)
        guard let identifier = try context.text("identifier") else {
            return try .json(ChannelList(try await guide.channels(links: links)))
        }
        let name = try context.text("source") ?? BroadcastChannel.IdentifierSource.televisionChannel.rawValue
        guard let source = BroadcastChannel.IdentifierSource(rawValue: name) else {
            let known = BroadcastChannel.IdentifierSource.allCases.map(\.rawValue).joined(separator: " or ")
            throw EarshotError(.requestInvalid, "source is \"\(name.prefix(40))\": say \(known).")
        }
        let channel = try await guide.channel(
            identifier: identifier,
            tag: try context.text("tag") ?? "",
            source: source,
            links: links
        )
        return try .json(ChannelList([channel].compactMap(\.self)))
    }

    private func airings(_ context: RequestContext) async throws -> Response {
        let start = try context.date("from") ?? context.now
        let end = try context.date("to") ?? start.addingTimeInterval(1)
        guard end > start, end.timeIntervalSince(start) <= Self.longestSpan else {
            throw EarshotError(
                .requestInvalid,
                "The parameter to is not after from, or more than 32 days after it: choose another span."
            )
        }
        let channels = context.parameters.filter { $0.name == "channel" && !$0.value.isEmpty }
            .map { EntityID<BroadcastChannel>($0.value) }
        // Ten of the longest names, percent-encoded, just fit into the 16 KiB of an address that HTTP parsers accept.
        guard channels.count <= 10, channels.allSatisfy({ $0.rawValue.utf8.count <= 512 }) else {
            throw EarshotError(
                .requestInvalid,
                "The parameter channel occurs more than 10 times, or has more than 512 bytes: ask for fewer channels."
            )
        }
        let limit = try context.number("limit", 1...Self.guideLimit, default: 100)
        let airings = try await guide.airings(
            on: channels.isEmpty ? nil : channels,
            from: start,
            to: end,
            limit: limit
        )
        return try .json(AiringList(airings.map { $0.entitled(to: context.identity.entitlements) }))
    }
}
