// The tables of a registry file, which is a plain SQLite database: docs/schema.md shows them with examples of SQL. An
// import writes a file as a whole and never edits it (build.ts), and the service only reads it (registry-file.ts).
//
// The position of a record is its index in canonical order: newest first, then by code. It is the key of `expediente`
// and the rowid in both full-text indexes, so a search returns records in the order of the result without sorting.
import { tokenFilters } from '../domain/parameters.ts'
import { wireFields } from '../domain/record.ts'

/** Marks a SQLite file as a registry: `PRAGMA application_id`. The bytes are the letters PReg. */
export const applicationId = 0x50526567

/**
 * Raise it when the tables, the tokens or the answers change that are made of the same records: a test computes a
 * fingerprint of the code and lists behind them (test/registry/format.test.ts).
 */
const baseVersion = 32
/**
 * `PRAGMA user_version`. A file of another format is not served, and its import builds it anew. Each filter that has
 * tokens raises it by one, so that no file lacks them. No filter is ever removed.
 */
export const formatVersion: number = baseVersion + tokenFilters.length

/** The fields of the wire format as columns. They are computed from `wire` when they are read, and take no space. */
const fieldColumns = wireFields
  .filter((field) => field !== 'checkin_date')
  .map((field) => `${field} TEXT GENERATED ALWAYS AS (wire ->> '${field}') VIRTUAL`)

/**
 * FTS5 finds prefixes of 3, 4 and 5 letters at once, because many words share them. A token begins with the letter of
 * its kind.
 */
const prefixTokenLengths = '4 5 6'
/** The most letters of such a prefix. */
export const indexedPrefixMax = 5

/** The tables and indexes in the order in which they are created. */
export const schema: string = `
  -- What the file says about itself: its id, when it was published, and so on.
  CREATE TABLE property (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

  CREATE TABLE municipality (
    number INTEGER PRIMARY KEY,
    key TEXT NOT NULL, -- the INE code or, without one, the folded name; the token of the municipality
    name TEXT NOT NULL,
    ine_code TEXT,
    other_names TEXT NOT NULL, -- a JSON array
    lookup_keys TEXT NOT NULL, -- a JSON array of folded names
    records INTEGER NOT NULL,
    first_year INTEGER NOT NULL,
    last_year INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE year (year INTEGER PRIMARY KEY, first INTEGER NOT NULL, records INTEGER NOT NULL) STRICT;

  -- The records.
  CREATE TABLE expediente (
    position INTEGER PRIMARY KEY,
    cod_archivo TEXT NOT NULL,
    checkin_date TEXT NOT NULL,
    ine_code TEXT,
    municipality_number INTEGER NOT NULL,
    first_page INTEGER NOT NULL, -- the number of its first row in page, and how many it has
    page_count INTEGER NOT NULL,
    folded_code TEXT NOT NULL,
    digest BLOB NOT NULL, -- of everything that responses say about the record
    wire TEXT NOT NULL, -- the JSON object that clients receive
    fields TEXT, -- a JSON object of the office's own columns by label; null if the record has none
    ${fieldColumns.join(',\n    ')}
  ) STRICT;

  -- The values of the office's own columns, folded and as the newest record writes them. The property "fields" declares the
  -- columns.
  CREATE TABLE field_value (
    field TEXT NOT NULL, -- its name in requests
    folded TEXT NOT NULL,
    value TEXT NOT NULL,
    records INTEGER NOT NULL,
    PRIMARY KEY (field, folded)
  ) STRICT, WITHOUT ROWID;

  -- What could be read of the documents of a record, numbered from 1.
  CREATE TABLE document (
    position INTEGER NOT NULL,
    number INTEGER NOT NULL,
    href TEXT,
    pages INTEGER NOT NULL,
    read INTEGER NOT NULL,
    recognised INTEGER NOT NULL,
    unread INTEGER NOT NULL,
    reason TEXT,
    sha256 TEXT,
    PRIMARY KEY (position, number)
  ) STRICT, WITHOUT ROWID;

  -- The files that the service hands out at documento/{sha256}, and those that it did before the import that withdrew
  -- them: the import after that one deletes them.
  CREATE TABLE published (
    sha256 TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    bytes INTEGER NOT NULL,
    is_pdf INTEGER NOT NULL,
    withdrawn INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;

  -- The text of the column content (document and page are null) and of the pages of documents, in reading order. The
  -- text of a long page takes several rows.
  CREATE TABLE page (
    number INTEGER PRIMARY KEY,
    position INTEGER NOT NULL,
    document INTEGER,
    page INTEGER,
    recognised INTEGER NOT NULL,
    text TEXT NOT NULL
  ) STRICT;

  -- Which records each publication has added, changed or removed.
  CREATE TABLE change (number INTEGER PRIMARY KEY, kind TEXT NOT NULL, code TEXT NOT NULL, at TEXT NOT NULL) STRICT;

  -- The folded words of all records, with the number of records that have them. A long prefix is looked up here.
  CREATE TABLE word (word TEXT PRIMARY KEY, records INTEGER NOT NULL) STRICT, WITHOUT ROWID;

  -- The words that have a stem, besides the stem itself. Passages look for them.
  CREATE TABLE inflection (stem TEXT, form TEXT, PRIMARY KEY (stem, form)) STRICT, WITHOUT ROWID;

  -- The most frequent words with their accents, from which misspelt words are corrected.
  CREATE TABLE spelling (
    letters INTEGER NOT NULL, -- of the folded word
    folded TEXT NOT NULL,
    spelling TEXT NOT NULL,
    weight INTEGER NOT NULL,
    PRIMARY KEY (letters, folded)
  ) STRICT, WITHOUT ROWID;

  -- The full-text indexes: tokens.ts says which tokens they have. They are contentless: FTS5 keeps no copy of the
  -- text. The rowid is the position of the record; in page_words, it counts blocks of words.
  CREATE VIRTUAL TABLE search USING fts5(tokens, content='', detail=full, tokenize='ascii');
  CREATE VIRTUAL TABLE prefix USING fts5(
    tokens, content='', detail=none, tokenize='ascii', prefix='${prefixTokenLengths}');
  CREATE VIRTUAL TABLE page_words USING fts5(tokens, content='', detail=none, tokenize='ascii');
`

/** They are created after all rows, which is faster. */
export const indexes = `
  CREATE UNIQUE INDEX expediente_code ON expediente (folded_code);
  CREATE INDEX expediente_order ON expediente (checkin_date DESC, cod_archivo);
  CREATE INDEX expediente_municipality ON expediente (municipality_number);
`
