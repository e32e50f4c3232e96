import EarshotBroadcast
import EarshotCatalogs
public import EarshotCore
import EarshotMusic
import EarshotSignatures
import Foundation

extension LocalRecognitionService {
    /// Recognizes a broadcast: searches the sources of ``broadcast`` in order, until the first one with a match.
    ///
    /// A reference belongs to the archive if its name, or its media item's `workID` or `serviceID`, is the identifier
    /// of a work in the guide. A match from the archive contains a summary of the work; fetch the work from the guide
    /// for the rest.
    ///
    /// - Throws: `signatureInvalid`, `signatureDurationInvalid`, and the errors of the catalog and the stores.
    public func recognizeBroadcast(
        _ query: RecognitionQuery,
        _ preferences: ContentPreferences
    ) async throws(EarshotError) -> BroadcastAnswer {
        let order = broadcast?.order ?? [.music]
        let limit = preferences.singleBestMatch ? 1 : Self.matchLimit
        // The catalog is searched once, however often its turn comes.
        var found: [(ReferenceMatch, MediaTime, VideoWork?)]?
        for source in order {
            var matches: [BroadcastMatch] = []
            switch source {
            case .television:
                guard let broadcast, let channels = broadcast.channels else { continue }
                for place in try await channels(query.signature).prefix(limit) {
                    if let match = try await match(of: place, in: broadcast.guide) { matches.append(match) }
                }
            case .archive, .music:
                if found == nil { found = try await references(query.signature) }
                let wanted = (found ?? []).filter { ($0.2 != nil) == (source == .archive) }
                guard !wanted.isEmpty else { continue }
                if source == .archive {
                    matches = wanted.prefix(limit).compactMap { reference, start, work in
                        work.map { match(of: $0, reference, start) }
                    }
                } else {
                    matches = try await tracks(wanted.map { ($0.0, $0.1) }, query.kind, preferences)
                        .map { BroadcastMatch(music: $0) }
                }
            }
            if !matches.isEmpty { return BroadcastAnswer(source: source, matches: matches) }
        }
        return BroadcastAnswer()
    }

    /// The references in which a signature is found, each with the instant of the query's slice, and its work.
    private func references(
        _ signature: Signature
    ) async throws(EarshotError) -> [(ReferenceMatch, MediaTime, VideoWork?)] {
        guard let (match, start) = try await found(signature) else { return [] }
        var references: [(ReferenceMatch, MediaTime, VideoWork?)] = []
        for reference in match.references { references.append((reference, start, try await work(of: reference))) }
        return references
    }

    private func work(of reference: ReferenceMatch) async throws(EarshotError) -> VideoWork? {
        guard let guide = broadcast?.guide else { return nil }
        let items = reference.items(at: nil).flatMap { [$0[.workID]?.string, $0.serviceID] }
        for id in items.compactMap(\.self) + [reference.id.rawValue] {
            if let work = try await guide.work(EntityID(id), links: false) { return work }
        }
        return nil
    }

    private func match(of work: VideoWork, _ reference: ReferenceMatch, _ start: MediaTime) -> BroadcastMatch {
        var match = BroadcastMatch(title: work.title.text, subtitle: work.subtitle?.text)
        match.work = work.summary
        match.position = Int((reference.best.shifted(toPartAt: start).offset.seconds * 1_000).rounded())
        match.placement = placement(of: reference, start)
        return match
    }

    /// A match for the airing on a channel; for the channel alone if the guide does not know it.
    private func match(
        of place: BroadcastSources.ChannelPosition,
        in guide: any GuideSource
    ) async throws(EarshotError) -> BroadcastMatch? {
        var match: BroadcastMatch
        if let airing = try await guide.airing(on: place.channel, at: place.broadcast) {
            match = BroadcastMatch(title: airing.program.title.text, subtitle: airing.program.subtitle?.text)
            match.airing = entitlements.contains(.guide) ? airing.entitled(to: entitlements) : nil
            match.position = Int((place.broadcast.timeIntervalSince(airing.start) * 1_000).rounded())
        } else {
            match = BroadcastMatch(
                title: try await guide.channel(place.channel, links: false)?.name.text ?? place.channel.rawValue
            )
        }
        match.behindLive = Int((place.behindLive * 1_000).rounded())
        return match
    }
}

extension MediaItemKey {
    /// The identifier of the work of which the reference is the sound.
    fileprivate static let workID: MediaItemKey = "workID"
}
