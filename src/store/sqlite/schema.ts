// The tables of a snapshot file, and what tells such a file from any other SQLite database. They hold what is read when
// it is opened; records and posting lists follow them as strips (strip.ts).

/** "PReg" in ASCII, in the header of every snapshot file. */
export const applicationId = 0x50526567

/** Changes with the tables, the layout of posting lists or the analyser: a file of another version is imported anew. */
export const formatVersion = 7

export const pageBytes = 8192

export const tables = `
  CREATE TABLE fact (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE year (year INTEGER PRIMARY KEY, first INTEGER NOT NULL, records INTEGER NOT NULL);
  CREATE TABLE municipality (
    number INTEGER PRIMARY KEY, name TEXT NOT NULL, ine_code TEXT, other_names TEXT NOT NULL, keys TEXT NOT NULL,
    records INTEGER NOT NULL, first_year INTEGER NOT NULL, last_year INTEGER NOT NULL
  );
  CREATE TABLE municipality_records (one INTEGER PRIMARY KEY, numbers BLOB NOT NULL, records BLOB NOT NULL);
`
