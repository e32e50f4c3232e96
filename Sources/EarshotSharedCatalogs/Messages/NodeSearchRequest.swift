package import EarshotCatalogs
package import EarshotCore
package import EarshotSignatures
import Foundation

/// A round of a search, as one node asks it of another: `Docs/formats/node-search.md`.
package struct NodeSearchRequest: Sendable {
    /// A segment to be searched.
    package struct Part: Hashable, Sendable {
        /// The name of its file, as the manifest has it.
        package var object: String
        /// The number of its references that were removed as far as the root knows. References never come back, so a node that knows of
        /// as many knows of the same ones; one that knows of fewer would answer what is gone.
        package var removedCount: Int
        package var place: SearchPart

        package init(object: String, removedCount: Int, place: SearchPart) {
            (self.object, self.removedCount, self.place) = (object, removedCount, place)
        }
    }

    package var catalog: String
    /// The generation of the catalog that the root searches.
    package var generation: Int
    /// The time that the root waits for an answer, in milliseconds.
    package var patience: Int
    package var parts: [Part]
    package var round: SearchRound
    package var query: Signature

    package init(
        catalog: String,
        generation: Int,
        patience: Int,
        parts: [Part],
        round: SearchRound,
        query: Signature
    ) {
        (self.catalog, self.generation, self.patience) = (catalog, generation, patience)
        (self.parts, self.round, self.query) = (parts, round, query)
    }
}

extension NodeSearchRequest {
    static let magic = Array("EARSHNSQ".utf8)
    /// The most bytes of a request: a minute of landmarks and spectrogram, and candidates that are carried.
    package static let largest = 4 << 20
    /// The most segments of a request.
    static let mostParts = 1 << 16

    /// Returns the message as bytes.
    ///
    /// - Throws: `internalError` for numbers that have no JSON form.
    package func bytes() throws(EarshotError) -> [UInt8] {
        var writer = ByteWriter()
        NodeSearchForm.writeHead(Self.magic, to: &writer)
        writer.write(text: catalog)
        writer.writeVariable(UInt64(clamping: generation))
        writer.writeVariable(UInt64(clamping: patience))
        writer.writeVariable(UInt64(parts.count))
        for part in parts {
            writer.write(text: part.object)
            writer.writeVariable(UInt64(clamping: part.removedCount))
            writer.writeVariable(UInt64(clamping: part.place.segment))
            writer.writeVariable(UInt64(clamping: part.place.firstFrame))
        }
        NodeSearchForm.write([UInt8](query.dataWithSpectrogram), to: &writer)
        writer.write(UInt8(query.canAddSpectrogram ? 1 : 0))
        NodeSearchForm.write(try NodeSearchForm.json(round), to: &writer)
        return writer.bytes
    }

    /// Reads a request.
    ///
    /// - Throws: `NodeSearchFault`.
    package init(bytes: [UInt8]) throws(NodeSearchFault) {
        var reader = try NodeSearchForm.reader(bytes, Self.magic, largest: Self.largest)
        guard let catalog = reader.readText(), let generation = NodeSearchForm.integer(&reader),
            let patience = NodeSearchForm.integer(&reader), let count = NodeSearchForm.integer(&reader),
            count <= Self.mostParts, count <= reader.remaining
        else { throw .malformed("Its head is damaged.") }
        var parts: [Part] = []
        for _ in 0..<count {
            guard let object = reader.readText(), let removed = NodeSearchForm.integer(&reader),
                let segment = NodeSearchForm.integer(&reader), let frame = NodeSearchForm.integer(&reader)
            else { throw .malformed("A segment is damaged.") }
            parts.append(
                Part(object: object, removedCount: removed, place: SearchPart(segment: segment, firstFrame: frame))
            )
        }
        guard let signature = NodeSearchForm.read(&reader), let flags = reader.read(UInt8.self), flags <= 1,
            let json = NodeSearchForm.read(&reader), reader.remaining == 0
        else { throw .malformed("It is cut short, or has a wrong length.") }
        let round: SearchRound = try NodeSearchForm.value(json)
        let query: Signature
        do throws(EarshotError) { query = try Signature(data: Data(signature)) } catch {
            throw .malformed(error.message)
        }
        guard round.isPossible, parts.allSatisfy({ $0.place.segment < round.totals.segmentCount }),
            Set(parts.map(\.place.segment)).count == parts.count, Set(parts.map(\.object)).count == parts.count
        else { throw .malformed("Its numbers contradict each other.") }
        self.init(
            catalog: catalog,
            generation: generation,
            patience: patience,
            parts: parts,
            round: round,
            query: flags == 1 ? query.withSpectrogramElsewhere() : query
        )
    }
}
