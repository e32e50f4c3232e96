import CFFmpeg
import EarshotCore
import Foundation

/// Copies a stream's encoded packets into another container, on the caller's thread.
///
/// Not thread-safe; its calls block.
final class PacketCopier {
    private let source: PacketSource
    private let destination: AudioStreamWriter.Destination
    private let type: FileType
    private let metadata: CarriedMetadata
    private let isPart: Bool

    /// - Throws: The errors of opening the asset, and `destinationExists`.
    init(
        _ url: URL,
        stream choice: AssetReader.StreamChoice,
        range: Range<MediaTime>?,
        to destination: AudioStreamWriter.Destination,
        type: FileType,
        metadata: CarriedMetadata,
        cancellation: Cancellation
    ) throws(EarshotError) {
        try destination.check()
        (self.destination, self.type, isPart) = (destination, type, range != nil)
        self.metadata = metadata.cut(from: range?.lowerBound ?? .zero, for: type)
        source = try PacketSource(url, stream: choice, range: range, cancellation: cancellation)
    }

    /// Copies everything, and gives the file its name.
    ///
    /// - Parameter observe: Told of each packet's size, and of the time at its end.
    /// - Throws: `pipelineRefused` when the kind of file does not hold the source's encoding, and what reading and writing throw.
    func run(_ observe: (Int, MediaTime) -> Void) throws(EarshotError) -> WrittenFile {
        var sink: PacketSink?
        while try source.advance() {
            // What comes after a cut begins at zero.
            let start = isPart ? source.format.time(source.packet.pointee.pts) : nil
            let open: PacketSink
            if let sink {
                open = sink
            } else {
                open = try makeSink(start)
                sink = open
            }
            let size = Int(source.packet.pointee.size)
            try open.write(source.packet, until: source.position)
            observe(size, source.position)
        }
        if let sink { return try sink.finish() }
        return try makeSink(nil).finish()
    }

    private func makeSink(_ start: MediaTime?) throws(EarshotError) -> PacketSink {
        try PacketSink(
            destination,
            type: type,
            format: source.format,
            start: start,
            metadata: metadata,
            name: source.name
        )
    }
}
