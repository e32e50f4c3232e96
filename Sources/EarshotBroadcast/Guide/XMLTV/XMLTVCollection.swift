import EarshotCore
import EarshotMusic
import Foundation

/// The parts of a guide that have been read so far.
struct XMLTVCollection {
    /// A program in the schedule of a channel, before missing ends are computed.
    struct Entry {
        let program: Int
        let line: Int
        let start: Date
        var stop: Date?
        /// The stated length, in seconds.
        let length: Double?
        let clump: (index: Int, count: Int)?
        let isLive: Bool
        let isRepeat: Bool
    }

    private let limits: XMLTVReader.Limits
    var sourceName: String?
    var generatorName: String?
    private var channels: [BroadcastChannel] = []
    private var declared: Set<String> = []
    private var programs: [Program] = []
    private var places: [EntityID<Program>: Int] = [:]
    private var entries: [String: [Entry]] = [:]
    /// The scheduled channels, in order of first appearance.
    private var scheduled: [(id: String, line: Int)] = []
    private var entryCount = 0
    private var notes: [XMLTVGuide.Note] = []
    private var noteCount = 0

    init(_ limits: XMLTVReader.Limits) {
        self.limits = limits
    }

    mutating func note(_ line: Int, _ reason: String) {
        noteCount += 1
        if notes.count < limits.notes { notes.append(XMLTVGuide.Note(line: line, reason: reason)) }
    }

    /// Adds a channel.
    ///
    /// - Returns: The reason for refusing the guide; `nil` to continue.
    mutating func channel(_ element: XMLTVElement, _ line: Int) -> String? {
        guard let channel = element.channel() else {
            note(line, "The channel has no id and is passed over.")
            return nil
        }
        guard declared.insert(channel.id.rawValue).inserted else {
            note(line, "The channel \(channel.id) is there twice: the first one counts.")
            return nil
        }
        channels.append(channel)
        return channels.count > limits.channels
            ? "there are more than \(limits.channels) channels: divide the file." : nil
    }

    /// Adds a program.
    ///
    /// - Returns: The reason for refusing the guide; `nil` to continue.
    mutating func programme(_ element: XMLTVElement, _ line: Int) -> String? {
        guard let channel = element.attribute("channel") else {
            note(line, "The programme names no channel and is passed over.")
            return nil
        }
        guard let start = element.attribute("start").flatMap({ XMLTVTime.date($0) }) else {
            let text = element.attribute("start")?.prefix(40) ?? ""
            note(line, "The programme on \(channel) begins at \"\(text)\", which is no time, and is passed over.")
            return nil
        }
        guard let program = element.program() else {
            note(line, "The programme on \(channel) has no title and is passed over.")
            return nil
        }
        let entry = Entry(
            program: place(of: program),
            line: line,
            start: start,
            stop: stop(element, channel, start, line),
            length: program.duration.map { Double($0) / 1_000 },
            clump: element.attribute("clumpidx").flatMap(XMLTVEpisode.clump),
            isLive: element.isLive,
            isRepeat: element.first("previously-shown") != nil
        )
        if entries[channel] == nil { scheduled.append((channel, line)) }
        entries[channel, default: []].append(entry)
        entryCount += 1
        return entryCount > limits.programmes
            ? "there are more than \(limits.programmes) programmes: divide the file." : nil
    }

    private mutating func stop(_ element: XMLTVElement, _ channel: String, _ start: Date, _ line: Int) -> Date? {
        guard let text = element.attribute("stop") else { return nil }
        guard let stop = XMLTVTime.date(text) else {
            note(
                line,
                "The programme on \(channel) ends at \"\(text.prefix(40))\", which is no time: its end is left out."
            )
            return nil
        }
        guard stop > start else {
            note(line, "The programme on \(channel) ends before it begins: its end is left out.")
            return nil
        }
        guard stop.timeIntervalSince(start) <= GuideSlot.maximumDuration else {
            note(line, "The programme on \(channel) would last longer than a week: its end is left out.")
            return nil
        }
        return stop
    }

    /// Returns the index of a program. If it is known, its missing details are added.
    private mutating func place(of program: Program) -> Int {
        if let place = places[program.id] {
            programs[place].fill(from: program)
            return place
        }
        places[program.id] = programs.count
        programs.append(program)
        return programs.count - 1
    }

    // MARK: - The whole

    func guide(_ defaultDuration: Double) -> XMLTVGuide {
        var result = self
        for (id, line) in scheduled where !declared.contains(id) {
            result.note(line, "The channel \(id) has no entry of its own: it is made of its id.")
            var channel = BroadcastChannel(id: EntityID(id), name: Name(id))
            channel.externalIdentifiers = [.xmltv(id)]
            result.channels.append(channel)
        }
        var guide = XMLTVGuide()
        (guide.sourceName, guide.generatorName) = (sourceName, generatorName)
        for channel in result.channels {
            let schedule = XMLTVSchedule(entries[channel.id.rawValue] ?? [], defaultDuration)
            for note in schedule.notes { result.note(note.line, "On \(channel.id) \(note.reason)") }
            for place in schedule.places {
                let slot = try? GuideSlot(
                    channel: channel.id,
                    program: programs[place.entry.program].id,
                    start: place.start,
                    end: place.end,
                    isLive: place.entry.isLive,
                    isRepeat: place.entry.isRepeat
                )
                if let slot {
                    guide.slots.append(slot)
                } else {
                    result.note(
                        place.entry.line,
                        "On \(channel.id) a programme has times that cannot be, and is passed over."
                    )
                }
            }
        }
        guide.channels = result.channels
        guide.programs = programs
        guide.notes = result.notes.sorted { $0.line < $1.line }
        guide.noteCount = result.noteCount
        return guide
    }
}

extension Program {
    /// Adds missing details from another entry of the same program.
    fileprivate mutating func fill(from other: Program) {
        subtitle = subtitle ?? other.subtitle
        synopsis = synopsis ?? other.synopsis
        episode = episode ?? other.episode
        date = date ?? other.date
        duration = duration ?? other.duration
        language = language ?? other.language
        if categories.isEmpty { categories = other.categories }
        if credits.isEmpty { credits = other.credits }
        if images.isEmpty { images = other.images }
        if countries.isEmpty { countries = other.countries }
        if ratings.isEmpty { ratings = other.ratings }
        for link in other.externalIdentifiers where !externalIdentifiers.contains(link) {
            externalIdentifiers.append(link)
        }
    }
}
