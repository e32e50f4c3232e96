import EarshotAPI
import EarshotCatalogs
import EarshotCore
import EarshotMedia
import EarshotMusic
import EarshotNodes
import EarshotRecognition
import EarshotSignatures
import Foundation

/// Makes tracklists of received recordings: runs their jobs.
struct TracklistWorker: Sendable {
    /// The share of the work that is done when the recording is decoded.
    static let decodedShare = 0.3
    /// The share of the work that is done when the catalog is searched.
    private static let searchedShare = 0.97
    /// The longest time of a search. Recordings of others wait meanwhile.
    private static let searchTime = Duration.seconds(1_800)
    /// Searches compute for minutes, so they must not use the threads that tasks share.
    private static let searching = DispatchQueue(label: "earshot.tracklist", qos: .utility)

    let files: TracklistFiles
    let decoder: any UploadDecoder
    let catalog: CatalogProvider
    let services: RecognitionServiceFactory
    let accounts: any AccountStore
    let quota: QuotaMeter
    let disk: DiskReserve
    let now: @Sendable () -> Date
    /// Removes the paths of the service's folders from failures.
    let concealed: ConcealedFolders

    /// Makes a tracklist.
    ///
    /// - Returns: The number of its entries.
    /// - Throws: Errors of decoding and searching, `quotaExceeded`, `cancelled`, and `writeFailed`.
    func run(
        _ job: Job,
        _ progress: @escaping @Sendable (Double) -> Void
    ) async throws(EarshotError) -> String? {
        let recording = job.order.input["recording"] ?? ""
        do throws(EarshotError) {
            try await disk.admit()
            let count = try await make(job, recording, progress)
            files.removeRecording(recording)
            return "\(count)"
        } catch {
            // A job that a restart cancels begins again, and needs its recording.
            if error.code != .cancelled { files.removeRecording(recording) }
            throw concealed.concealed(error)
        }
    }

    private func make(
        _ job: Job,
        _ recording: String,
        _ progress: @escaping @Sendable (Double) -> Void
    ) async throws(EarshotError) -> Int {
        let signature = try await signature(of: files.recording(recording))
        progress(Self.decodedShare)
        let shares = try await shares(of: job)
        // The first minute was counted by the request that sent the recording.
        let minutes = max(0, Int((signature.duration.seconds / 60).rounded(.up)) - 1)
        if minutes > 0 { try await quota.use(shares, count: minutes, at: now()) }
        do throws(EarshotError) {
            let plays = try await plays(in: signature, progress)
            progress(Self.searchedShare)
            let name = job.order.input["name"] ?? ""
            let named = try await Self.named(plays, services.service.music(of: plays))
            let list = Tracklist(recording: name, duration: signature.duration, plays: named.map(\.play))
            let record = TracklistRecord(list, named)
            let json = try Self.json(record)
            let (files, id) = (files, job.id)
            try await BlockingWork.run { () throws(EarshotError) in
                let cue = Data(list.cueSheet().utf8)
                try files.keep([.json: json, .cue: cue, .csv: Data(list.table(isInert: true).utf8)], of: id)
            }
            return list.entries.count
        } catch {
            if minutes > 0 { quota.giveBack(shares, count: minutes, at: now()) }
            throw error
        }
    }

    /// Returns the quotas against which the search counts.
    static func shares(_ client: ServiceClient, user: String?) -> [QuotaMeter.Share] {
        var shares = [QuotaMeter.Share(subject: QuotaMeter.subject(client: client.id), limit: client.quota)]
        if let user {
            shares.append(QuotaMeter.Share(subject: QuotaMeter.subject(user: user), limit: client.userQuota))
        }
        return shares
    }

    private func shares(of job: Job) async throws(EarshotError) -> [QuotaMeter.Share] {
        guard let id = job.order.input["client"] else { return [] }
        guard let client = try await accounts.client(id), client.isEnabled else {
            throw EarshotError(
                .accessDenied,
                "The client of this job may no longer use the service: ask with another client."
            )
        }
        return Self.shares(client, user: job.order.input["user"])
    }

    private func signature(of url: URL) async throws(EarshotError) -> Signature {
        let handle: FileHandle
        let isSignature: Bool
        do {
            handle = try FileHandle(forReadingFrom: url)
            isSignature = UploadReader.isSignature([UInt8](try handle.read(upToCount: 64) ?? Data()))
            try handle.seek(toOffset: 0)
        } catch {
            throw EarshotError(.assetUnavailable, "The recording is not there any more: send it again.", cause: error)
        }
        defer { try? handle.close() }
        guard isSignature else { return try await decoder.signature(reading: handle, limit: nil) }
        do {
            guard try handle.seekToEnd() <= UInt64(UploadReader.signatureLimit) else {
                throw UploadFile.tooLarge(UploadReader.signatureLimit)
            }
            try handle.seek(toOffset: 0)
            return try Signature(data: try handle.readToEnd() ?? Data())
        } catch let error as EarshotError {
            throw error
        } catch {
            throw EarshotError(.readFailed, "The recording could not be read: send it again.", cause: error)
        }
    }

    /// Returns the plays in a recording. Canceling the task ends the search.
    private func plays(
        in signature: Signature,
        _ progress: @escaping @Sendable (Double) -> Void
    ) async throws(EarshotError) -> [Play] {
        let catalog = try await catalog.whole()
        guard !catalog.isEmpty else { return [] }
        let cancellation = Cancellation()
        let deadline = ContinuousClock.now + Self.searchTime
        let span = Self.searchedShare - Self.decodedShare
        let result: Result<[Play], EarshotError> = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                Self.searching.async {
                    let found = Result { () throws(EarshotError) -> [Play] in
                        try catalog.plays(in: signature) { share throws(EarshotError) in
                            if cancellation.isCancelled { throw EarshotError(.cancelled, "The search was canceled.") }
                            guard ContinuousClock.now < deadline else {
                                throw EarshotError(
                                    .timedOut,
                                    "The search took longer than half an hour: send the recording in shorter parts."
                                )
                            }
                            progress(Self.decodedShare + span * share)
                        }
                    }
                    continuation.resume(returning: found)
                }
            }
        } onCancel: {
            cancellation.cancel()
        }
        return try result.get()
    }

    /// A play with the metadata of its music.
    typealias NamedPlay = (play: Play, music: MusicMatch)

    /// Returns plays whose media items have titles, artists and albums of the music store, where it has them.
    private static func named(_ plays: [Play], _ music: [MusicMatch]) throws(EarshotError) -> [NamedPlay] {
        var named: [NamedPlay] = []
        for (play, match) in zip(plays, music) {
            var properties = play.items.first?.properties ?? [:]
            if let title = match.track.title { properties[.title] = .string(title) }
            if let artist = match.artist.name { properties[.artist] = .string(artist) }
            if let album = match.album.title { properties[.album] = .string(album) }
            properties[.timeRanges] = nil
            properties[.frequencySkewRanges] = nil
            let play = Play(
                id: play.id,
                items: [try MediaItem(properties: properties)],
                referenceDuration: play.referenceDuration,
                placement: play.placement,
                alternatives: play.alternatives,
                duplicateOf: play.duplicateOf
            )
            named.append((play, match))
        }
        return named
    }

    private static func json(_ record: TracklistRecord) throws(EarshotError) -> Data {
        do {
            return try ServiceAPI.encoder().encode(record)
        } catch {
            throw EarshotError(.internalError, "A tracklist could not be encoded.", cause: error)
        }
    }
}

extension TracklistRecord {
    /// Creates the record of a tracklist, with the metadata of its music.
    init(_ list: Tracklist, _ named: [TracklistWorker.NamedPlay]) {
        let music = Dictionary(named.map { ($0.play, $0.music) }, uniquingKeysWith: { first, _ in first })
        self.init(
            clip: list.recording,
            duration: Self.rounded(list.duration),
            matches: list.entries.flatMap { [$0.play] + $0.duplicates }.map { Entry($0, music[$0]) },
            unknown: list.unknown.map {
                Gap(queryBegin: Self.rounded($0.lowerBound), queryEnd: Self.rounded($0.upperBound))
            }
        )
    }

    /// Returns a number rounded to five decimals.
    fileprivate static func rounded(_ value: Double) -> Double { (value * 100_000).rounded() / 100_000 }
}

extension TracklistRecord.Entry {
    fileprivate init(_ play: Play, _ music: MusicMatch?) {
        func rounded(_ time: MediaTime) -> Double { TracklistRecord.rounded(time.seconds) }
        self.init(id: play.id.rawValue)
        let item = play.items.first
        (title, artist, album) = (item?.title, item?.artist, item?[.album]?.string)
        (trackID, albumID) = (music?.track.id?.rawValue, music?.album.id?.rawValue)
        (queryBegin, queryEnd) = (rounded(play.queryRange.lowerBound), rounded(play.queryRange.upperBound))
        referenceBegin = rounded(play.referenceRange.lowerBound)
        referenceEnd = rounded(play.referenceRange.upperBound)
        referenceDuration = play.referenceDuration.isNumeric ? rounded(play.referenceDuration) : nil
        offset = rounded(play.offset)
        speedSkew = TracklistRecord.rounded(play.speedSkew)
        pitchSkew = TracklistRecord.rounded(play.pitchSkew)
        confidence = TracklistRecord.rounded(play.confidence)
        duplicateOf = play.duplicateOf?.rawValue
    }
}
