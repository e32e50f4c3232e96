import EarshotCore
public import EarshotRecognition
public import Foundation

/// Says of whole collections which file is which track of which album.
///
/// ```swift
/// let identifier = AlbumIdentifier(service)
/// let result = try await identifier.identify(folder: music).value
/// for file in result.matched { print(file.file, file.match?.albumTitle ?? "", file.confidence) }
/// ```
///
/// Files are read and grouped by likely album. Each group is one query to the service, which may be in this process or
/// remote. All results come together at the end. One identification runs at a time; others wait.
public final class AlbumIdentifier: Sendable {
    /// The options of an identification.
    public struct Options: Sendable {
        /// The evidence to read from files and to use.
        public var evidence = AlbumEvidence.all
        /// The language and country of the answers.
        public var preferences = ContentPreferences()
        /// The number of files read concurrently.
        public var readers = 2
        /// The most files of a group; the service's own limit where that is less.
        public var groupLimit = 100

        /// The service and its version, as part of the key of cached answers: with another value, everything is asked
        /// again.
        public var scope = ""
        /// `true` to ignore cached attributes and answers; new ones are cached.
        public var isFresh = false

        /// Creates the default options.
        public init() {}
    }

    private let service: any AlbumRecognitionService
    private let options: Options
    private let cache: (any LibraryCache)?
    private let evidence: AlbumEvidence
    private let turn = Turn()

    /// An identifier.
    ///
    /// - Parameters:
    ///   - service: The service that knows the albums.
    ///   - options: The options of the identification.
    ///   - cache: The cache of attributes and answers, with which a second run resumes the first.
    public init(
        _ service: any AlbumRecognitionService,
        options: Options = Options(),
        cache: (any LibraryCache)? = nil
    ) {
        self.service = service
        self.options = options
        self.cache = cache
        evidence = options.evidence.intersection(service.usableEvidence)
    }

    /// Identifies the music below a folder, named by the paths from there.
    public func identify(folder: URL) -> AlbumOperation {
        operation { (report) async throws(EarshotError) in
            let folder = try await MusicFolder(folder)
            var result = AlbumIdentificationResult()
            result.failed = folder.failures
            return try await self.identified(folder.files, result, report)
        }
    }

    /// Identifies some files, named by their paths as they are given.
    public func identify(files: [URL]) -> AlbumOperation {
        let files = files.map { MusicFolder.File($0) }
        return operation { (report) async throws(EarshotError) in
            try await self.identified(files, AlbumIdentificationResult(), report)
        }
    }

    /// Identifies files by the given attributes alone, without opening a file.
    public func identify(_ attributes: [FileAttributes]) -> AlbumOperation {
        operation { (report) async throws(EarshotError) in
            var result = AlbumIdentificationResult()
            for file in attributes { result.attributes[file.id] = file.limited(to: self.evidence) }
            guard result.attributes.count == attributes.count else {
                throw EarshotError(.requestInvalid, "Two files have the same identifier: give each its own.")
            }
            let described = attributes.map { $0.limited(to: self.evidence) }
            return try await self.asked(described, stamps: [:], result, report)
        }
    }

    /// Identifies items of another library, such as those that a user picked on a device.
    public func identify(items: [any LibraryItem]) -> AlbumOperation {
        operation { (report) async throws(EarshotError) in
            let reader = AttributeReader(self.evidence)
            var result = AlbumIdentificationResult()
            var described: [FileAttributes] = []
            for (number, item) in items.enumerated() {
                guard !Task.isCancelled else { throw EarshotError(.cancelled, "The identification was canceled.") }
                let attributes = try await reader.attributes(of: item)
                guard result.attributes.updateValue(attributes, forKey: attributes.id) == nil else {
                    throw EarshotError(
                        .requestInvalid,
                        "Two library items have the identifier \(attributes.id): give each its own."
                    )
                }
                described.append(attributes)
                report(.reading(number + 1, of: items.count))
            }
            return try await self.asked(described, stamps: [:], result, report)
        }
    }

    // MARK: - Steps

    private func operation(
        _ work:
            @escaping @Sendable (_ report: @escaping @Sendable (AlbumEvent) -> Void) async throws(EarshotError)
            -> AlbumIdentificationResult
    ) -> AlbumOperation {
        AlbumOperation { [turn] report in
            do throws(EarshotError) {
                try await turn.take { report(.waiting) }
            } catch {
                return .failure(error)
            }
            let outcome: Result<AlbumIdentificationResult, EarshotError>
            do throws(EarshotError) {
                outcome = .success(try await work(report))
            } catch {
                outcome = .failure(error)
            }
            await turn.give()
            return outcome
        }
    }

    private func identified(
        _ files: [MusicFolder.File],
        _ result: AlbumIdentificationResult,
        _ report: @escaping @Sendable (AlbumEvent) -> Void
    ) async throws(EarshotError) -> AlbumIdentificationResult {
        var result = result
        for file in files { result.urls[file.id] = file.url }
        let gathering = TagCollector(
            evidence: evidence,
            readers: options.readers,
            cache: cache,
            isFresh: options.isFresh
        )
        let gathered = try await gathering.gather(files, report)
        for file in gathered.attributes { result.attributes[file.id] = file }
        result.failed += gathered.failures
        return try await asked(gathered.attributes, stamps: gathered.stamps, result, report)
    }

    private func asked(
        _ files: [FileAttributes],
        stamps: [String: FileCacheKey],
        _ result: AlbumIdentificationResult,
        _ report: @escaping @Sendable (AlbumEvent) -> Void
    ) async throws(EarshotError) -> AlbumIdentificationResult {
        var result = result
        let limit = min(options.groupLimit, service.albumQueryLimit)
        let groups = FileGrouping(limit: limit, evidence: evidence).groups(files)
        var inARow = 0
        var hasAnswer = false
        for (number, group) in groups.enumerated() {
            guard !Task.isCancelled else { throw EarshotError(.cancelled, "The identification was canceled.") }
            report(.querying(number + 1, of: groups.count))
            do {
                for decision in try await decisions(group, stamps, &result) {
                    if decision.match == nil {
                        result.unmatched.append(decision)
                    } else {
                        result.matched.append(decision)
                    }
                }
                (inARow, hasAnswer) = (0, true)
            } catch {
                guard error.code != .cancelled else { throw error }
                // One question that goes wrong does not take the others with it; a service that is gone is not asked hundreds
                // of times.
                result.failed += group.map { FileFailure(file: $0.id, error) }
                guard error.code != .requestInvalid, error.code != .malformedResponse else { continue }
                inARow += 1
                guard inARow == Self.mostFailures || groups.count == inARow else { continue }
                guard hasAnswer else { throw error }
                result.failed += groups[(number + 1)...].joined().map { FileFailure(file: $0.id, error) }
                break
            }
        }
        return result
    }

    /// The number of questions in a row without an answer after which no more are asked.
    private static let mostFailures = 3

    /// The answers for a group: those of an earlier run where nothing has changed since.
    private func decisions(
        _ group: [FileAttributes],
        _ stamps: [String: FileCacheKey],
        _ result: inout AlbumIdentificationResult
    ) async throws(EarshotError) -> [FileDecision] {
        let known = group.compactMap { file in stamps[file.id].map { (id: file.id, stamp: $0) } }
        let key = known.count == group.count ? GroupKey(known, evidence, scope: options.scope) : nil
        if let key, !options.isFresh, let kept = try await cache?.decisions(of: key) { return kept }
        result.queryCount += 1
        // What files sound like is kept elsewhere meanwhile.
        let read = try await cache?.attributes(of: known.map(\.stamp), evidence: evidence) ?? [:]
        let whole = group.map { file in
            guard let kept = stamps[file.id].flatMap({ read[$0.file] }) else { return file }
            var file = file
            (file.signature, file.fingerprint) = (kept.signature, kept.fingerprint)
            return file
        }
        let query = AlbumQuery(whole, evidence: evidence)
        let answer = try await service.answer(to: query, options.preferences)
        let answered = answer.decisions
        guard answered.map(\.file) == group.map(\.id) else {
            throw EarshotError(
                .malformedResponse,
                "The service answered for other files than it was asked for: ask again."
            )
        }
        // Another search may decide otherwise once the rest of the catalog is there.
        if let key, answer.searched == nil { try await cache?.keep(answered, for: key) }
        return answered
    }
}

/// Lets one in at a time, in the order of coming.
private actor Turn {
    private var isTaken = false
    private var waiting: [(id: Int, continuation: CheckedContinuation<Bool, Never>)] = []
    private var count = 0

    func take(_ waits: @Sendable () -> Void) async throws(EarshotError) {
        guard isTaken else {
            isTaken = true
            return
        }
        waits()
        count += 1
        let id = count
        let isIn = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                if Task.isCancelled {
                    continuation.resume(returning: false)
                } else {
                    waiting.append((id, continuation))
                }
            }
        } onCancel: {
            Task { await self.leave(id) }
        }
        guard isIn else { throw EarshotError(.cancelled, "The identification was canceled.") }
    }

    func give() {
        guard !waiting.isEmpty else {
            isTaken = false
            return
        }
        waiting.removeFirst().continuation.resume(returning: true)
    }

    private func leave(_ id: Int) {
        guard let index = waiting.firstIndex(where: { $0.id == id }) else { return }
        waiting.remove(at: index).continuation.resume(returning: false)
    }
}
