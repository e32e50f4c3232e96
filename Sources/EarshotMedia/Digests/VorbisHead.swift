/// The three headers of Vorbis as FFmpeg joins them.
enum VorbisHead {
    /// The first and the third: the second has the comments. Bytes of another form are left as they are.
    static func withoutComments(_ bytes: [UInt8]) -> [UInt8] {
        // A count less one, then the sizes of all but the last in runs of 255.
        guard bytes.first == 2 else { return bytes }
        var place = 1
        var sizes: [Int] = []
        for _ in 0..<2 {
            var size = 0
            while place < bytes.count, bytes[place] == 255 {
                size += 255
                place += 1
            }
            guard place < bytes.count else { return bytes }
            size += Int(bytes[place])
            place += 1
            sizes.append(size)
        }
        guard place + sizes[0] + sizes[1] <= bytes.count else { return bytes }
        return Array(bytes[place..<place + sizes[0]]) + Array(bytes[(place + sizes[0] + sizes[1])...])
    }
}
