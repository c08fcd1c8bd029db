import type { ColumnHint } from '../../shared/data-sources/files'
import { joinScalars, listKind, type NestedScalar, type NestedObject, type NestedValue } from './nested-value'
import { ProductError } from '../../shared/errors'
import { DATASET_MAX_COLUMNS } from '../../shared/limits'

/** Digits that a double keeps whatever they are. */
const DOUBLE_DIGITS = 17
const SAFE_DIGITS = 15
const SCALE_MAX = 4
const PLAIN_NUMBER = /^-?(\d+)(?:\.(\d+))?$/
const DIGITS = /^\d+$/

/** What the single values of one column were, over all rows. */
export class ScalarStats {
  booleans = 0
  numbers = 0
  strings = 0
  /** Strings of digits alone: written as text on purpose. */
  private digitStrings = 0
  private whole = true
  private exponents = false
  private decimals = 0
  private wholeDigits = 0
  private exceedsPrecision = false

  add({ kind, text }: NestedScalar): void {
    if (kind === 'number') this.addNumber(text)
    else if (kind === 'string') {
      this.strings++
      if (DIGITS.test(text)) this.digitStrings++
    } else if (kind === 'boolean') this.booleans++
  }

  get filled(): number {
    return this.booleans + this.numbers + this.strings
  }

  /**
   * The type when all values are of one kind; none for strings, whose texts are looked at like any other's. A string
   * of digits, and a number that no double can hold, stay text.
   */
  typeHint(): Pick<ColumnHint, 'type' | 'scale'> {
    const { filled } = this
    if (filled === 0) return {}
    if (this.booleans === filled) return { type: 'boolean' }
    if (this.numbers === filled) return this.numberHint()
    if (this.strings === filled) return this.digitStrings === filled ? { type: 'text' } : {}
    return this.strings > 0 && this.booleans === 0 ? {} : { type: 'text' }
  }

  private addNumber(text: string): void {
    this.numbers++
    const match = PLAIN_NUMBER.exec(text)
    if (!match) {
      this.exponents = true
      this.whole = false
      if (text.replace(/e.*$/i, '').replace(/\D/g, '').length > DOUBLE_DIGITS) this.exceedsPrecision = true
      return
    }
    const [, whole = '', fraction = ''] = match
    if (fraction !== '') this.whole = false
    this.decimals = Math.max(this.decimals, fraction.length)
    this.wholeDigits = Math.max(this.wholeDigits, whole.length)
    if (
      fraction === ''
        ? whole.length > SAFE_DIGITS && !Number.isSafeInteger(Number(text))
        : exceedsDoublePrecision(whole, fraction)
    )
      this.exceedsPrecision = true
  }

  private numberHint(): Pick<ColumnHint, 'type' | 'scale'> {
    if (this.exceedsPrecision) return { type: 'text' }
    if (this.whole) return { type: 'integer' }
    if (this.exponents || this.decimals > SCALE_MAX || this.wholeDigits + this.decimals > SAFE_DIGITS)
      return { type: 'number' }
    return { type: 'number', scale: this.decimals }
  }
}

function exceedsDoublePrecision(whole: string, fraction: string): boolean {
  if (whole.length + fraction.length <= DOUBLE_DIGITS) return false
  return (whole + fraction).replace(/^0+/, '').replace(/0+$/, '').length > DOUBLE_DIGITS
}

/** Names in a dotted column: what lies deeper becomes text. */
const PATH_DEPTH_MAX = 4
/** Tables below the first one: what lies deeper becomes text. */
const TABLE_DEPTH_MAX = 4
/** Keys of one object over all rows; an object with more is a dictionary and becomes text. */
const OBJECT_MAX_KEYS = 1000
/** Paths of one file: bounds what is held of a file whose keys are never the same. */
const FILE_MAX_PATHS = 50_000
/** Single values joined in one cell; a longer list is only in its own table. */
export const JOINED_MAX_CHARS = 1000
const ID_MAX_ROWS = 300_000
const ID_NAME = /^_?(id|uuid|guid)$/i
const OWN_ID_NAME = /^(\p{L}+)[_ ]?(?:id|nr|number|nummer)$/iu

/** Shared by all tables of one file. */
class PathCounter {
  paths = 0
}

/** One place in a record, over all records: what stood there, and where it goes. */
export class InferredField {
  readonly scalars = new ScalarStats()
  /** Members of the objects that stood here. */
  readonly members = new Map<string, InferredField>()
  /** Rows of the lists that stood here. */
  childTable: InferredTable | null = null
  /** Single values were joined in one cell. */
  joined = false
  /** Some list was too long to be joined. */
  tooLong = false
  /** Objects or lists that are kept as text. */
  isText = false
  /** Objects here are kept as text: too deep, or a dictionary. */
  collapsed: boolean
  /** Position of the cell in its table's rows; -1: none. */
  column = -1

  readonly depth: number

  constructor(
    readonly key: string,
    private readonly parent: InferredField | null,
  ) {
    this.depth = parent ? parent.depth + 1 : 0
    this.collapsed = this.depth >= PATH_DEPTH_MAX
  }

  /** Keys from the record to here. */
  get keys(): string[] {
    return this.parent ? [...this.parent.keys, this.key] : []
  }

  /** What stood here stays one text. */
  collapse(): void {
    this.collapsed = true
    this.isText = true
    this.childTable = null
    this.members.clear()
  }

  /** Whether something stood here that needs a cell. */
  get hasCell(): boolean {
    return (
      this.scalars.filled > 0 || this.joined || this.isText || (this.members.size === 0 && this.childTable === null)
    )
  }
}

/** One table to be, as seen over all records. */
export class InferredTable {
  readonly record = new InferredField('', null)
  rowCount = 0
  /** Its only row is the file itself. */
  isSingleRow = false
  /** Rows have a name of their own (members of an object read as rows). */
  isKeyed = false
  private readonly ids = new IdDetector()

  constructor(
    /** Keys from the file's top to this table; none for the first table. */
    readonly path: readonly string[],
    private readonly level = 0,
    private readonly tally = new PathCounter(),
  ) {}

  /** The member that tells every row from all others, when one evidently does. */
  get id(): InferredField | null {
    return this.ids.found(this.rowCount)
  }

  /** @throws ProductError `too_large` when the keys are never the same. */
  observe(value: NestedValue, line: number): void {
    this.rowCount++
    if (value.kind === 'object') this.observeMembers(this.record, value, line)
    else this.observeAt(this.record, value, line)
  }

  /** The table of the lists at a path of keys, made when new: for rows that come without their record. */
  tableAt(path: readonly string[]): InferredTable {
    let at = this.record
    for (const key of path) at = this.member(at, key, 1) ?? at
    return this.childOf(at)
  }

  private observeAt(at: InferredField, value: NestedValue, line: number): void {
    if (value.kind === 'object') {
      if (at.collapsed) at.isText = true
      else this.observeMembers(at, value, line)
    } else if (value.kind === 'list') this.observeList(at, value.items, line)
    else {
      at.scalars.add(value)
      if (at.depth === 1) this.ids.see(at, value)
    }
  }

  private observeMembers(at: InferredField, { keys, values }: NestedObject, line: number): void {
    for (let i = 0; i < keys.length; i++) {
      const key = keys[i] ?? ''
      const member = this.member(at, key, line)
      if (!member) return
      const value = values[i]
      if (value) this.observeAt(member, value, line)
    }
  }

  /** @returns null when the object turns out to be a dictionary. */
  private member(at: InferredField, key: string, line: number): InferredField | null {
    const known = at.members.get(key)
    if (known) return known
    if (at.members.size >= OBJECT_MAX_KEYS && at.depth > 0) {
      at.collapse()
      return null
    }
    if (at.members.size >= OBJECT_MAX_KEYS || ++this.tally.paths > FILE_MAX_PATHS) throw tooManyKeysError(line)
    // A copy: a piece of the file's text would keep all of that text alive.
    const made = new InferredField(key.length > 12 ? Array.from(key).join('') : key, at)
    at.members.set(made.key, made)
    if (at.depth === 0) this.ids.offer(made, this.path)
    return made
  }

  private observeList(at: InferredField, items: NestedValue[], line: number): void {
    const kind = listKind(items)
    if (kind === 'empty') return
    if (kind === 'lists' || at.depth === 0 || this.level >= TABLE_DEPTH_MAX) {
      at.isText = true
      return
    }
    if (kind === 'scalars') {
      at.joined = true
      if (joinScalars(items, JOINED_MAX_CHARS).length > JOINED_MAX_CHARS) at.tooLong = true
    }
    const table = this.childOf(at)
    for (const item of items) table.observe(item, line)
  }

  private childOf(at: InferredField): InferredTable {
    at.childTable ??= new InferredTable([...this.path, ...at.keys], this.level + 1, this.tally)
    return at.childTable
  }
}

/** Watches whether one evident member is different in every row. */
class IdDetector {
  private candidate: InferredField | null = null
  private seen: Set<number> | null = new Set()

  offer(member: InferredField, path: readonly string[]): void {
    if (this.candidate) return
    const stem = OWN_ID_NAME.exec(member.key)?.[1]?.toLowerCase()
    const table = (path.at(-1) ?? '').toLowerCase()
    if (ID_NAME.test(member.key) || (stem !== undefined && table.startsWith(stem))) this.candidate = member
  }

  see(member: InferredField, { kind, text }: NestedScalar): void {
    if (member !== this.candidate || !this.seen) return
    const hash = hash53(text)
    if (kind === 'null' || this.seen.has(hash) || this.seen.size >= ID_MAX_ROWS) this.seen = null
    else this.seen.add(hash)
  }

  found(rowCount: number): InferredField | null {
    return rowCount > 0 && this.seen?.size === rowCount ? this.candidate : null
  }
}

/** 53 bits of a text: two texts with one hash would only cost the natural id. */
function hash53(text: string): number {
  let [high, low] = [0xdeadbeef, 0x41c6ce57]
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    high = Math.imul(high ^ code, 2654435761)
    low = Math.imul(low ^ code, 1597334677)
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909)
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909)
  return 4294967296 * (2097151 & low) + (high >>> 0)
}

export function tooManyKeysError(line: number): ProductError {
  return new ProductError(
    'too_large',
    { what: 'columns', max: DATASET_MAX_COLUMNS, line },
    `The records have more than ${DATASET_MAX_COLUMNS} different keys (line ${line}). Remove keys you don’t need.`,
  )
}
