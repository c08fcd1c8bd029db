/** Limits of our own, equal to or under the platform's. Units are in the names. */
/** A delimited text: it is read where it lies, stretch by stretch. */
export const FILE_MAX_BYTES = 2 * 1024 * 1024 * 1024
/** Any other file: it is taken apart into tables within one request, while somebody waits. */
export const EXTRACTED_FILE_MAX_BYTES = 200 * 1024 * 1024
/** What is sent again when a connection breaks; each part costs some calls of the database. */
export const UPLOAD_PART_BYTES = 16 * 1024 * 1024
export const UPLOAD_TTL_MS = 24 * 60 * 60 * 1000
/** Uploads of one workspace that were announced and have not arrived; one left behind counts for an hour. */
export const UNFINISHED_UPLOADS_MAX = 20
export const UNFINISHED_UPLOAD_COUNTS_MS = 60 * 60 * 1000
export const DATASET_MAX_ROWS = 20_000_000
export const DATASET_MAX_COLUMNS = 500
/** Tables taken out of one file, and datasets of one source. */
export const SOURCE_MAX_DATASETS = 20
/** Bytes that one compressed file may grow to, counted while it grows: as much as a delimited text may have. */
export const INFLATED_MAX_BYTES = FILE_MAX_BYTES
/** How many times its own size a compressed file may grow to; more is an attack. Small files are excused. */
export const INFLATED_MAX_RATIO = 200
export const INFLATED_RATIO_EXEMPT_BYTES = 16 * 1024 * 1024
/** The same of the text that a file's tables are written out as, counted while it is written. */
export const OUTPUT_MAX_RATIO = 100
export const OUTPUT_FREE_BYTES = 2 * 1024 * 1024
export const OUTPUT_FREE_COLUMNAR_BYTES = 64 * 1024 * 1024
/** A file that has unpacked to or written more than this is opened as one that holds much memory. */
export const SMALL_OPENING_MAX_BYTES = 16 * 1024 * 1024
/** Text of a file's tables that may be made without a pause for others. */
export const OUTPUT_STRETCH_MAX_BYTES = 64 * 1024 * 1024
export const ARCHIVE_MAX_ENTRIES = 10_000
export const CELL_MAX_BYTES = 32 * 1024
/** Steps of a table's cleaning recipe, new columns that one split makes, pairs that one mapping holds. */
export const CLEANING_STEPS_MAX = 50
export const SPLIT_COLUMNS_MAX = 20
export const MAPPED_VALUES_MAX = 500
/** Cells that a recipe looks at for each cell of a record, from so many cells of a record on. */
export const CLEANING_GROWTH_MAX = 100
export const CLEANED_CELLS_FREE = 5_000
/** Bytes that the steps of a recipe remember between two stretches of a file: values that are filled down. */
export const CLEANING_MEMORY_MAX_BYTES = 256 * 1024
/** One CSV record, in characters: a quote that is never closed stops here. */
export const RECORD_MAX_CHARS = 4 * 1024 * 1024
export const HEADER_MAX_CHARS = 200
/** One `json_each` parameter of an insert; SQLite's cap is 2 MB. */
export const BATCH_MAX_BYTES = 1_500_000
/** Rows read for type inference, over head, middle and tail. */
export const SAMPLE_MAX_ROWS = 5_000
export const SAMPLE_WINDOW_BYTES = 1024 * 1024
/** Tables up to this size are read whole when they are looked into, so that their row count is exact. */
export const SAMPLED_WHOLE_MAX_BYTES = 16 * 1024 * 1024
export const PREVIEW_ROWS = 100
/** A column has a type when at least this share of its non-empty values parses. */
export const TYPE_MIN_SHARE = 0.98
/** Rejected rows kept with line and reason, per run; beyond it only counted. */
export const REJECTS_STORED_MAX = 10_000
/** When more than this share of rows is rejected, the load is refused: the format was read wrongly. */
export const REJECTS_MAX_SHARE = 0.2
/** Bytes of the file that one durable step reads: each step costs some ten calls of the database and the platform. */
export const LOAD_SEGMENT_BYTES = 32 * 1024 * 1024
export const LOAD_LEASE_MS = 2 * 60 * 1000
/** A workspace's database: the platform's own cap is 10 GB. */
export const WORKSPACE_MAX_BYTES = 8 * 1024 * 1024 * 1024
/** All that a workspace keeps: its rows, files on their way, and originals of loads, of which a dataset has several. */
export const WORKSPACE_STORED_MAX_BYTES = 24 * 1024 * 1024 * 1024
export const JSON_BODY_MAX_BYTES = 256 * 1024
/** How long a JSON body may take to arrive; what was read of who asks grows old meanwhile. */
export const JSON_BODY_DEADLINE_MS = 30_000
/** An event of billing. */
export const WEBHOOK_BODY_MAX_BYTES = 1024 * 1024
/** Bodies that describe every column of several tables. */
export const TABLES_BODY_MAX_BYTES = 1024 * 1024
/** Levels of arrays and objects in a body: a plan with its deepest expression needs about fifty. */
export const JSON_DEPTH_MAX = 64
/** Questions of one person that are answered at a time; a page asks no more at once. */
export const QUESTIONS_AT_ONCE = 4
/** The longest that somebody who is sent away as busy is asked to wait, s; a page tries again by itself up to it. */
export const RETRY_AFTER_MAX_S = 30
export const QUERY_ROWS_MAX = 10_000
export const PLAN_MEASURES_MAX = 5
/** What all measures of a plan add up, once each metric is replaced by what it stands for. */
export const AGGREGATES_MAX = 20
export const EXPORT_ROWS_MAX = 1_000_000
export const XLSX_ROWS_MAX = 1_048_575
/** Pages of a workspace that are told of changes as they happen, and those of one person. */
export const LIVE_SOCKETS_MAX = 2_000
export const LIVE_SOCKETS_OF_PERSON_MAX = 10
export const SESSION_IDLE_MS = 14 * 24 * 60 * 60 * 1000
export const SESSION_MAX_MS = 30 * 24 * 60 * 60 * 1000
export const DELETED_RETENTION_MS = 30 * 24 * 60 * 60 * 1000
/** The previous table of a replaced dataset stays this long for instant rollback. */
export const PREVIOUS_ROWS_RETENTION_MS = 24 * 60 * 60 * 1000
export const ORIGINAL_FILES_RETAINED = 3
/** Files are loaded by hand; one that is older than a month's closing has probably been forgotten. */
export const STALE_AFTER_MS = 35 * 24 * 60 * 60 * 1000
export const PASSWORD_MIN_CHARS = 12
export const PASSWORD_MAX_CHARS = 1024
export const NAME_MAX_CHARS = 80
export const DESCRIPTION_MAX_CHARS = 500
export const LIST_DEFAULT_SIZE = 25
export const LIST_MAX_SIZE = 100

/** Of the language of plans: units that a figure looks back, steps of a number, keys and largest groups of figures over groups. */
export const PREV_STEPS_MAX = 120
export const MOVING_UNITS_MAX = 120
export const BINS_MAX = 100
export const GROUP_KEYS_MAX = 3
export const LARGEST_GROUPS_MAX = 1000
