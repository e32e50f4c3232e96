extension Catalog {
    /// Calls `body` with the key of every posting of the first segment, ascending. For tools that examine an index.
    package func forEachKeyOfFirstSegment(_ body: (UInt32) -> Void) {
        guard let segment = targets.first?.segment else { return }
        segment.forEachKey(of: 0..<1 << UInt32(LandmarkKey.bits), in: 0..<segment.blockCount) { key, _ in body(key) }
    }
}
