import EarshotSegments

extension MappedBytes {
    /// Returns the little-endian number at an offset.
    // Declared here and not in EarshotSegments, because a generic function is specialized only inside its module.
    @inline(__always)
    func load<Number: FixedWidthInteger>(_ type: Number.Type = Number.self, at offset: Int) -> Number {
        precondition(offset >= 0 && offset <= base.count - MemoryLayout<Number>.size)
        return Number(littleEndian: base.loadUnaligned(fromByteOffset: offset, as: type))
    }
}
