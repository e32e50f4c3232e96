// Identifiers in others' catalogs are shown only where they are asked for.

extension VideoWork {
    /// The work with its identifiers in others' catalogs, or without.
    package func showing(links: Bool) -> VideoWork {
        guard !links else { return self }
        var work = self
        work.externalIdentifiers = []
        return work
    }
}

extension Program {
    /// The programme with its identifiers in others' catalogs, or without; its work likewise.
    package func showing(links: Bool) -> Program {
        guard !links else { return self }
        var program = self
        program.externalIdentifiers = []
        program.work = work?.showing(links: false)
        return program
    }
}

extension BroadcastChannel {
    /// The channel with its identifiers in others' catalogs, or without.
    package func showing(links: Bool) -> BroadcastChannel {
        guard !links else { return self }
        var channel = self
        channel.externalIdentifiers = []
        return channel
    }
}

extension ExternalIdentifier {
    /// The source of identifiers that channels have in guides.
    package static let xmltvSource = "xmltv"

    /// The identifier of a channel in guides.
    package static func xmltv(_ value: String) -> ExternalIdentifier {
        ExternalIdentifier(source: xmltvSource, kind: "channel", value: value)
    }

    /// Returns `true` if it is a channel's identifier in guides: this one.
    func isXMLTV(_ value: String) -> Bool {
        source == Self.xmltvSource && self.value.utf8.elementsEqual(value.utf8)
    }
}
