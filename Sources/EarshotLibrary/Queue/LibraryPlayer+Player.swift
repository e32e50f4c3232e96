public import EarshotCore

extension LibraryPlayer: MusicPlayer {
    /// Plays items one after the other, from a time of the first one on.
    public func play(_ items: [MusicItem], at place: Int, from time: MediaTime) {
        begin(from: time) { $0.start(.playlist(""), items, at: place) }
    }

    /// The status now.
    public func status() -> MusicPlayerStatus { report.status }

    /// Returns the status now, each change of it, and the position of each block that is heard. It ends with the player.
    public nonisolated func statuses() -> AsyncThrowingStream<MusicPlayerStatus, any Error> {
        let statuses = report.statuses
        return AsyncThrowingStream(bufferingPolicy: .bufferingNewest(64)) { continuation in
            let task = Task {
                for await status in statuses { continuation.yield(status) }
                continuation.finish()
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }
}
