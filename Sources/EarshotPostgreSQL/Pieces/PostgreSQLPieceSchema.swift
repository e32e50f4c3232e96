/// The tables of pieces.
///
/// Texts are compared by their bytes. Instants are seconds since 1970. The properties of a piece and of a part are one JSON text each, not
/// `jsonb`, which would refuse U+0000. Searchable properties have columns too.
enum PostgreSQLPieceSchema {
    static let migrations = PostgreSQLMigrations(
        "pieces",
        [
            { connection in
                try connection.execute(pieces)
                try connection.execute(authors)
            }
        ]
    )

    private static let pieces = """
        CREATE TABLE piece (
            pk bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            id text COLLATE "C" NOT NULL UNIQUE,
            author text COLLATE "C" NOT NULL,
            state text COLLATE "C" NOT NULL,
            visibility text COLLATE "C" NOT NULL,
            begun double precision NOT NULL,
            published double precision,
            -- Counts publications, in the order in which they were kept.
            number bigint,
            words text COLLATE "C" NOT NULL,
            tempo double precision,
            length bigint NOT NULL,
            tonality text COLLATE "C",
            parents text NOT NULL,
            json text NOT NULL,
            quoting boolean NOT NULL DEFAULT false,
            findings bytea
        );
        CREATE INDEX piece_by_author ON piece (author, number);
        CREATE INDEX piece_by_tempo ON piece (tempo) WHERE state = 'published' AND tempo IS NOT NULL;
        CREATE INDEX piece_by_tonality ON piece (tonality) WHERE state = 'published';
        CREATE INDEX piece_by_word ON piece USING gin (\(words)) WHERE state = 'published';
        CREATE UNIQUE INDEX piece_listed ON piece (number) WHERE state = 'published';
        CREATE INDEX piece_unheard ON piece (author, number) WHERE state = 'published' AND findings IS NULL;
        CREATE INDEX piece_draft ON piece (begun) WHERE state = 'draft';
        -- From when it is published on. The number is that of the piece.
        CREATE TABLE piece_parent (
            piece bigint NOT NULL REFERENCES piece (pk),
            place bigint NOT NULL,
            parent bigint NOT NULL REFERENCES piece (pk),
            number bigint NOT NULL,
            PRIMARY KEY (piece, place)
        );
        CREATE INDEX piece_parent_child ON piece_parent (parent, number);
        CREATE TABLE piece_part (
            id text COLLATE "C" PRIMARY KEY,
            piece bigint NOT NULL REFERENCES piece (pk) ON DELETE CASCADE,
            place bigint NOT NULL,
            size bigint NOT NULL,
            complete boolean NOT NULL,
            kept_in text COLLATE "C",
            json text NOT NULL
        );
        CREATE INDEX piece_part_piece ON piece_part (piece, place);
        CREATE TABLE piece_discarded (
            part text COLLATE "C" PRIMARY KEY,
            piece text COLLATE "C" NOT NULL,
            due double precision NOT NULL
        );
        -- One row: the bytes of all parts, and the number of the last publication.
        CREATE TABLE piece_total (bytes bigint NOT NULL, number bigint NOT NULL);
        INSERT INTO piece_total VALUES (0, 0);
        """

    /// The SQL of the words of a title, as in the index.
    static let words = "array_to_tsvector(string_to_array(ltrim(words), ' '))"

    private static let authors = """
        CREATE TABLE piece_author (
            id text COLLATE "C" PRIMARY KEY,
            key text COLLATE "C" NOT NULL UNIQUE,
            name text NOT NULL,
            password bytea,
            created double precision NOT NULL
        );
        CREATE TABLE piece_author_user (id text COLLATE "C" PRIMARY KEY, author text COLLATE "C" NOT NULL);
        CREATE INDEX piece_author_user_author ON piece_author_user (author, id);
        CREATE TABLE piece_application (id text COLLATE "C" PRIMARY KEY, json text NOT NULL);
        CREATE TABLE piece_login_code (
            digest bytea PRIMARY KEY,
            client text COLLATE "C" NOT NULL,
            author text COLLATE "C",
            user_code text COLLATE "C",
            challenge text COLLATE "C",
            expires double precision NOT NULL,
            refused boolean NOT NULL
        );
        CREATE INDEX piece_login_code_user ON piece_login_code (user_code) WHERE user_code IS NOT NULL;
        CREATE INDEX piece_login_code_author ON piece_login_code (author) WHERE author IS NOT NULL;
        CREATE INDEX piece_login_code_end ON piece_login_code (expires);
        """
}
