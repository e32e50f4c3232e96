import EarshotCatalogs
import EarshotCore
import EarshotBroadcast
import EarshotMusic
import EarshotRecognition
import EarshotSignatures
import Foundation

/// Makes the recognition service as the sender of a request sees it.
struct RecognitionServiceFactory: Sendable {
    /// Finds the positions at which a recording was broadcast on the channels that are fed to the service, best first. Blocks.
    typealias ChannelSearch = @Sendable (Signature, Date) throws(EarshotError) -> [BroadcastSources.ChannelPosition]

    let music: any MusicStore
    let guide: any GuideStore
    let catalog: CatalogProvider
    let queue: WorkQueue
    let criteria: [MatchCriterion]
    let addresses: SignedContentAddresses
    let pictures: (any PictureMaker)?
    let now: @Sendable () -> Date
    let searchChannels: ChannelSearch

    /// The service for background work, which has no sender.
    var service: LocalRecognitionService { service(for: .nobody, addresses) }

    /// Returns the service for a request.
    ///
    /// - Parameters:
    ///   - context: The request.
    ///   - coverage: Collects the part of the catalog that is searched; `nil` if nobody needs it.
    func service(for context: RequestContext, _ coverage: SearchCoverage? = nil) -> LocalRecognitionService {
        service(for: context.identity, addresses.reached(at: context.base), coverage)
    }

    /// Returns the service for a request of content, whose addresses are read with any base.
    func contentService(for context: RequestContext) -> LocalRecognitionService {
        service(for: context.identity, addresses)
    }

    private func service(
        for identity: Identity,
        _ addresses: SignedContentAddresses,
        _ coverage: SearchCoverage? = nil
    ) -> LocalRecognitionService {
        let (queue, catalog, now, searchChannels) = (queue, catalog, now, searchChannels)
        var service = LocalRecognitionService(
            music: music,
            limits: catalog.catalog.queryLimits,
            entitlements: identity.entitlements,
            criteria: criteria,
            addresses: addresses,
            pictures: pictures
        ) { signature throws(EarshotError) in
            let answer = try await catalog.match(signature, on: queue)
            coverage?.note(answer.searched)
            return answer.match
        }
        service.references = { track, artist throws(EarshotError) in
            let listed = try await catalog.listed()
            return try await queue.run { () throws(EarshotError) in
                try listed.references(ofTrack: track, artist: artist)
            }
        }
        let order = identity.client?.searchOrder ?? ServiceClient.standardOrder
        service.broadcast = BroadcastSources(guide: guide, order: order) { signature throws(EarshotError) in
            let date = now()
            return try await queue.run { () throws(EarshotError) in try searchChannels(signature, date) }
        }
        return service
    }
}
