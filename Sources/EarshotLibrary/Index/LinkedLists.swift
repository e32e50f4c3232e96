/// Many lists of numbers in two arrays, for lists that are mostly short. Numbers come back newest first.
struct LinkedLists: Sendable {
    private var values: [Int32] = []
    private var next: [Int32] = []
    private var free: Int32 = -1

    /// Puts a number before the others of a list, which is named by its first node; -1 is an empty one.
    mutating func insert(_ value: Int32, into head: inout Int32) {
        if free >= 0 {
            let node = free
            free = next[Int(node)]
            (values[Int(node)], next[Int(node)]) = (value, head)
            head = node
        } else {
            values.append(value)
            next.append(head)
            head = Int32(values.count - 1)
        }
    }

    /// Takes a number out of a list, once.
    mutating func remove(_ value: Int32, from head: inout Int32) {
        var before: Int32 = -1
        var node = head
        while node >= 0 {
            if values[Int(node)] == value {
                if before < 0 { head = next[Int(node)] } else { next[Int(before)] = next[Int(node)] }
                next[Int(node)] = free
                free = node
                return
            }
            (before, node) = (node, next[Int(node)])
        }
    }

    /// Puts a number into one of many lists.
    mutating func insert(_ value: Int32, into heads: inout [Int32], at place: Int32) {
        var head = heads[extending: place]
        insert(value, into: &head)
        heads[extending: place] = head
    }

    /// Takes a number out of one of many lists, once.
    mutating func remove(_ value: Int32, from heads: inout [Int32], at place: Int32) {
        var head = heads[extending: place]
        remove(value, from: &head)
        heads[extending: place] = head
    }

    /// Calls a closure with every number of a list.
    func forEach(from head: Int32, _ body: (Int32) -> Void) {
        var node = head
        while node >= 0 {
            body(values[Int(node)])
            node = next[Int(node)]
        }
    }

    /// Returns `true` if a list has a number.
    func contains(_ value: Int32, from head: Int32) -> Bool {
        var node = head
        while node >= 0 {
            if values[Int(node)] == value { return true }
            node = next[Int(node)]
        }
        return false
    }

    /// The numbers of a list.
    func values(from head: Int32) -> [Int32] {
        var found: [Int32] = []
        forEach(from: head) { found.append($0) }
        return found
    }
}

extension Array<Int32> {
    /// The value at a place, with the array made long enough.
    subscript(extending place: Int32) -> Int32 {
        get { Int(place) < count ? self[Int(place)] : -1 }
        set {
            while count <= Int(place) { append(-1) }
            self[Int(place)] = newValue
        }
    }
}
