import EarshotBroadcast
import EarshotCore
import EarshotMonitor
import EarshotMusic
import Foundation

/// More about what is on: what is asked for once a match is there. A guide on this device answers it, or a service.
protocol SecondaryQueries: Sendable {
    /// A work in full; nothing when it is not known.
    func work(_ work: VideoWork) async throws -> VideoWork?
    /// A programme in full, with its credits; nothing when it is not known.
    func program(_ program: Program) async throws -> Program?
    /// What a channel shows next, behind an instant; nothing when that is not known.
    func next(on channel: BroadcastChannel, after date: Date) async throws -> Airing?
}

/// Answers from a guide, wherever it is kept.
struct GuideQueries: SecondaryQueries {
    let guide: any GuideStore

    func work(_ work: VideoWork) async throws -> VideoWork? { try await guide.work(work.id, links: false) }

    func program(_ program: Program) async throws -> Program? { try await guide.program(program.id, links: false) }

    func next(on channel: BroadcastChannel, after date: Date) async throws -> Airing? {
        // What begins within six hours; the one that is on now has begun before.
        let soon = date.addingTimeInterval(6 * 3_600)
        return try await guide.airings(on: [channel.id], from: date, to: soon).first { $0.start >= date }
    }
}

/// What secondary queries brought of one match.
struct Details: Sendable {
    var work: VideoWork?
    var program: Program?
    var next: Airing?

    /// Asks for all that there may be of a match.
    static func load(_ match: MonitorMatch, from queries: any SecondaryQueries) async throws -> Details {
        var details = Details()
        let work = match.work ?? match.airing?.program.work
        if let work { details.work = try await queries.work(work) ?? work }
        if let airing = match.airing {
            details.program = try await queries.program(airing.program)
            details.next = try await queries.next(on: airing.channel, after: airing.end)
        }
        return details
    }

    /// The details as lines.
    var lines: [String] {
        var lines: [String] = []
        if let work {
            let minutes = work.duration.map { "\($0 / 60_000) min" }
            let facts = [work.date.map { "\($0.year)" }, work.kind == .other ? nil : work.kind.rawValue, minutes]
            lines.append(([work.title.text] + facts.compactMap(\.self)).joined(separator: ", "))
        }
        if let synopsis = program?.synopsis?.text ?? work?.synopsis?.text { lines.append(synopsis) }
        for credit in (program?.credits ?? work?.credits ?? []).prefix(4) {
            lines.append("\(credit.role.rawValue): \(credit.name)" + (credit.character.map { " as \($0)" } ?? ""))
        }
        if let next {
            lines.append("next on \(next.channel.callSign ?? next.channel.name.text): \(next.program.title.text)")
        }
        return lines
    }
}
