/**
 * How values lie in the warehouse's tables. One storage value per cell:
 * - `text`: TEXT, NFC as in the file.
 * - `integer`: INTEGER within ±(2^53−1).
 * - `number` with scale s: INTEGER = value × 10^s; without a scale: REAL.
 * - `boolean`: 0 or 1.
 * - `date`: INTEGER days since 1970-01-01 (proleptic Gregorian).
 * - `datetime`: INTEGER milliseconds since 1970-01-01T00:00; `zoned`: an instant in UTC; else wall-clock time as if UTC.
 * Empty cells are NULL.
 */
export type StorageValue = string | number | null
