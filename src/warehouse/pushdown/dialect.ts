import type { DialectName } from './foreign-table'
import type { Spellings } from './imported-texts'
import type { Parameter, Sql, Statement } from './sql'

/**
 * How one kind of database says what all of them can. Days are whole numbers since 1970-01-01, moments are milliseconds,
 * exact numbers are decimals, texts compare byte by byte. Operands are whole expressions; what is made of them is one, too.
 */
export interface Dialect {
  name: DialectName
  /** A name of the catalogue. @throws ProductError for a name that cannot be quoted */
  quote(name: string): Sql
  placeholder(parameter: Parameter, place: number): string
  /** Whether a place is named, so that a value that stands twice travels once. */
  namesPlaces: boolean

  /** A stored cell as this room calculates with it. */
  textCell(cell: Sql): Sql
  /**
   * A stored text as it would be imported: letters composed, no value where it is blank.
   * @param spellings texts of the column that are not composed, where {@link Dialect.uncomposed} had to find them
   */
  importedText(cell: Sql, spellings: Spellings): Sql
  /** A condition of texts whose letters may not be composed; null: the database composes letters by itself. */
  uncomposed: ((cell: Sql) => Sql) | null
  /** Bytes as the digits that they are imported as. */
  bytesCell(cell: Sql): Sql
  realCell(cell: Sql): Sql
  /** An exact number; what is none (NaN) is no value. */
  exactCell(cell: Sql): Sql
  flagCell(cell: Sql): Sql
  dayCell(cell: Sql): Sql
  momentCell(cell: Sql): Sql
  /** Whether a stored day or moment is one of the calendar; null: every one is. */
  isInCalendar(cell: Sql): Sql | null
  /** The same day or moment as a stored cell is compared with, so that an index can be used. */
  dayBound(day: number): Sql
  momentBound(ms: number, zoned: boolean): Sql

  /** A key in the way texts are told apart, whatever its type. */
  keyText(cell: Sql): Sql
  decimal(value: Sql, scale: number): Sql
  real(value: Sql): Sql
  whole(value: Sql): Sql
  /** An exact number as one that any number of can be added without running over. */
  summable(value: Sql, scale: number): Sql
  /** What travels back: text, or NULL. */
  output(value: Sql, kind: 'text' | 'number'): Sql

  /** How texts are ordered. */
  ordered(text: Sql): Sql
  isSame(left: Sql, right: Sql): Sql
  /** At least one. */
  isOneOf(value: Sql, list: readonly Sql[]): Sql
  /** From 1 on; 0: not in it. */
  positionIn(text: Sql, part: Sql): Sql
  concat(texts: readonly Sql[]): Sql

  /** Floor of the quotient by a whole number above 0; of whole numbers of up to 53 bits. */
  floorBy(value: Sql, by: number): Sql
  /** Floor of the quotient of two exact numbers that are whole, whatever their type. */
  floorOf(value: Sql, by: Sql): Sql
  floorReal(value: Sql): Sql
  truncate(value: Sql): Sql
  /** Of an exact number, half away from zero. */
  round(value: Sql, decimals: number): Sql

  /** Of a day. */
  year(day: Sql): Sql
  month(day: Sql): Sql
  dayOfMonth(day: Sql): Sql
  dayOfYear(day: Sql): Sql
  /** The same date a year later; 29 February becomes the 28th. */
  yearLater(day: Sql): Sql
  isoDay(day: Sql): Sql
}

/** Longer statements are refused before they travel. */
export const STATEMENT_CHARS_MAX = 400_000

/** The statement with its values beside it. */
export function rendered(dialect: Dialect, parts: Sql): Statement {
  const values: string[] = []
  const places = new Map<string, number>()
  let text = ''
  for (const part of parts) {
    if (typeof part === 'string') {
      text += part
      continue
    }
    const name = `${part.as} ${part.value}`
    let place = dialect.namesPlaces ? places.get(name) : undefined
    if (place === undefined) {
      place = values.push(part.value)
      places.set(name, place)
    }
    text += dialect.placeholder(part, place)
  }
  return { text, values }
}
