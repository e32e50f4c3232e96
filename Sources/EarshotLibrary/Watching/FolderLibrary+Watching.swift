public import EarshotCore

extension FolderLibrary {
    /// Scans the folder, and scans it again whenever something below it changed and has settled, until the stream or its task ends.
    ///
    /// Each scan compares the names and stamps of all files, and opens those that changed. So no change is lost if the
    /// system drops events, and a moved file remains the same item.
    ///
    /// - Parameters:
    ///   - quiet: The time without changes after which a scan begins.
    ///   - clock: The clock that measures this time.
    /// - Returns: The events of each scan. A later scan that fails because the folder is temporarily missing is
    ///   skipped. Otherwise it throws the errors of ``scan()`` and ``FolderWatcher``.
    public func watch(
        settlingFor quiet: MediaTime = MediaTime(value: 1, timescale: 1),
        clock: MediaClock = .system
    ) -> AsyncThrowingStream<FolderScanEvent, any Error> {
        let (stream, continuation) = AsyncThrowingStream.makeStream(of: FolderScanEvent.self)
        let task = Task(priority: .utility) { [self] in
            do {
                // Watched before the first scan, so that nothing is missed in between.
                let changes = FolderWatcher(folder, settlingFor: quiet, clock: clock).changes()
                for try await event in scan() { continuation.yield(event) }
                for try await _ in changes {
                    do {
                        for try await event in scan() { continuation.yield(event) }
                    } catch let error as EarshotError {
                        guard error.code == .assetNotFound else { throw error }
                    }
                }
                continuation.finish()
            } catch {
                continuation.finish(throwing: error)
            }
        }
        continuation.onTermination = { _ in task.cancel() }
        return stream
    }
}
