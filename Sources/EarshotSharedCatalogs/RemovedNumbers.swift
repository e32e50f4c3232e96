package import EarshotCore
package import Foundation

/// The byte form of the numbers of removed references: in ascending order, the distance of each to the one before, as a number of variable
/// length. The first distance is from 0.
package enum RemovedNumbers {
    package static func bytes(_ numbers: Set<Int>) -> Data {
        var writer = ByteWriter()
        var before = 0
        for number in numbers.sorted() {
            writer.writeVariable(UInt64(number - before))
            before = number
        }
        return Data(writer.bytes)
    }

    /// Reads numbers, all of which must be below a limit.
    ///
    /// - Throws: `storeDamaged`.
    package static func numbers(_ bytes: Data, below limit: Int) throws(EarshotError) -> Set<Int> {
        var reader = ByteReader([UInt8](bytes))
        var numbers: Set<Int> = []
        var number = 0
        while reader.remaining > 0 {
            guard let distance = reader.readVariable(), let step = Int(exactly: distance), step < limit - number,
                numbers.isEmpty || step > 0
            else {
                throw EarshotError(
                    .storeDamaged,
                    "The numbers of removed references in the database cannot be read: restore the database from a backup."
                )
            }
            number += step
            numbers.insert(number)
        }
        return numbers
    }
}
