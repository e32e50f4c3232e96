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
        let name: String
        /// Files that are read at the same time; `nil` for one a core.
        var jobs: Int?
        /// Where folders of the machine that entered the files are on this one.
        var roots: [RootArgument] = []
        private let store: any IngestStore
        private let objects: any ObjectStore

        /// Opens the database and the bucket.
        ///
        /// - Throws: `configurationInvalid`, `storeUnavailable`.
        init(_ name: String, _ nodes: NodeOptions) async throws(EarshotError) {
            guard ResourceName.isValid(name) else {
                throw EarshotError(
                    .configurationInvalid,
                    "\(name.prefix(120)) is no name of a catalog in a bucket: it has 1 to 64 letters, digits, hyphens, dots and underscores."
                )
            }
            self.name = name
            objects = try nodes.objects()
            store = try await PostgreSQLManifestStore(try await nodes.pool())
            try await objects.check()
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
        /// - Returns: Files that the table of media items names and that are not among them.
        func enter(_ paths: [String], list: URL? = nil, items table: ItemTable? = nil) async throws
            -> CatalogBuild.Report
        {
            let (found, exported) = try CatalogBuild.sources(paths, list: list)
            let entries = exported.flatMap(\.entries)
            let assignment = try table.map { table in
                try ItemAssignment(table, files: found.files, ids: entries.map(\.id))
            }
            var files = try found.files.map { file in
                IngestFile(id: file.id, path: file.url.path, items: try assignment?.items(for: file.id, over: []) ?? [])
            }
            files += try entries.map { entry in
                let items = try assignment?.items(for: entry.id, over: entry.items) ?? entry.items
                return IngestFile(id: entry.id, path: entry.file.path, items: items)
            }
            try await store.enter(files, in: name)
            var report = CatalogBuild.Report(catalog: name, skipped: found.failures)
            report.unknownFiles = assignment?.unknown.map(\.file) ?? []
            return report
        }

        /// Enters files with names and media items of their own.
        func enter(_ files: [IngestFile]) async throws(EarshotError) { try await store.enter(files, in: name) }

        // MARK: - Working

        /// Works until no file is left.
        ///
        /// - Parameter report: What is known before.
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
            report.unchanged = progress.present
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
                    bar.reach(now.entered - now.left + tally.waitingCount)
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
            guard FileManager.default.fileExists(atPath: path) else {
                throw EarshotError(.assetNotFound, "There is no file at \(path): check the path.")
            }
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
                throw error
            } catch is CancellationError {
                throw EarshotError(.cancelled, "Reading \(path) was cancelled.")
            } catch {
                throw EarshotError(.internalError, "\(path) could not be read.", cause: error)
            }
        }

        /// The count of what this machine has read.
        private final class Tally: Sendable {
            private let state = Mutex((audioSeconds: 0.0, waiting: 0, warnings: [DurationWarning](), told: ""))

            var audioSeconds: Double { state.withLock { $0.audioSeconds } }
            /// References that are not in the catalog yet.
            var waitingCount: Int { state.withLock { $0.waiting } }
            var warnings: [DurationWarning] { state.withLock { $0.warnings.sorted { $0.file < $1.file } } }

            func take(_ warning: DurationWarning) { state.withLock { $0.warnings.append(warning) } }

            func take(_ event: IngestWorker.Event) {
                switch event {
                case .read(_, let audio):
                    state.withLock { state in
                        state.audioSeconds += audio.seconds
                        state.waiting += 1
                    }
                case .waiting(let error):
                    // Once for one that lasts.
                    let isNew = state.withLock { state in
                        defer { state.told = error.message }
                        return state.told != error.message
                    }
                    if isNew { Terminal.note("Waiting: \(error.message)") }
                case .added(let count):
                    state.withLock { state in
                        state.waiting -= count
                        state.told = ""
                    }
                case .failed: break
                }
            }
        }
    }
#endif
