/** With as many rows in a usual month, one without any lacks its records: it was not quiet. */
const USUAL_ROWS_MIN = 10
const MONTHS_OF_YEAR = 12

/**
 * Tells months whose records lack among months with so many rows each: what lacks from a file is no zero. A month that is
 * empty each year is one in which nothing happens, and where a month has few rows one without any says nothing.
 */
export function monthLacksRecords(rows: readonly number[]): (month: number) => boolean {
  const filled = rows.filter((count) => count > 0).toSorted((a, b) => a - b)
  if ((filled[Math.floor(filled.length / 2)] ?? 0) < USUAL_ROWS_MIN) return () => false
  return (month) => rows[month] === 0 && rows[month - MONTHS_OF_YEAR] !== 0 && rows[month + MONTHS_OF_YEAR] !== 0
}
