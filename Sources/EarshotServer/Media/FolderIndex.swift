import EarshotCore
import EarshotLibrary
import Foundation
import Logging

/// The music in media folders. Each folder is a ``FolderLibrary`` that is scanned periodically.
actor FolderIndex: MediaIndex {
    private let libraries: [(name: String, library: FolderLibrary)]
    private let live = LiveLibraryIndex()
    private let interval: Duration
    private let logger: Logger
    private var isComplete = false

    /// - Parameters:
    ///   - roots: The folders.
    ///   - store: Keeps what was read from files, so that a restarted service need not open known files.
    ///   - decoder: Reads files.
    ///   - interval: The pause between two scans.
    ///   - logger: Logs what was found.
    init(
        _ roots: MediaRoots,
        store: any FolderStore,
        decoder: any FileDecoder = InProcessFileDecoder(),
        interval: Duration = .seconds(300),
        logger: Logger
    ) {
        self.interval = interval
        self.logger = logger
        var options = FolderLibrary.Options()
        options.staysInside = true
        options.titlesFromNames = true
        let live = live
        let reader = FolderReader { (path, _) throws(EarshotError) in
            let file = URL(fileURLWithPath: path, isDirectory: false)
            return try await decoder.value(FolderReading.self, .reading, of: file).reading
        } digest: { path throws(EarshotError) in
            try await decoder.value(AudioKey.self, .digest, of: URL(fileURLWithPath: path, isDirectory: false))
        }
        libraries = roots.roots.map {
            ($0.name, FolderLibrary($0.folder, store: store, index: live, options: options, reader: reader))
        }
    }

    func state() async -> MediaIndexState {
        MediaIndexState(index: await live.snapshot, isComplete: isComplete)
    }

    func run() async {
        while !Task.isCancelled {
            await scan()
            guard (try? await Task.sleep(for: interval)) != nil else { return }
        }
    }

    /// Scans all folders once.
    func scan() async {
        for (name, library) in libraries {
            do {
                for try await event in library.scan() {
                    guard case .ended(let summary) = event, !isComplete else { continue }
                    logger.info(
                        "A media folder was looked at",
                        metadata: [
                            "root": "\(name)", "files": "\(summary.files)", "failed": "\(summary.failed)",
                            "seconds": "\(summary.seconds)",
                        ]
                    )
                }
            } catch {
                // The items of a folder that cannot be read, such as one on a disk that is away, stay in the index.
                logger.warning(
                    "A media folder could not be looked at",
                    metadata: ["root": "\(name)", "reason": "\((error as? EarshotError)?.message ?? "\(error)")"]
                )
            }
            if Task.isCancelled { return }
        }
        isComplete = true
    }
}
