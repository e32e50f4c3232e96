import EarshotCore

/// One open connection to a device or stream. Not thread-safe; its calls block.
protocol CaptureInput: AnyObject {
    /// The format of the blocks.
    var format: AudioFormat { get }
    /// `true` if the end of the connection, when it comes, is the end of the sound.
    var isWhole: Bool { get }
    /// The name of what is open, where there may be another one at the next time.
    var route: String? { get }
    /// The next block, with its time on the connection's own timeline; `nil` at the end.
    func next() throws(EarshotError) -> AudioBlock?
}

extension CaptureInput {
    var route: String? { nil }
}
