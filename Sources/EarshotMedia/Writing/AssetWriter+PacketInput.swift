public import EarshotCore
import Foundation

extension AssetWriter {
    /// An input of a writer for encoded packets, which are written unchanged.
    public final class PacketInput: Sendable {
        /// The encoding of the packets.
        public let format: EncodedFormat
        private let intake: WriterInputQueue

        init(_ format: EncodedFormat, _ intake: WriterInputQueue) {
            (self.format, self.intake) = (format, intake)
        }

        /// `true` if there is room for a packet now.
        public var isReadyForMoreMediaData: Bool { intake.isReady }

        /// Takes a packet in, when there is room for it.
        ///
        /// - Throws: `pipelineRefused` before the start and after the end; what writing the packets before threw; `cancelled`.
        public func append(_ packet: EncodedPacket) async throws(EarshotError) {
            try await intake.append(.packet(packet), frames: Self.room(of: packet))
        }

        /// Takes a packet in without waiting.
        ///
        /// - Returns: `true` if there was room for it.
        /// - Throws: The errors of ``append(_:)``.
        public func appendIfReady(_ packet: EncodedPacket) throws(EarshotError) -> Bool {
            try intake.appendIfReady(.packet(packet), frames: Self.room(of: packet))
        }

        /// Takes in all packets of a sequence, and ends with it.
        ///
        /// - Throws: The errors of ``append(_:)`` and of the sequence.
        public func append(contentsOf packets: some AsyncSequence<EncodedPacket, any Error>) async throws {
            for try await packet in packets { try await append(packet) }
            finish()
        }

        /// Ends the input.
        public func finish() {
            intake.finish()
        }

        /// Bytes, which count for as many frames; also an empty packet takes room.
        private static func room(of packet: EncodedPacket) -> Int { packet.bytes.count + 1 }
    }
}
