package import EarshotCore
package import Foundation

extension SharedSegment.Source {
    /// Returns sources as bytes: for each one the name of its object, the byte count of ``RemovedNumbers``, and those bytes.
    package static func bytes(_ sources: [SharedSegment.Source]) -> Data {
        var writer = ByteWriter()
        for source in sources {
            writer.write(text: source.object)
            let removed = RemovedNumbers.bytes(source.removed)
            writer.writeVariable(UInt64(removed.count))
            writer.write(contentsOf: removed)
        }
        return Data(writer.bytes)
    }

    /// Reads what ``bytes(_:)`` wrote.
    ///
    /// - Throws: `storeDamaged`.
    package static func sources(_ bytes: Data) throws(EarshotError) -> [SharedSegment.Source] {
        var reader = ByteReader([UInt8](bytes))
        var sources: [SharedSegment.Source] = []
        while reader.remaining > 0 {
            guard let object = reader.readText(), let size = reader.readVariable(),
                let count = Int(exactly: size), let removed = reader.read(count: count)
            else {
                throw EarshotError(
                    .storeDamaged,
                    "The sources of a segment in the database cannot be read: restore the database from a backup."
                )
            }
            let numbers = try RemovedNumbers.numbers(Data(removed), below: largestReferenceCount)
            sources.append(SharedSegment.Source(object: object, removed: numbers))
        }
        return sources
    }

    /// The most references that are believed of a segment: bounds the numbers read from the database.
    private static let largestReferenceCount = 10_000_000
}
