public import EarshotCore
import Foundation

extension AssetWriter {
    /// An input of an ``AssetWriter`` for encoded packets, which are written unchanged.
    public final class PacketInput: Sendable {
        /// The encoding of the packets.
        public let format: EncodedFormat
        private let intake: WriterInputQueue

        init(_ format: EncodedFormat, _ intake: WriterInputQueue) {
            (self.format, self.intake) = (format, intake)
        }

        /// `true` if ``appendIfReady(_:)`` has room for a packet now.
        public var isReadyForMoreMediaData: Bool { intake.isReady }

        /// Waits until there is room for a packet, and appends it.
        ///
        /// - Throws: `pipelineRefused` before the start and after the end; the error of writing earlier packets;
        ///   `cancelled`.
        public func append(_ packet: EncodedPacket) async throws(EarshotError) {
            try await intake.append(.packet(packet), frames: Self.room(of: packet))
        }

        /// Appends a packet if there is room for it, without waiting.
        ///
        /// - Returns: `true` if the packet was appended.
        /// - Throws: The errors of ``append(_:)``.
        public func appendIfReady(_ packet: EncodedPacket) throws(EarshotError) -> Bool {
            try intake.appendIfReady(.packet(packet), frames: Self.room(of: packet))
        }

        /// Appends all packets of a sequence, and then finishes the input.
        ///
        /// - Throws: The errors of ``append(_:)`` and of the sequence.
        public func append(contentsOf packets: some AsyncSequence<EncodedPacket, any Error>) async throws {
            for try await packet in packets { try await append(packet) }
            finish()
        }

        /// Ends the input: no more packets follow.
        public func finish() {
            intake.finish()
        }

        /// Bytes, which count for as many frames; also an empty packet takes room.
        private static func room(of packet: EncodedPacket) -> Int { packet.bytes.count + 1 }
    }
}
