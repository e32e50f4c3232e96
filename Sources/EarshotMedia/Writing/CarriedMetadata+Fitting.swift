import EarshotCore

extension CarriedMetadata {
    /// The same in the form in which a kind of file keeps it, and what the file has no place for.
    ///
    /// - Parameters:
    ///   - type: The kind of file.
    ///   - isPart: `true` if only a part of the sound goes over, so that times in the tags are wrong.
    func fitted(to type: FileType, isPart: Bool) -> (metadata: CarriedMetadata, losses: [ExportPlan.Loss]) {
        var fitted = self
        var losses: [ExportPlan.Loss] = []
        // FFmpeg alone has no hand in pictures and items.
        let target = hasTransfer ? Self.format(of: type) : nil
        if [.caf, .wav, .aiff, .raw].contains(type), !chapters.isEmpty { losses.append(.chapters(chapters.count)) }
        switch target {
        case .mp4: fitted.pictures = Self.covers(pictures)
        case nil: fitted.pictures = []
        default: break
        }
        let lost = pictures.count - fitted.pictures.count
        if lost > 0 { losses.append(.pictures(lost)) }
        if type == .raw, !properties.isEmpty { losses.append(.tags(properties.count)) }
        for name in ["TRACK", "DISC"] { fitted.fitCount(name, apart: Self.format(of: type) == .vorbisComments) }
        let items = others.filter { !Self.isOfTheEncoding($0.name) }
        fitted.others =
            target == .id3v2 && format == .id3v2
            ? items.filter { !$0.isObsolete && !(isPart && Self.hasTimes($0.name)) } : []
        if target == .id3v2 { fitted.carrySpoken() }
        var names: [String] = []
        for item in items where !fitted.others.contains(item) && !names.contains(item.name) { names.append(item.name) }
        if !names.isEmpty { losses.append(.items(names)) }
        return (fitted, losses)
    }

    /// The form in which a kind of file writes tags; `nil` for one without pictures and items.
    private static func format(of type: FileType) -> TagContainer.Format? {
        switch type {
        case .mp3, .wav, .aiff: .id3v2
        case .flac, .ogg, .opus: .vorbisComments
        case .m4a: .mp4
        case .caf, .raw: nil
        }
    }

    // MARK: - Languages

    /// Takes comments and lyrics over as frames, in the place of the properties that have their texts alone.
    private mutating func carrySpoken() {
        for (frame, property) in [("COMM:", "COMMENT"), ("USLT:", "LYRICS")] {
            let frames = spoken.filter { $0.name.hasPrefix(frame) }
            guard !frames.isEmpty else { continue }
            for name in properties.keys where name == property || name.hasPrefix(property + ":") {
                properties[name] = nil
            }
            // What iTunes says of the encoded sound stands in comments too.
            others += frames.filter { !$0.name.hasPrefix("COMM:iTun") }
        }
    }

    // MARK: - Pictures

    /// Pictures as MP4 keeps them: covers without a kind, of which players show the first.
    private static func covers(_ pictures: [TagPicture]) -> [TagPicture] {
        let front = pictures.filter { $0.kind == .frontCover }
        return (front + pictures.filter { $0.kind != .frontCover }).compactMap { picture in
            guard ["image/jpeg", "image/jpg", "image/png", "image/gif", "image/bmp"].contains(picture.mimeType) else {
                return nil
            }
            return TagPicture(bytes: picture.bytes, mimeType: picture.mimeType)
        }
    }

    // MARK: - Numbers

    /// Writes a number and its total where players look for them: into one property (`3/12`), or, in Vorbis comments,
    /// into two. A text that is not a number is unchanged.
    private mutating func fitCount(_ name: String, apart: Bool) {
        let key = name + "NUMBER"
        let totals = [name + "TOTAL", "TOTAL" + name + "S"]
        guard let value = properties[key], value.count == 1 else { return }
        let parts = value[0].split(separator: "/", omittingEmptySubsequences: false).map(Self.digits)
        let stated = totals.compactMap { properties[$0] }
        if apart {
            guard parts.count == 2, let number = parts[0], let total = parts[1], stated.isEmpty else { return }
            properties[key] = [number]
            properties[totals[0]] = [total]
        } else {
            guard parts.count == 1, let number = parts[0],
                let total = stated.first?.first.flatMap({ Self.digits($0[...]) }),
                stated.allSatisfy({ $0.count == 1 && Self.digits($0[0][...]) == total })
            else { return }
            properties[key] = ["\(number)/\(total)"]
            for name in totals { properties[name] = nil }
        }
    }

    private static func digits(_ text: Substring) -> String? {
        let digits = text.filter { $0 != " " }
        return !digits.isEmpty && digits.utf8.allSatisfy { (0x30...0x39).contains($0) } ? String(digits) : nil
    }

    // MARK: - Items

    /// Returns `true` if an item speaks of the file that it stands in and of its encoded sound: a new file has its own,
    /// or none.
    private static func isOfTheEncoding(_ name: String) -> Bool {
        let frames = [
            "AENC", "ASPI", "CHAP", "CTOC", "ENCR", "GRID", "MLLT", "POSS", "RBUF", "SEEK", "SIGN", "TSIZ", "TLEN",
        ]
        let items = ["pgap", "\u{A9}too", "\u{A9}enc", "INFO:ISFT"]
        return frames.contains(name) || items.contains(name) || name.hasPrefix("----:com.apple.iTunes:iTun")
            || name.hasPrefix("----:com.apple.iTunes:Encoding")
    }

    /// Returns `true` if a frame holds times from the beginning of the sound.
    private static func hasTimes(_ name: String) -> Bool { ["ETCO", "SYLT", "SYTC"].contains(name) }
}
