import EarshotMusic

/// The tables of music.
///
/// An entity is one JSON text; what is looked for by value stands in columns and tables beside it. The keys for searching of each
/// kind are a table of their own, in the order of how much their entities are asked for (`SearchIndexEntry.number`).
///
/// An index of words gives all hits or none, and common words have hundreds of thousands. So the keys are divided into tiers by
/// number, each several times as large as the one before and with an index of its own: a search looks into one after the other until it
/// has enough. Measured with 1,000,000 tracks: 0.5 to 4 ms, up to 11 ms for four of the most common words at once.
enum MusicTables {
    /// The number of keys in each tier but the last.
    static let tierSizes = [2_000, 8_000, 32_000, 128_000, 512_000, 2_048_000]
    static let tiers = 0...tierSizes.count

    /// For each kind, the columns of keys besides the name that are compared with the query.
    static let columns = ["artist": [], "album": ["artist"], "track": ["album", "artist"], "lyrics": ["text"]]

    static let migrations = PostgreSQLMigrations(
        "music",
        [
            { connection in
                try connection.execute(entities)
                for (table, columns) in columns.sorted(by: { $0.key < $1.key }) {
                    try connection.execute(keys(table, columns))
                }
            }
        ]
    )

    private static let entities = """
        CREATE TABLE music_artist (
            pk bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, id text COLLATE "C" NOT NULL UNIQUE,
            key bigint NOT NULL, json text NOT NULL
        );
        CREATE TABLE music_album (
            pk bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, id text COLLATE "C" NOT NULL UNIQUE,
            key bigint NOT NULL, json text NOT NULL, date text COLLATE "C"
        );
        CREATE TABLE music_track (
            pk bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, id text COLLATE "C" NOT NULL UNIQUE,
            key bigint NOT NULL, json text NOT NULL, album text COLLATE "C", medium bigint, place bigint
        );
        CREATE INDEX music_track_album ON music_track (album, medium, place) WHERE album IS NOT NULL;
        CREATE TABLE music_lyrics (
            pk bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, id text COLLATE "C" NOT NULL UNIQUE,
            key bigint NOT NULL, json text NOT NULL
        );
        CREATE TABLE music_lyrics_track (
            track text COLLATE "C" NOT NULL,
            lyrics bigint NOT NULL REFERENCES music_lyrics (pk) ON DELETE CASCADE,
            PRIMARY KEY (track, lyrics)
        );
        CREATE INDEX music_lyrics_track_lyrics ON music_lyrics_track (lyrics);
        CREATE TABLE music_picture (id text COLLATE "C" PRIMARY KEY, json text NOT NULL, bytes bytea NOT NULL);
        CREATE TABLE music_credit (
            artist text COLLATE "C" NOT NULL, kind smallint NOT NULL, entity bigint NOT NULL,
            PRIMARY KEY (artist, kind, entity)
        );
        CREATE INDEX music_credit_entity ON music_credit (kind, entity);
        CREATE TABLE music_identifier (
            value text COLLATE "C" NOT NULL, kind smallint NOT NULL, entity bigint NOT NULL,
            PRIMARY KEY (value, kind, entity)
        );
        CREATE TABLE music_redirect (
            kind smallint NOT NULL, old text COLLATE "C" NOT NULL, new text COLLATE "C" NOT NULL, PRIMARY KEY (kind, old)
        );
        CREATE INDEX music_redirect_new ON music_redirect (kind, new);
        CREATE TABLE music_checkpoint (name text COLLATE "C" PRIMARY KEY, value text NOT NULL);
        CREATE TABLE music_state (
            single boolean PRIMARY KEY DEFAULT true CHECK (single), generation bigint NOT NULL, next_key bigint NOT NULL
        );
        INSERT INTO music_state (generation, next_key) VALUES (0, 0);
        CREATE TABLE music_tier (
            keys text COLLATE "C" NOT NULL, tier smallint NOT NULL, first bigint NOT NULL, count bigint NOT NULL,
            PRIMARY KEY (keys, tier)
        );
        CREATE TABLE music_word (word text COLLATE "C" PRIMARY KEY, grams tsvector NOT NULL);
        CREATE INDEX music_word_grams ON music_word USING gin (grams) WITH (gin_pending_list_limit = 256);
        """

    /// Returns the SQL that creates the table of keys of a kind.
    ///
    /// An index gathers changes in a list that every search reads. It is short, and empty after each transaction (``settle(_:)``).
    /// Measured: 8,700 keys a second are added so, and 1,900 without a list.
    private static func keys(_ table: String, _ columns: [String]) -> String {
        let texts = (["name"] + columns).map { "\($0) text COLLATE \"C\" NOT NULL" }.joined(separator: ", ")
        let indexes = tiers.map {
            """
            CREATE INDEX music_\(table)_key_words_\($0) ON music_\(table)_key USING gin (words)
            WITH (gin_pending_list_limit = 256)
            WHERE tier = \($0);
            """
        }
        // The index has only the beginning of a name, because an entry cannot hold a whole one. `toast_tuple_target` keeps words in their
        // rows, where they are compared faster.
        return """
            CREATE TABLE music_\(table)_key (
                number bigint PRIMARY KEY, id text COLLATE "C" NOT NULL, tier smallint NOT NULL, \(texts), words tsvector NOT NULL
            ) WITH (toast_tuple_target = 8160);
            CREATE INDEX music_\(table)_key_name ON music_\(table)_key (left(name, 200), number);
            \(indexes.joined(separator: "\n"))
            """
    }

    /// Moves the entries in the pending lists of the indexes of keys into the indexes.
    static func settle(_ tables: [String], _ connection: PostgreSQLConnection) throws {
        let indexes = tables.flatMap { table in tiers.map { "music_\(table)_key_words_\($0)" } } + ["music_word_grams"]
        try connection.rows(
            "SELECT sum(gin_clean_pending_list(name::regclass))::bigint AS pages FROM unnest($1) AS indexes (name)",
            PostgreSQLValue.texts(indexes)
        )
    }

    /// Returns the statement of a search: keys with the words `$1`, in order of numbers.
    ///
    /// A tier is searched only if those before it gave too few hits. `OFFSET 0` keeps the server from scanning by number instead, which for
    /// rare words reads the whole table.
    static func search(_ table: String, limit: Int) -> String {
        let columns = (["number", "id", "name"] + (Self.columns[table] ?? [])).joined(separator: ", ")
        let parts = tiers.map { tier in
            let before = (0..<tier).map { "(SELECT count(*) FROM tier\($0))" }.joined(separator: " + ")
            return """
                tier\(tier) AS MATERIALIZED (
                    SELECT * FROM (
                        SELECT \(columns) FROM music_\(table)_key
                        WHERE tier = \(tier) AND words @@ $1::tsquery\(tier == 0 ? "" : " AND \(before) < \(limit)") OFFSET 0
                    ) AS found ORDER BY number LIMIT \(limit)
                )
                """
        }
        let all = tiers.map { "SELECT * FROM tier\($0)" }.joined(separator: " UNION ALL ")
        return "WITH \(parts.joined(separator: ", ")) SELECT * FROM (\(all)) AS found ORDER BY number LIMIT \(limit)"
    }
}
