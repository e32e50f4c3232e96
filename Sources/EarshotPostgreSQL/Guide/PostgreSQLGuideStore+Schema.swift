extension PostgreSQLGuideStore {
    /// The tables of a guide.
    ///
    /// Works, programs and channels are one JSON text each, with columns for what they are found by. Instants are
    /// milliseconds since 1970. Texts are compared by their bytes, as SQLite does and as identifiers are.
    static let migrations = PostgreSQLMigrations(
        "guide",
        [
            { connection in
                try connection.execute(
                    """
                    CREATE TABLE guide_work (
                        pk bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
                        id text COLLATE "C" NOT NULL UNIQUE,
                        name text COLLATE "C" NOT NULL,
                        json text NOT NULL
                    );
                    CREATE TABLE guide_program (
                        pk bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
                        id text COLLATE "C" NOT NULL UNIQUE,
                        name text COLLATE "C" NOT NULL,
                        json text NOT NULL
                    );
                    -- The words of titles, as TitleKeys makes them.
                    CREATE TABLE guide_work_word (
                        word text COLLATE "C" NOT NULL,
                        entity bigint NOT NULL REFERENCES guide_work ON DELETE CASCADE,
                        PRIMARY KEY (word, entity)
                    );
                    CREATE INDEX guide_work_word_entity ON guide_work_word (entity);
                    CREATE TABLE guide_program_word (
                        word text COLLATE "C" NOT NULL,
                        entity bigint NOT NULL REFERENCES guide_program ON DELETE CASCADE,
                        PRIMARY KEY (word, entity)
                    );
                    CREATE INDEX guide_program_word_entity ON guide_program_word (entity);
                    CREATE TABLE guide_channel (
                        pk bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
                        id text COLLATE "C" NOT NULL UNIQUE,
                        tag text COLLATE "C" NOT NULL,
                        json text NOT NULL
                    );
                    -- The identifiers that channels have in guides in XMLTV.
                    CREATE TABLE guide_channel_xmltv (
                        value text COLLATE "C" NOT NULL,
                        channel bigint NOT NULL REFERENCES guide_channel ON DELETE CASCADE,
                        PRIMARY KEY (value, channel)
                    );
                    CREATE INDEX guide_channel_xmltv_channel ON guide_channel_xmltv (channel);
                    CREATE TABLE guide_airing (
                        channel bigint NOT NULL REFERENCES guide_channel ON DELETE CASCADE,
                        start bigint NOT NULL,
                        finish bigint NOT NULL,
                        program bigint NOT NULL REFERENCES guide_program ON DELETE CASCADE,
                        live boolean NOT NULL,
                        again boolean NOT NULL,
                        PRIMARY KEY (channel, start)
                    );
                    CREATE INDEX guide_airing_start ON guide_airing (start);
                    CREATE INDEX guide_airing_finish ON guide_airing (finish);
                    CREATE INDEX guide_airing_program ON guide_airing (program);
                    -- The one row that each change locks.
                    CREATE TABLE guide_writer (one boolean PRIMARY KEY CHECK (one));
                    INSERT INTO guide_writer (one) VALUES (true);
                    """
                )
            }
        ]
    )
}
