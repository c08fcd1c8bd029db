import { queryTooComplex } from '../plan/plan-errors'

/** A number per row: an integer scaled by 10^scale whose size is at most `bound`, or floating point. */
export type RowNumber = { kind: 'exact'; sql: Sql; scale: number; bound: bigint } | { kind: 'real'; sql: Sql }

/** A value that SQLite binds. */
export type Bound = string | number

/**
 * A piece of SQL. It can be made only by this module's functions, from text written in our own code, generated names,
 * integers we computed, and bound values: text of a person has no way into it but as a bound value.
 */
export class Sql {
  readonly #strings: readonly string[]
  readonly #values: readonly Bound[]
  private constructor(strings: readonly string[], values: readonly Bound[]) {
    this.#strings = strings
    this.#values = values
  }

  static #glue(parts: readonly (string | Sql)[]): Sql {
    const strings: string[] = ['']
    const values: Bound[] = []
    const append = (text: string): void => {
      strings.push(`${strings.pop() ?? ''}${text}`)
    }
    for (const part of parts) {
      if (typeof part === 'string') append(part)
      else {
        const [head = '', ...tail] = part.#strings
        append(head)
        strings.push(...tail)
        values.push(...part.#values)
      }
    }
    return new Sql(strings, values)
  }

  /** Our own code's text with pieces between. A real template's strings are frozen; a built array is refused. */
  static template(strings: TemplateStringsArray, ...pieces: Sql[]): Sql {
    if (!Object.isFrozen(strings) || !Object.isFrozen(strings.raw)) throw new TypeError('Only a template literal.')
    return Sql.#glue(strings.flatMap((text, i) => (i === 0 ? [text] : [pieces[i - 1] ?? '', text])))
  }
  static bind(value: Bound): Sql {
    return new Sql(['', ''], [value])
  }
  static int(value: number | bigint): Sql {
    const text = String(value)
    if (!/^-?\d{1,19}$/.test(text)) throw new RangeError(`Not an integer of SQLite: ${text}`)
    return new Sql([value < 0 ? `(${text})` : text], [])
  }
  /**
   * A generated name: `t12_1`, `c7`, `k0`. Anything else is refused. Without quotes on purpose: SQLite takes an
   * unknown name in double quotes for a text, and a mistake would become a wrong figure instead of an error.
   */
  static name(text: string): Sql {
    if (!/^[a-z]{1,4}\d{0,9}(_\d{1,4})?$/.test(text)) throw new RangeError('Not a generated name.')
    return new Sql([text], [])
  }
  static join(pieces: readonly Sql[], between: ', ' | ' AND ' | ' OR ' | ' ' | ' UNION ALL '): Sql {
    return Sql.#glue(pieces.flatMap((piece, i) => (i === 0 ? [piece] : [between, piece])))
  }

  /** Text with numbered parameters; equal values share one. */
  render(): { text: string; values: Bound[] } {
    const numbers = new Map<Bound, number>()
    const text = this.#strings.reduce((done, next, i) => {
      const value = this.#values[i - 1] ?? 0
      const number = numbers.get(value) ?? numbers.size + 1
      numbers.set(value, number)
      return `${done}?${number}${next}`
    })
    return { text, values: [...numbers.keys()] }
  }
}

export const sql = (strings: TemplateStringsArray, ...pieces: Sql[]): Sql => Sql.template(strings, ...pieces)
export const bind = (value: Bound): Sql => Sql.bind(value)
export const int = (value: number | bigint): Sql => Sql.int(value)
export const name = (text: string): Sql => Sql.name(text)
export const join: typeof Sql.join = (pieces, between) => Sql.join(pieces, between)

const balanced = (pieces: readonly Sql[], between: ' AND ' | ' OR '): Sql => {
  const [first, second] = pieces
  if (!first) throw new RangeError('Nothing to combine.')
  if (!second) return first
  const half = Math.ceil(pieces.length / 2)
  return sql`(${join([balanced(pieces.slice(0, half), between), balanced(pieces.slice(half), between)], between)})`
}

/** True when there is nothing to hold. A balanced tree: SQLite refuses expressions deeper than 100. */
export const all = (pieces: readonly Sql[]): Sql => (pieces.length === 0 ? sql`1` : balanced(pieces, ' AND '))
/** False when there is nothing to choose. */
export const any = (pieces: readonly Sql[]): Sql => (pieces.length === 0 ? sql`0` : balanced(pieces, ' OR '))

const STATEMENT_MAX_CHARS = 90_000
const PARAMETERS_MAX = 100
/**
 * What one answer may hold. RPC carries 32 MiB and a character is up to two bytes there; the object that builds the
 * answer has 128 MB for everything.
 */
export const ANSWER_MAX_CHARS = 8 * 1024 * 1024
/** What a value costs besides its text; dates become texts of about this length. */
export const VALUE_CHARS = 16

/** All rows of a statement. @throws ProductError `query_too_complex` when they are too much for an answer */
export type ExecuteSql = (query: Sql) => SqlStorageValue[][]

const charsOf = (row: readonly SqlStorageValue[]): number =>
  row.reduce((total: number, cell) => total + VALUE_CHARS + (typeof cell === 'string' ? cell.length : 0), 0)

export const sqlExecutor =
  (storage: SqlStorage): ExecuteSql =>
  (query) => {
    const { text, values } = query.render()
    if (text.length > STATEMENT_MAX_CHARS) throw queryTooComplex('statement', STATEMENT_MAX_CHARS)
    if (values.length > PARAMETERS_MAX) throw queryTooComplex('values', PARAMETERS_MAX)
    const rows: SqlStorageValue[][] = []
    let chars = 0
    for (const row of startStatement(storage, { text, values })) {
      chars += charsOf(row)
      // Read to the end all the same: a cursor left halfway locks its table, and a load could not replace it.
      if (chars <= ANSWER_MAX_CHARS) rows.push(row)
      else rows.length = 0
    }
    if (chars > ANSWER_MAX_CHARS) throw queryTooComplex('characters', ANSWER_MAX_CHARS)
    return rows
  }

/** What SQLite says of a statement that is too much for its own limits, in words of ours. */
const LIMITS = /too many terms|too large|at most \d+ tables|too many columns|parser stack overflow|too complex/i

function startStatement(storage: SqlStorage, { text, values }: ReturnType<Sql['render']>): Iterable<SqlStorageValue[]> {
  try {
    return storage.exec(text, ...values).raw()
  } catch (error) {
    if (error instanceof Error && LIMITS.test(error.message)) throw queryTooComplex('parts', PARAMETERS_MAX)
    throw error
  }
}
