import EarshotCore

/// Arranges metadata of recordings as the words of the parameter `meta` request.
struct AcoustIDLayout {
    let words: Set<String>

    /// Parses a parameter: `0` stands for no words, `1` for `recordingids`, `2` for the layout of the first version.
    init(_ meta: String?) {
        switch meta {
        case nil, "0": words = []
        case "1": words = ["recordingids"]
        case "2": words = ["m2"]
        case .some(let text): words = Set(text.split(whereSeparator: \.isWhitespace).map(String.init))
        }
    }

    private func has(_ words: String...) -> Bool { words.contains(where: self.words.contains) }

    /// The requested layout: the first one that applies.
    private enum Shape { case old, recordings, groups, releases, none }
    private var shape: Shape {
        if has("m2") { return .old }
        if has("recordings", "recordingids", "isrcs") { return .recordings }
        if has("releasegroups", "releasegroupids") { return .groups }
        return has("releases", "releaseids") ? .releases : .none
    }

    /// `true` if any metadata must be looked up.
    var asksForAnything: Bool { shape != .none }
    /// `true` if more than ids and sources of recordings is requested, or if the result depends on whether there is
    /// more.
    var asksForEntries: Bool {
        switch shape {
        case .none: false
        case .old, .groups, .releases: true
        case .recordings:
            !has("recordingids")
                || has("isrcs", "releasegroups", "releasegroupids", "releases", "releaseids", "usermeta")
        }
    }
    /// `true` if submitted metadata of tracks is requested for tracks without other metadata.
    var asksForUserMetadata: Bool { has("usermeta") && shape == .recordings }

    /// Returns the members of a track's result besides its id and score.
    ///
    /// - Parameter recordings: Its recordings in order, each with the number of sources and the known entries.
    func members(
        _ recordings: [(id: String, sources: Int, entries: [AcoustIDEntry])]
    ) -> [String: JSONValue] {
        switch shape {
        case .none: return [:]
        case .old: return recordings.isEmpty ? [:] : ["recordings": .array(recordings.map(oldRecording))]
        case .recordings: return recordings.isEmpty ? [:] : ["recordings": .array(recordings.map(recording))]
        case .groups:
            let entries = recordings.flatMap(\.entries)
            return ["releasegroups": .array(groups(entries))]
        case .releases:
            let entries = recordings.flatMap(\.entries)
            return ["releases": .array(releases(entries))]
        }
    }

    // MARK: - Recordings

    private func recording(_ id: String, _ sources: Int, _ entries: [AcoustIDEntry]) -> JSONValue {
        var value: JSONValue = ["id": .string(id)]
        if has("sources") { value["sources"] = .integer(sources) }
        guard let first = entries.first else { return value }
        if has("isrcs") { value["isrcs"] = .array(first.isrcs.map(JSONValue.string)) }
        if has("recordings"), !has("recordingids") {
            value["title"] = .string(first.title)
            value["duration"] = first.duration.map(JSONValue.number)
            value["artists"] = Self.known(first.artists)
        }
        if has("releasegroups", "releasegroupids") {
            var groups = groups(entries)
            if has("compress") {
                for index in groups.indices {
                    groups[index]["releases"] = groups[index]["releases"].map { Self.withoutTitles($0, value["title"]) }
                    Self.drop("artists", from: &groups[index], as: value)
                }
            }
            value["releasegroups"] = .array(groups)
        } else if has("releases", "releaseids") {
            var releases = releases(entries)
            if has("compress") {
                for index in releases.indices {
                    releases[index] = Self.withoutTitle(releases[index], value["title"])
                    Self.drop("artists", from: &releases[index], as: value)
                }
            }
            value["releases"] = .array(releases)
        }
        return value
    }

    // MARK: - Groups, releases, media

    private func groups(_ entries: [AcoustIDEntry]) -> [JSONValue] {
        entries.grouped { $0.release?.groupKey }.map(\.elements).compactMap { members in
            guard let release = members.first?.release else { return nil }
            var group: JSONValue = ["id": .string(release.group)]
            if !has("releasegroupids") {
                group["title"] = .string(release.title)
                if release.isCompilation { group["secondarytypes"] = ["Compilation"] }
                group["artists"] = Self.known(release.artists)
            }
            if has("releases", "releaseids") {
                var releases = releases(members)
                if has("compress") {
                    for index in releases.indices {
                        Self.drop("artists", from: &releases[index], as: group)
                        Self.drop("title", from: &releases[index], as: group)
                    }
                }
                group["releases"] = .array(releases)
            }
            return group
        }
    }

    private func releases(_ entries: [AcoustIDEntry]) -> [JSONValue] {
        entries.grouped { $0.release?.id }.map(\.elements).compactMap { members in
            guard let release = members.first?.release else { return nil }
            var value: JSONValue = ["id": .string(release.id)]
            if !has("releaseids") {
                value["title"] = .string(release.title)
                if release.mediumCount > 0 { value["medium_count"] = .integer(release.mediumCount) }
                value["track_count"] = release.trackCount.map(JSONValue.integer)
                value["artists"] = Self.known(release.artists)
                if let date = release.date {
                    value["date"] = date
                    value["releaseevents"] = [["date": date]]
                }
            }
            if has("tracks") { value["mediums"] = .array(mediums(members, value)) }
            return value
        }
    }

    private func mediums(_ entries: [AcoustIDEntry], _ release: JSONValue) -> [JSONValue] {
        entries.grouped { $0.place.map { String($0.medium) } }.map(\.elements).compactMap { members in
            let places = members.compactMap(\.place)
            guard let first = places.first else { return nil }
            var medium: JSONValue = ["position": .integer(first.medium)]
            medium["track_count"] = .integer(first.trackCount ?? 0)
            medium["format"] = first.format.map(JSONValue.string)
            medium["title"] = first.mediumTitle.map(JSONValue.string)
            medium["tracks"] = .array(
                places.map { place in
                    var track: JSONValue = ["id": .string(place.id), "position": .integer(place.position)]
                    track["title"] = .string(place.title)
                    track["artists"] = place.artists
                    if has("compress") { Self.drop("artists", from: &track, as: release) }
                    return track
                }
            )
            return medium
        }
    }

    // MARK: - The old layout

    private func oldRecording(_ id: String, _: Int, _ entries: [AcoustIDEntry]) -> JSONValue {
        var value: JSONValue = ["id": .string(id)]
        guard let first = entries.first else { return value }
        value["duration"] = first.duration.map(JSONValue.number)
        value["tracks"] = .array(
            entries.compactMap { entry in
                guard let release = entry.release, let place = entry.place else { return nil }
                var medium: JSONValue = ["position": .integer(place.medium)]
                medium["track_count"] = .integer(place.trackCount ?? 0)
                medium["release"] = ["id": .string(release.id), "title": .string(release.title)]
                medium["format"] = place.format.map(JSONValue.string)
                var track: JSONValue = ["title": .string(place.title), "position": .integer(place.position)]
                track["artists"] = place.artists
                track["duration"] = (place.duration ?? entry.duration).map(JSONValue.number)
                track["medium"] = medium
                return track
            }
        )
        return value
    }

    // MARK: - Helpers

    /// Returns a list; `nil` if it is empty.
    private static func known(_ artists: JSONValue) -> JSONValue? { artists == [] ? nil : artists }

    /// Removes a member of a child that has the same value as that of its parent.
    private static func drop(_ name: String, from child: inout JSONValue, as parent: JSONValue) {
        if let value = child[name], value == parent[name] { child[name] = nil }
    }

    private static func withoutTitles(_ releases: JSONValue, _ title: JSONValue?) -> JSONValue {
        guard case .array(let values) = releases else { return releases }
        return .array(values.map { withoutTitle($0, title) })
    }

    /// Returns a release whose tracks do not repeat the title of the recording.
    private static func withoutTitle(_ release: JSONValue, _ title: JSONValue?) -> JSONValue {
        guard let title, case .array(var mediums) = release["mediums"] else { return release }
        for index in mediums.indices {
            guard case .array(var tracks) = mediums[index]["tracks"] else { continue }
            for track in tracks.indices where tracks[track]["title"] == title { tracks[track]["title"] = nil }
            mediums[index]["tracks"] = .array(tracks)
        }
        var release = release
        release["mediums"] = .array(mediums)
        return release
    }
}
