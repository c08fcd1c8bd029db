/**
 * What one answer may hold. RPC carries 32 MiB and a character is up to two bytes there; the object that builds the
 * answer has 128 MB for everything.
 */
export const ANSWER_MAX_CHARS = 8 * 1024 * 1024
/** What a value costs besides its text; dates become texts of about this length. */
export const VALUE_CHARS = 16
