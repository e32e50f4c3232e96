import EarshotCore
import EarshotMedia
import Foundation

/// One scan of a folder, from looking through it to the summary.
struct FolderScan {
    /// Records that are fetched or kept at once.
    static let pageSize = 256
    /// Items that are added to the index at once: whoever asks it waits no longer than for these.
    private static let indexPiece = 16

    private let library: FolderLibrary
    private let out: AsyncThrowingStream<FolderScanEvent, any Error>.Continuation
    private var summary = FolderScanEvent.Summary()
    private var done = 0
    private var identities = FolderIdentities()

    init(_ library: FolderLibrary, _ out: AsyncThrowingStream<FolderScanEvent, any Error>.Continuation) {
        (self.library, self.out) = (library, out)
    }

    private var store: any FolderStore { library.store }

    @concurrent
    mutating func run() async throws {
        let start = ContinuousClock.now
        try Task.checkCancellation()
        let walk = try await Self.walk(library.top, staysInside: library.options.staysInside)
        let all = try await store.known()
        let known = all.filter { library.isBelow($0.path) }
        guard !walk.files.isEmpty || known.isEmpty || !walk.failures.isEmpty || walk.folders.count > 1 else {
            throw EarshotError(
                .assetNotFound,
                "There is no music in \(library.top), where \(known.count) files of it are known: is its disk connected?"
            )
        }
        let difference = FolderDifference(
            known: known,
            found: walk.files,
            reading: library.reading,
            hidden: walk.failures.map(\.path)
        )
        summary.files = walk.files.count
        out.yield(.listed(files: walk.files.count, due: difference.due.count))
        for (path, error) in walk.failures { fail(path, error.code.rawValue, error.message) }
        // Files of other folders count too: of two with the same audio, whichever they are in, one is the item.
        let gone = Set(difference.gone.map(\.path))
        for file in all where !gone.contains(file.path) { identities.enter(file) }
        for file in difference.gone { identities.leave(file, isGone: true) }

        try await takeUnchanged(difference.unchanged)
        try await takeRenamed(difference.renamed)
        try await readDue(difference.due)
        try await remove(difference.gone.filter { identities.isLeft($0.path) })
        let duration = ContinuousClock.now - start
        summary.seconds = Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18
        out.yield(.ended(summary))
    }

    private static func walk(_ top: String, staysInside: Bool) async throws(EarshotError) -> LibraryWalk {
        let cancellation = Cancellation()
        let result = await BlockingWork.run(on: .global(qos: .utility), cancelling: cancellation) {
            () throws(EarshotError) in
            try LibraryWalk(top, within: staysInside ? FolderWalk.real(top) : nil, cancellation: cancellation)
        }
        return try result.get()
    }

    // MARK: - Without opening files

    private mutating func takeUnchanged(_ paths: [String]) async throws {
        var rest = paths[...]
        while !rest.isEmpty {
            try Task.checkCancellation()
            let files = try await store.files(at: Array(rest.prefix(Self.pageSize)))
            rest = rest.dropFirst(Self.pageSize)
            try await index(files)
            step(files.count)
        }
    }

    private mutating func takeRenamed(_ pairs: [(from: KnownFile, to: LibraryWalk.File)]) async throws {
        // A record whose place another one takes is fetched before that is kept: those go at once, all others in pages.
        let froms = Set(pairs.map(\.from.path))
        let targets = Set(pairs.map(\.to.path))
        let isChained = { (pair: (from: KnownFile, to: LibraryWalk.File)) in
            targets.contains(pair.from.path) || froms.contains(pair.to.path)
        }
        let chained = pairs.filter(isChained)
        if !chained.isEmpty { try await rename(chained[...]) }
        var rest = pairs.filter { !isChained($0) }[...]
        while !rest.isEmpty {
            try Task.checkCancellation()
            try await rename(rest.prefix(Self.pageSize))
            rest = rest.dropFirst(Self.pageSize)
        }
    }

    private mutating func rename(_ page: ArraySlice<(from: KnownFile, to: LibraryWalk.File)>) async throws {
        let old = try await store.files(at: page.map(\.from.path))
        let places = Dictionary(page.map { ($0.from.path, $0.to) }, uniquingKeysWith: { first, _ in first })
        var files: [FolderFile] = []
        for file in old {
            guard let place = places[file.path], case .item(var item, let audio, let isCopy) = file.content else {
                continue
            }
            item.assetURL = URL(fileURLWithPath: place.path, isDirectory: false)
            files.append(
                FolderFile(
                    path: place.path,
                    stamp: place.stamp,
                    reading: file.reading,
                    content: .item(item, audio: audio, isCopy: isCopy)
                )
            )
            identities.leave(KnownFile(file))
            if !isCopy {
                summary.moved += 1
                out.yield(.changed(LibraryChange(.moved, item.id, place.path, from: file.path)))
            }
        }
        for file in files { identities.enter(KnownFile(file)) }
        try await store.keep(files, forgetting: page.map(\.from.path))
        try await index(files)
        step(page.count)
    }

    // MARK: - Reading

    private mutating func readDue(_ due: [FolderDifference.Due]) async throws {
        var rest = due[...]
        let width = max(1, library.options.width)
        while !rest.isEmpty {
            try Task.checkCancellation()
            let piece = Array(rest.prefix(width * 16))
            rest = rest.dropFirst(piece.count)
            let results = await Self.read(piece, width, library)
            // A reading that was cut off by a cancellation says nothing of its file.
            try Task.checkCancellation()
            var files: [FolderFile] = []
            var (removed, promoted): ([ItemID], [Successor]) = ([], [])
            let old = try await store.files(at: piece.compactMap(\.before?.path))
            let before = Dictionary(old.map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
            // In the order of the paths, so that identifiers do not depend on which file was read first.
            for (due, result) in zip(piece, results) {
                try await take(due, result, before[due.file.path], &files, &removed, &promoted)
            }
            try await store.keep(files, forgetting: [])
            for id in removed { await library.index.remove([id]) }
            try await index(files)
            try await promote(promoted)
            summary.read += piece.count
            step(piece.count)
        }
    }

    /// The results in the order of the files, some read side by side.
    private static func read(
        _ piece: [FolderDifference.Due],
        _ width: Int,
        _ library: FolderLibrary
    ) async -> [Result<FolderReader.Reading, EarshotError>] {
        let (reader, encoding) = (library.reader, library.options.legacyEncoding)
        return await withTaskGroup(of: (Int, Result<FolderReader.Reading, EarshotError>).self) { group in
            var next = 0
            func add() {
                guard next < piece.count else { return }
                let (place, path) = (next, piece[next].file.path)
                group.addTask { (place, await reader.result(of: path, encoding)) }
                next += 1
            }
            for _ in 0..<width { add() }
            var results: [Int: Result<FolderReader.Reading, EarshotError>] = [:]
            for await (place, result) in group {
                results[place] = result
                add()
            }
            return piece.indices.compactMap { results[$0] }
        }
    }

    private mutating func take(
        _ due: FolderDifference.Due,
        _ result: Result<FolderReader.Reading, EarshotError>,
        _ before: FolderFile?,
        _ files: inout [FolderFile],
        _ removed: inout [ItemID],
        _ promoted: inout [Successor]
    ) async throws {
        let path = due.file.path
        var oldItem: (id: ItemID, audio: AudioKey, isCopy: Bool)?
        if let before, case .item(let item, let audio, let isCopy) = before.content {
            oldItem = (item.id, audio, isCopy)
        }
        let content: FolderFile.Content
        switch result {
        case .success(let reading):
            if let oldItem, oldItem.audio == reading.audio, !oldItem.isCopy {
                content = .item(MusicItem(oldItem.id, path: path, reading), audio: reading.audio, isCopy: false)
                summary.changed += 1
                out.yield(.changed(LibraryChange(.changed, oldItem.id, path)))
            } else {
                try await leave(before, &promoted)
                content = try await identify(path, reading, wasKnown: oldItem != nil, files)
            }
        case .failure(let error):
            content = .failure(code: error.code.rawValue, message: error.message)
            try await leave(before, &promoted)
        }
        let file = FolderFile(path: path, stamp: due.file.stamp, reading: library.reading, content: content)
        identities.enter(KnownFile(file))
        files.append(file)
        // What was the item of this file is none any more, unless a copy of it takes its place.
        if let oldItem, !oldItem.isCopy {
            if case .item(let item, _, false) = content, item.id == oldItem.id { return }
            removed.append(oldItem.id)
        }
    }

    /// A copy that takes the place of an item, whose identifier it gets.
    private struct Successor {
        let path: String
        let id: ItemID
    }

    /// Gives up what a file was, and names the copy that takes its place.
    private mutating func leave(_ before: FolderFile?, _ promoted: inout [Successor]) async throws {
        guard let before else { return }
        identities.leave(KnownFile(before))
        guard case .item(let item, let audio, false) = before.content else { return }
        if let copy = try await copy(of: item.id, audio) { promoted.append(Successor(path: copy, id: item.id)) }
    }

    /// The copy of an item, by its identifier.
    private func copy(of id: ItemID, _ audio: AudioKey) async throws -> String? {
        let paths = identities.copies(of: audio)
        guard !paths.isEmpty else { return nil }
        return try await store.files(at: paths).first { file in
            if case .item(let item, _, true) = file.content { item.id == id } else { false }
        }?.path
    }

    /// The content of a file that was not known, or was another.
    private mutating func identify(
        _ path: String,
        _ reading: FolderReader.Reading,
        wasKnown: Bool,
        _ pending: [FolderFile]
    ) async throws -> FolderFile.Content {
        let audio = reading.audio
        try await takeLeave(of: identities.paths(of: audio).filter { !library.isBelow($0) }, audio)
        // A file that is gone and had the same audio is this one.
        if let old = identities.claim(audio), let file = try await store.files(at: [old]).first,
            case .item(let item, audio, let isCopy) = file.content
        {
            try await store.keep([], forgetting: [old])
            if !isCopy {
                summary.moved += 1
                out.yield(.changed(LibraryChange(.moved, item.id, path, from: old)))
            }
            return .item(MusicItem(item.id, path: path, reading), audio: audio, isCopy: isCopy)
        }
        var item = MusicItem(Self.id(audio), path: path, reading)
        if let other = identities.first(of: audio) {
            guard let whole = await digest(path) else {
                let error = EarshotError(
                    .readFailed,
                    "\(path) cannot be read to its end, and begins as \(other) does: get it again."
                )
                return .failure(code: error.code.rawValue, message: error.message)
            }
            if await digest(other) == whole {
                let paths = identities.all(of: audio)
                let kept = try await store.files(at: paths)
                let twins = pending.filter { paths.contains($0.path) } + kept
                for twin in twins {
                    guard case .item(let known, _, false) = twin.content, Self.place(of: known) == Self.place(of: item)
                    else { continue }
                    return .item(item.identified(as: known.id), audio: audio, isCopy: true)
                }
                item = item.identified(as: item.id.distinguished(by: Self.place(of: item)))
            } else {
                item = MusicItem(Self.id(whole), path: path, reading)
            }
        }
        if wasKnown { summary.changed += 1 } else { summary.added += 1 }
        out.yield(.changed(LibraryChange(wasKnown ? .changed : .added, item.id, path)))
        return .item(item, audio: audio, isCopy: false)
    }

    /// Gives up files of other folders that are not there any more: what lay in a folder that was moved is found where it is now.
    private mutating func takeLeave(of paths: [String], _ audio: AudioKey) async throws(EarshotError) {
        guard !paths.isEmpty else { return }
        let gone = try await BlockingWork.run {
            paths.filter { access($0, F_OK) != 0 && (errno == ENOENT || errno == ENOTDIR) }
        }
        for path in gone { identities.leave(path, audio, isGone: true) }
    }

    private static func id(_ audio: AudioKey) -> ItemID {
        // Sixteen bytes are as many as an identifier needs.
        (try? ItemID(audioHash: audio.bytes)) ?? ItemID(library: "folder", key: "\(audio)")
    }

    /// Returns the values by which items of the same audio differ.
    private static func place(of item: MusicItem) -> [String?] {
        [item.album, item.albumArtist, item.discNumber.map { "\($0)" }, item.trackNumber.map { "\($0)" }]
    }

    private func digest(_ path: String) async -> AudioKey? {
        try? await library.reader.digest(path)
    }

    // MARK: - What is gone

    private mutating func remove(_ gone: [KnownFile]) async throws {
        guard !gone.isEmpty else { return }
        var promoted: [Successor] = []
        for page in stride(from: 0, to: gone.count, by: Self.pageSize) {
            let paths = gone[page..<min(gone.count, page + Self.pageSize)].map(\.path)
            for file in try await store.files(at: paths) {
                guard case .item(let item, let audio, false) = file.content else { continue }
                await library.index.remove([item.id])
                if let copy = try await copy(of: item.id, audio) {
                    promoted.append(Successor(path: copy, id: item.id))
                } else {
                    summary.removed += 1
                    out.yield(.changed(LibraryChange(.removed, item.id, file.path)))
                }
            }
            try await store.keep([], forgetting: paths)
        }
        try await promote(promoted)
    }

    /// Makes items of copies whose originals are gone.
    private mutating func promote(_ successors: [Successor]) async throws {
        var files: [FolderFile] = []
        for successor in successors {
            guard let file = try await store.files(at: [successor.path]).first,
                case .item(let old, let audio, true) = file.content
            else { continue }
            let item = old.identified(as: successor.id)
            files.append(
                FolderFile(
                    path: file.path,
                    stamp: file.stamp,
                    reading: file.reading,
                    content: .item(item, audio: audio, isCopy: false)
                )
            )
            summary.copies -= summary.copies > 0 ? 1 : 0
            summary.moved += 1
            out.yield(.changed(LibraryChange(.moved, item.id, file.path)))
        }
        guard !files.isEmpty else { return }
        try await store.keep(files, forgetting: [])
        for file in files { identities.enter(KnownFile(file)) }
        try await index(files)
    }

    // MARK: - Telling

    private mutating func index(_ files: [FolderFile]) async throws {
        var items: [MusicItem] = []
        for file in files {
            switch file.content {
            case .item(var item, _, false):
                if library.options.titlesFromNames, item.title == nil {
                    item.title = item.assetURL?.deletingPathExtension().lastPathComponent
                }
                items.append(item)
            case .item: summary.copies += 1
            case .failure(let code, let message): fail(file.path, code, message)
            }
        }
        var rest = items[...]
        while !rest.isEmpty {
            await library.index.add(Array(rest.prefix(Self.indexPiece)))
            rest = rest.dropFirst(Self.indexPiece)
        }
    }

    private mutating func fail(_ path: String, _ code: String, _ message: String) {
        summary.failed += 1
        out.yield(.failed(FolderScanEvent.Failure(path: path, code: code, message: message)))
    }

    private mutating func step(_ count: Int) {
        done += count
        out.yield(.progressed(done: done, total: summary.files))
    }
}
