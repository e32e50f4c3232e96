#if Service
    import CommandKit
    import Earshot
    import EarshotIngest
    import EarshotNodes
    import EarshotPostgreSQL
    import EarshotSharedCatalogs
    import Foundation
    import Synchronization

    /// Makes references of files for a catalog that services share, together with other machines.
    struct SharedBuild: Sendable {
        /// Files that are to be entered, with what is known of them before.
        struct Plan: Sendable {
            var files: [IngestFile]
            /// Folders that could not be looked into.
            var skipped: [IngestFailure] = []
            /// Files that the table of media items names and that are not among them.
            var unknownFiles: [String] = []

            /// Files with names and media items of their own.
            ///
            /// - Throws: `requestInvalid` for a path that is not absolute, `referenceExists` if two files would have one name.
            init(_ files: [IngestFile]) throws(EarshotError) {
                var paths: [ReferenceID: String] = [:]
                for file in files {
                    guard file.path.hasPrefix("/") else {
                        throw EarshotError(
                            .requestInvalid,
                            "\(file.path.prefix(500)) is no absolute path: other machines could not find the file."
                        )
                    }
                    let other = paths.updateValue(file.path, forKey: file.id)
                    guard other == nil || other == file.path else {
                        throw EarshotError(
                            .referenceExists,
                            "\(other ?? "") and \(file.path) would both be named \(file.id): rename one of them."
                        )
                    }
                }
                self.files = IngestFile.distinct(files)
            }

            /// The files below folders, those of a list, and those of exported folders.
            ///
            /// - Throws: The errors of ``CatalogBuild/sources(_:list:)`` and of the table.
            init(_ paths: [String], list: URL?, items table: ItemTable?) throws {
                let (found, exported) = try CatalogBuild.sources(paths, list: list)
                let entries = exported.flatMap(\.entries)
                let assignment = try table.map { table in
                    try ItemAssignment(table, files: found.files, ids: entries.map(\.id))
                }
                let files = try found.files.map { file in
                    let items = try assignment?.items(for: file.id, over: []) ?? []
                    return IngestFile(id: file.id, path: file.url.path, items: items)
                }
                try self.init(
                    files
                        + entries.map { entry in
                            let items = try assignment?.items(for: entry.id, over: entry.items) ?? entry.items
                            return IngestFile(id: entry.id, path: entry.file.path, items: items)
                        }
                )
                (skipped, unknownFiles) = (found.failures, assignment?.unknown.map(\.file) ?? [])
            }
        }

        let name: String
        /// Files that are read at the same time; `nil` for one a core.
        var jobs: Int?
        /// The folders on this machine for those of the machine that entered the files.
        var roots: [RootArgument] = []
        private let store: any IngestStore
        private let objects: any ObjectStore

        /// Opens the database and the bucket.
        ///
        /// - Parameter access: Says what happens if there is no service in the database.
        /// - Throws: `configurationInvalid`, `storeUnavailable`.
        init(_ name: String, _ nodes: NodeOptions, _ access: DatabaseAccess) async throws(EarshotError) {
            try Self.check(name)
            self.name = name
            objects = try nodes.objects()
            // Before the database, in which something may be made.
            try await objects.check()
            store = try await PostgreSQLManifestStore(try await nodes.pool(access, for: .catalogs))
        }

        /// Checks the name of a catalog.
        ///
        /// - Throws: `configurationInvalid`.
        static func check(_ name: String) throws(EarshotError) {
            guard ResourceName.isValid(name) else {
                throw EarshotError(
                    .configurationInvalid,
                    "\(name.prefix(120)) is no name of a catalog in a bucket: it has 1 to 64 letters, digits, hyphens, dots and underscores."
                )
            }
        }

        // MARK: - Entering

        /// Makes the catalog if there is none.
        ///
        /// - Parameter options: The shortest and the longest query.
        /// - Throws: `destinationExists` if there is one that takes other queries.
        func create(_ options: CatalogBuild.Options) async throws(EarshotError) {
            guard try await !store.create(name, limits: options.limits(over: .standard)),
                let there = try await store.manifest(of: name), there.limits != options.limits(over: there.limits)
            else { return }
            let shortest = DisplayText.length(there.limits.minimum)
            throw EarshotError(
                .destinationExists,
                "The catalog \(name) takes queries from \(shortest) to \(DisplayText.length(there.limits.maximum)): choose another name, or "
                    + "leave the limits out."
            )
        }

        /// Enters files.
        ///
        /// - Returns: A report with files that the catalog has already.
        func enter(_ plan: Plan) async throws(EarshotError) -> CatalogBuild.Report {
            let before = try await store.progress(of: name)
            let present = try await store.enter(plan.files, in: name)
            var report = CatalogBuild.Report(catalog: name, skipped: plan.skipped)
            report.unknownFiles = plan.unknownFiles
            // A run that goes on meets what it has brought before it was interrupted.
            report.resumed = before.left > 0 ? min(present, before.added) : 0
            report.unchanged = present - report.resumed
            return report
        }

        // MARK: - Working

        /// Works until no file is left.
        ///
        /// - Parameter report: The report so far.
        /// - Throws: The status 130 if Ctrl-C ended the work; what was read is in the catalog then.
        func work(_ report: CatalogBuild.Report? = nil) async throws -> CatalogBuild.Report {
            let start = Date()
            var report = report ?? CatalogBuild.Report(catalog: name)
            let folder = FileManager.default.temporaryDirectory
                .appendingPathComponent("earshot-ingest-\(UUID().uuidString)", isDirectory: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            let tally = Tally()
            var worker = try await IngestWorker(
                name,
                store: store,
                cache: SegmentCache(folder, catalog: name, objects: objects),
                read: { [roots] file async throws(EarshotError) in try await Self.read(file, roots, tally) },
                observe: tally.take
            )
            worker.jobs = jobs ?? ProcessInfo.processInfo.activeProcessorCount
            let hint = "Interrupted. What was read is in the catalog: the same command goes on there."
            try await InterruptibleWork.run(hint) { [worker] in try await self.run(worker, tally) }
            let progress = try await store.progress(of: name)
            report.added = progress.added
            report.unchanged += progress.present
            report.skipped += try await store.failures(of: name).map {
                IngestFailure(file: $0.path, code: $0.failure.code, message: $0.failure.message)
            }
            report.durationWarnings = tally.warnings
            report.audioSeconds = tally.audioSeconds
            if let manifest = try await store.manifest(of: name) {
                (report.references, report.bytes) = (manifest.count, manifest.size)
            }
            report.seconds = Date().timeIntervalSince(start)
            return report
        }

        /// Runs a worker, and shows how far all machines are.
        private func run(_ worker: IngestWorker, _ tally: Tally) async throws {
            let begin = try await store.progress(of: name)
            let bar = ProgressBar(total: begin.entered, done: begin.entered - begin.left)
            defer { bar.finish() }
            let watching = Task {
                while (try? await Task.sleep(for: .seconds(1))) != nil {
                    guard let now = try? await store.progress(of: name) else { continue }
                    bar.reach(now.entered - now.left + tally.waitingCount, waitingForOthers: tally.isWaitingForOthers)
                }
            }
            defer { watching.cancel() }
            try await worker.run()
        }

        /// Makes the reference of a file.
        private static func read(
            _ file: IngestFile,
            _ roots: [RootArgument],
            _ tally: Tally
        ) async throws(EarshotError) -> Catalog.Addition {
            let path = roots.lazy.compactMap { $0.path(of: file.path) }.first ?? file.path
            if let failure = MissingFile.failure(at: path) { throw failure }
            let url = URL(fileURLWithPath: path)
            do {
                let signed = try await SignedFile(url)
                if let warning = signed.durationWarning { tally.take(warning) }
                let tags = try signed.tags.map { tags in
                    let stamp = [MediaItemKey.sourceStamp: PropertyValue.string(try SourceStamp.stamp(of: url))]
                    return try MediaItem(properties: tags.properties.merging(stamp) { _, new in new })
                }
                return Catalog.Addition(id: file.id, signature: signed.signature, items: try file.items(over: tags))
            } catch let error as EarshotError {
                // Its disk may have gone while it was read.
                throw MissingFile.failure(at: path) ?? error
            } catch is CancellationError {
                throw EarshotError(.cancelled, "Reading \(path) was canceled.")
            } catch {
                throw EarshotError(
                    .internalError,
                    "\(path) could not be read: please report this, with the cause.",
                    cause: error
                )
            }
        }

        /// The count of what this machine has read.
        private final class Tally: Sendable {
            private let state = Mutex(
                (audioSeconds: 0.0, waiting: 0, isWaitingForOthers: false, warnings: [DurationWarning](), told: "")
            )

            var audioSeconds: Double { state.withLock { $0.audioSeconds } }
            /// References that are not in the catalog yet.
            var waitingCount: Int { state.withLock { $0.waiting } }
            /// Says that this machine has nothing to do until others have done what they hold.
            var isWaitingForOthers: Bool { state.withLock { $0.isWaitingForOthers } }
            var warnings: [DurationWarning] { state.withLock { $0.warnings.sorted { $0.file < $1.file } } }

            func take(_ warning: DurationWarning) { state.withLock { $0.warnings.append(warning) } }

            func take(_ event: IngestWorker.Event) {
                switch event {
                case .read(_, let audio):
                    state.withLock { state in
                        state.audioSeconds += audio.seconds
                        state.waiting += 1
                        state.isWaitingForOthers = false
                    }
                case .waiting(let error):
                    // Once for one that lasts.
                    let isNew = state.withLock { state in
                        defer { state.told = error.message }
                        return state.told != error.message
                    }
                    if isNew { Terminal.note("Waiting: \(error.message)") }
                case .settled(let count):
                    state.withLock { state in
                        state.waiting -= count
                        state.told = ""
                    }
                case .waitingForOthers: state.withLock { $0.isWaitingForOthers = true }
                case .failed: state.withLock { $0.isWaitingForOthers = false }
                }
            }
        }
    }
#endif
