import EarshotAPI
import EarshotCatalogs
import EarshotCore
import EarshotLibrary
import EarshotMusic
import EarshotNodes
import EarshotRecognition
import Foundation
import Hummingbird
import Logging
import Synchronization

/// Reports the state of the service to the operator: its contents, load, latency, memory and disk.
struct StateController: Controller {
    let recorder: StateRecorder
    let catalog: CatalogProvider
    let music: any MusicStore
    let accounts: any AccountStore
    let published: OfferedCatalogs
    let jobs: JobQueue
    let media: MediaService?
    let disk: DiskReserve
    let log: LogBuffer
    /// The time at which the service started.
    let began: Date
    private let served = ServedCache()

    init(
        recorder: StateRecorder,
        catalog: CatalogProvider,
        music: any MusicStore,
        accounts: any AccountStore,
        published: OfferedCatalogs,
        jobs: JobQueue,
        media: MediaService?,
        disk: DiskReserve,
        log: LogBuffer,
        began: Date
    ) {
        self.recorder = recorder
        self.catalog = catalog
        self.music = music
        self.accounts = accounts
        self.published = published
        self.jobs = jobs
        self.media = media
        self.disk = disk
        self.log = log
        self.began = began
    }

    /// The state as the operator's page shows it.
    private struct State: Encodable {
        let now: Date
        let began: Date
        let current: StateRecorder.Sample
        let samples: [StateRecorder.Sample]
        /// The interval of samples, in seconds.
        let interval: Double
        let answers: [Int]
        let latency: StateRecorder.Latency
        let recognitionLatency: StateRecorder.Latency
        let disk: Disk?
        let jobs: Load
        let exports: Load?
        let analyses: Load?
        let served: Served
        /// The number of errors among the log lines that are kept.
        let errors: Int
    }

    private struct Disk: Encodable {
        let size: Int
        let free: Int
        /// The bytes that stay free.
        let reserve: Int
    }

    private struct Load: Encodable {
        let running: Int
        let waiting: Int
    }

    /// The contents that the service serves. They are counted when the catalog has changed, and else at most every half minute, because
    /// counting a large store takes time.
    struct Served: Encodable, Sendable {
        let references: Int
        /// The bytes of the catalog.
        let catalogSize: Int
        /// `true` if references can be added and removed.
        let isChangeable: Bool
        let music: MusicCounts
        let clients: Int
        let publishedCatalogs: Int
        let mediaFolders: [String]
        /// The number of known files in the media folders.
        let mediaFiles: Int
    }

    private final class ServedCache: Sendable {
        let state = Mutex<(served: Served, time: Date, generation: UInt64)?>(nil)
    }

    private static let patience = 30.0

    var endpoints: [Endpoint] {
        [
            Endpoint(
                method: .get,
                path: "/v1/admin/state",
                id: "state",
                summary: """
                    How the service is: what it serves, what it works on, how long requests took in the last five minutes, memory, disk, \
                    and samples of the last quarter of an hour.
                    """,
                tag: "Operator",
                access: .admin,
                parameters: [
                    Endpoint.Parameter(
                        name: "after",
                        schema: Schemas.time,
                        summary: "The time after which samples come; all that are kept where it is left out."
                    )
                ],
                responses: [
                    Endpoint.Response(
                        status: 200,
                        summary: "The state.",
                        type: "application/json",
                        schema: Schemas.reference("ServiceState")
                    )
                ],
                handler: { try await state($0) }
            )
        ]
    }

    private func state(_ context: RequestContext) async throws -> Response {
        let after = try context.date("after") ?? .distantPast
        let (recorder, disk) = (recorder, disk)
        let (current, volume) = try await BlockingWork.run { () throws(EarshotError) in
            (recorder.current(), disk.state())
        }
        let latency = recorder.latency
        let work = try await jobs.load
        var exports: Load?
        var analyses: Load?
        if let media {
            if let load = await media.exports?.load { exports = Load(running: load.running, waiting: load.waiting) }
            let load = await media.analyses.load
            analyses = Load(running: load.running, waiting: load.waiting)
        }
        return try .json(
            State(
                now: context.now,
                began: began,
                current: current,
                samples: recorder.samples(after: after),
                interval: StateRecorder.interval,
                answers: recorder.answers,
                latency: latency.all,
                recognitionLatency: latency.recognitions,
                disk: volume.map { Disk(size: $0.size, free: $0.free, reserve: $0.reserve) },
                jobs: Load(running: work.running, waiting: work.waiting),
                exports: exports,
                analyses: analyses,
                served: try await served(at: context.now),
                errors: log.lines(after: 0, level: .error).count
            )
        )
    }

    private func served(at now: Date) async throws(EarshotError) -> Served {
        let generation = catalog.generation
        if let known = served.state.withLock({ $0 }), known.generation == generation,
            abs(now.timeIntervalSince(known.time)) < Self.patience
        {
            return known.served
        }
        let found = Served(
            references: catalog.referenceCount,
            catalogSize: catalog.byteCount,
            isChangeable: catalog.isChangeable,
            music: try await music.counts(),
            clients: try await accounts.clients().count,
            publishedCatalogs: try await published.newest().count,
            mediaFolders: media?.roots.roots.map(\.name) ?? [],
            mediaFiles: await media?.index.state().index.count ?? 0
        )
        served.state.withLock { $0 = (found, now, generation) }
        return found
    }
}
