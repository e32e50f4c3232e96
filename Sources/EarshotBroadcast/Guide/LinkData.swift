// Identifiers in other catalogs are returned only on request.

extension VideoWork {
    /// Returns the work with or without its identifiers in other catalogs.
    package func showing(links: Bool) -> VideoWork {
        guard !links else { return self }
        var work = self
        work.externalIdentifiers = []
        return work
    }
}

extension Program {
    /// Returns the program and its work with or without their identifiers in other catalogs.
    package func showing(links: Bool) -> Program {
        guard !links else { return self }
        var program = self
        program.externalIdentifiers = []
        program.work = work?.showing(links: false)
        return program
    }
}

extension BroadcastChannel {
    /// Returns the channel with or without its identifiers in other catalogs.
    package func showing(links: Bool) -> BroadcastChannel {
        guard !links else { return self }
        var channel = self
        channel.externalIdentifiers = []
        return channel
    }
}

extension ExternalIdentifier {
    /// The source of the identifiers that channels have in guides.
    package static let xmltvSource = "xmltv"

    /// Returns the external identifier of a channel in guides.
    package static func xmltv(_ value: String) -> ExternalIdentifier {
        ExternalIdentifier(source: xmltvSource, kind: "channel", value: value)
    }

    /// Returns `true` if it is the given identifier of a channel in guides.
    func isXMLTV(_ value: String) -> Bool {
        source == Self.xmltvSource && self.value.utf8.elementsEqual(value.utf8)
    }
}
