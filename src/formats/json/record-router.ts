import { ProductError } from '../../shared/errors'
import { DATASET_MAX_COLUMNS, RECORD_MAX_CHARS } from '../../shared/limits'
import { tooManyKeysError } from '../nested/infer-tables'
import type { NestedList, NestedObject, NestedValue } from '../nested/nested-value'
import {
  jsonRecordTooLongError,
  tooManyJsonValuesError,
  JsonParser,
  ValueBudgetExceeded,
  parseJson,
} from './json-parser'
import { containerKey, type FramedValue } from './record-framers'
import { columnNames, findColumnNames, freeName, haveSimilarKeys, rowOf, toTables } from './table-shapes'

/** How a container that is stepped into is read: a list of rows, one object, or an object whose members are rows. */
export type ContainerKind = 'list' | 'object' | 'map'
export type ExpandedContainers = ReadonlyMap<string, ContainerKind>

/** Where records go, of the first reading (to see them) and of the second (to write them). */
export interface RecordSink {
  record(value: NestedValue, line: number): void
  /** The file is one object. */
  single(value: NestedValue, line: number): void
  /** A row of a list inside the file's one object; `name` when members of an object are rows. */
  row(path: readonly string[], value: NestedValue, at: { line: number; name?: string }): void
}

export interface ContainerRef {
  path: readonly string[]
  kind: ContainerKind
}

/** The file has to be read again, stepping into further containers. */
export class ExpandContainersSignal extends Error {
  constructor(
    readonly containers: readonly ContainerRef[],
    /** Where it was too much. */
    readonly line = 1,
  ) {
    super('reopen')
  }
}

/** Members of one object that are no rows. */
const MEMBERS_MAX = 1000
/** Shorter ones are not worth stepping into. */
const LONG_MEMBER_CHARS = RECORD_MAX_CHARS / 64
/** About how many bytes the values of all members take at most that are held together. */
const MEMBERS_MAX_BYTES = 48 * 1024 * 1024
/** Signs that take no more bytes than that, whatever they are. */
const DENSE_MEMBERS_MAX_CHARS = (RECORD_MAX_CHARS / 16) * 3

/** Broken lines that are named. */
const BROKEN_LINES_MAX = 20

/** A container whose rows are lists: how wide they are at most, and what their cells are called. */
interface ListRows {
  path: readonly string[]
  width: number
  names: string[]
}

interface BrokenLines {
  count: number
  /** The first of them. */
  lines: number[]
  first: ProductError | null
}

const haveRows = ({ items }: NestedList): boolean => items.length > 0 && items.every(({ kind }) => kind === 'object')
const memberAt = (value: NestedValue | undefined, key: string): NestedValue | undefined =>
  value?.kind === 'object' ? value.values[value.keys.indexOf(key)] : undefined

const isBrokenRecord = (error: unknown): error is ProductError =>
  error instanceof ProductError && error.details['reason'] === 'broken'

/** Reads the texts that a framer cuts out and sends them where they belong. */
export class RecordRouter {
  readonly parser = new JsonParser()
  duplicateLine: number | null = null
  /** Line of the first record that follows another on the same line. */
  sharedLine: number | null = null
  /** Lines that are no record: left out while most of the lines are whole. */
  readonly broken: BrokenLines = { count: 0, lines: [], first: null }
  private whole = 0
  private first: { value: NestedValue; line: number } | null = null
  private topLevelCount = 0
  /** What of a stepped-into object is no row. */
  private readonly leftoverMembers: NestedObject = { kind: 'object', keys: [], values: [] }
  private leftoverChars = 0
  private leftoverBytes = 0
  private readonly longMembers: (ContainerRef & { chars: number })[] = []
  /** Containers that are read as one object. */
  private readonly objects = new Set<readonly string[]>()
  /** The members were too much together, so many signs may be held: from here on they are only measured. */
  private survey: { maxChars: number; line: number } | null = null
  private hasRows = false
  /** The first items of the file's list, until the next one or its end says what they are. */
  private readonly held: { value: NestedValue; line: number }[] = []
  private itemCount = 0
  private readonly lists = new Map<string, ListRows>()
  private lastList: ListRows | null = null
  private lastContainer: readonly string[] | null = null
  private lastKind: ContainerKind | undefined

  constructor(
    private readonly opened: ExpandedContainers,
    private readonly target: RecordSink,
    /** Names of the cells of rows that are lists, by {@link containerKey}. */
    private readonly names: ReadonlyMap<string, string[]> = new Map(),
  ) {}

  /** A line of a file that has a record on each. */
  line(text: string, line: number): void {
    let value: NestedValue
    try {
      value = this.parse(text, line)
    } catch (error) {
      if (error instanceof ValueBudgetExceeded) throw tooManyJsonValuesError(line)
      if (!isBrokenRecord(error)) throw error
      this.broken.first ??= error
      this.broken.count++
      if (this.broken.lines.length < BROKEN_LINES_MAX) this.broken.lines.push(line)
      return
    }
    this.whole++
    this.target.record(value, line)
  }

  /** @returns false when the value is too much at once and can be stepped into. */
  value({ text, line, container, key, sharesLine }: FramedValue): boolean {
    if (sharesLine) this.sharedLine ??= line
    const kind = container && this.kindOf(container)
    const isRow = kind === 'list' || (kind === 'map' && text.startsWith('{'))
    if (container && !isRow) this.measureMember([...container, key ?? ''], text)
    if (this.survey) return true
    const value = this.parseUnlessTooMuch(text, line)
    if (!value) {
      const hasAddress = container ? kind === 'object' : this.topLevelCount === 0
      if (!hasAddress) throw tooManyJsonValuesError(line)
      if (container) this.forgetMember(text)
      return false
    }
    if (!container) this.topLevelValue(value, line)
    else if (!isRow) this.keepMember([...container, key ?? ''], value, line)
    else if (kind === 'map') this.row(container, value, { line, name: key ?? '' })
    else if (container.length === 0) this.listItem(value, line)
    else this.row(container, value, { line })
    return true
  }

  private measureMember(path: readonly string[], text: string): void {
    this.leftoverChars += text.length
    const kind = text.startsWith('[') ? 'list' : text.startsWith('{') ? 'object' : null
    if (kind && text.length >= LONG_MEMBER_CHARS) this.longMembers.push({ path, kind, chars: text.length })
  }

  /** The member measured last is stepped into. */
  private forgetMember(text: string): void {
    this.leftoverChars -= text.length
    if (text.length >= LONG_MEMBER_CHARS) this.longMembers.pop()
  }

  /**
   * All was read.
   * @throws Reopen when the file's one object turns out to be rows by name
   * @throws ProductError the fault of the first broken line, when as many lines are broken as are whole
   */
  end(): void {
    if (this.broken.first && this.broken.count >= this.whole) throw this.broken.first
    if (this.survey) throw this.expandLongest(this.survey)
    this.takePage()
    if (this.hasRows || this.leftoverMembers.keys.length > 0) return this.target.single(this.leftoverMembers, 1)
    if (!this.first) return
    const { value, line } = this.first
    if (value.kind !== 'object') return this.target.record(value, line)
    const shaped = toTables(value)
    if (shaped.kind === 'list') return shaped.items.forEach((row) => this.target.record(row, line))
    if (haveSimilarKeys(value.values)) throw new ExpandContainersSignal([{ path: [], kind: 'map' }])
    this.target.single(shaped, line)
  }

  private kindOf(container: readonly string[]): ContainerKind | undefined {
    if (container === this.lastContainer) return this.lastKind
    this.lastContainer = container
    this.lastKind = this.opened.get(containerKey(container))
    if (this.lastKind === 'object') this.objects.add(container)
    return this.lastKind
  }

  private row(path: readonly string[], value: NestedValue, at: { line: number; name?: string }): void {
    this.hasRows = true
    this.target.row(path, value.kind === 'list' ? this.rowOfList(path, value) : value, at)
  }

  /** A row that is a list, of a container that is stepped into: cells by the names that an earlier reading found. */
  private rowOfList(path: readonly string[], list: NestedList): NestedValue {
    const { items } = list
    if (items.length > DATASET_MAX_COLUMNS) return list
    if (this.lastList?.path !== path) this.lastList = this.listAt(path)
    const known = this.lastList
    if (items.length > known.width) {
      known.width = items.length
      known.names = this.names.get(containerKey(path)) ?? columnNames(items.length)
    }
    return rowOf(known.names, items)
  }

  private listAt(path: readonly string[]): ListRows {
    const key = containerKey(path)
    const known = this.lists.get(key) ?? { path, width: 0, names: [] }
    this.lists.set(key, known)
    return known
  }

  /** Names of rows that are lists, found beside them: by {@link containerKey}. */
  listNames(): Map<string, string[]> {
    const found = new Map<string, string[]>()
    for (const [key, { path, width }] of this.lists) {
      const beside = this.memberAt(path.slice(0, -1))
      const names = beside?.kind === 'object' ? findColumnNames(beside, width)?.names : undefined
      if (names) found.set(key, names)
    }
    return found
  }

  private listItem(value: NestedValue, line: number): void {
    this.itemCount++
    const isKept = this.itemCount === 1 ? value.kind === 'object' : this.itemCount === 2 && this.held.length > 0
    if (isKept && (value.kind === 'object' || (value.kind === 'list' && haveRows(value))))
      this.held.push({ value, line })
    else {
      this.releaseHeld()
      this.target.record(value, line)
    }
  }

  /** `[{"page": 1}, [{…}, {…}]]`: what stands before the only list of rows is about them. */
  private takePage(): void {
    const [page, rows] = this.held
    if (this.itemCount !== 2 || page?.value.kind !== 'object' || rows?.value.kind !== 'list') return this.releaseHeld()
    page.value.keys.forEach((key) => this.leftoverMembers.keys.push(key))
    page.value.values.forEach((member) => this.leftoverMembers.values.push(member))
    const path = [freeName('rows', this.leftoverMembers.keys)]
    for (const row of rows.value.items) this.row(path, row, { line: rows.line })
  }

  private releaseHeld(): void {
    for (const { value, line } of this.held.splice(0)) this.target.record(value, line)
  }

  private topLevelValue(value: NestedValue, line: number): void {
    this.topLevelCount++
    if (this.topLevelCount === 1) {
      this.first = { value, line }
      return
    }
    if (this.first) this.target.record(this.first.value, this.first.line)
    this.first = null
    this.target.record(value, line)
  }

  private keepMember(path: readonly string[], value: NestedValue, line: number): void {
    let at = this.leftoverMembers
    for (const key of path.slice(0, -1)) {
      const known = at.values[at.keys.indexOf(key)]
      if (known?.kind === 'object') {
        at = known
        continue
      }
      const made: NestedObject = { kind: 'object', keys: [], values: [] }
      at.keys.push(key)
      at.values.push(made)
      at = made
    }
    const key = path.at(-1) ?? ''
    const index = at.keys.indexOf(key)
    if (index >= 0) this.duplicateLine ??= line
    if (index >= 0) at.values[index] = value
    else {
      at.keys.push(key)
      at.values.push(value)
    }
    this.leftoverBytes += this.parser.reservedBytes
    this.limitMembers(at, line)
  }

  private limitMembers({ keys }: NestedObject, line: number): void {
    const many = keys.length >= MEMBERS_MAX
    const dense = this.leftoverBytes > MEMBERS_MAX_BYTES
    if (!many && !dense && this.leftoverChars <= RECORD_MAX_CHARS) return
    const maps = [...this.objects].filter((path) => this.holdsRows(path))
    if (maps.length > 0)
      throw new ExpandContainersSignal(
        maps.map((path) => ({ path, kind: 'map' })),
        line,
      )
    if (many) throw tooManyKeysError(line)
    this.survey = { maxChars: dense ? DENSE_MEMBERS_MAX_CHARS : RECORD_MAX_CHARS, line }
    this.leftoverMembers.keys.length = 0
    this.leftoverMembers.values.length = 0
  }

  private holdsRows(path: readonly string[]): boolean {
    const object = this.memberAt(path)
    return object?.kind === 'object' && haveSimilarKeys(object.values.filter(({ kind }) => kind === 'object'))
  }

  /** What is held so far at a path of keys. */
  memberAt(path: readonly string[]): NestedValue | undefined {
    return path.reduce<NestedValue | undefined>(memberAt, this.leftoverMembers)
  }

  /** The longest members are stepped into, as many as it takes to hold the others together. */
  private expandLongest({ maxChars, line }: { maxChars: number; line: number }): Error {
    const found: ContainerRef[] = []
    let chars = this.leftoverChars
    for (const member of this.longMembers.toSorted((a, b) => b.chars - a.chars)) {
      if (chars <= maxChars) break
      found.push(member)
      chars -= member.chars
    }
    return chars <= maxChars ? new ExpandContainersSignal(found, line) : jsonRecordTooLongError(line)
  }

  private parseUnlessTooMuch(text: string, line: number): NestedValue | null {
    try {
      return this.parse(text, line)
    } catch (error) {
      if (error instanceof ValueBudgetExceeded) return null
      throw error
    }
  }

  private parse(text: string, line: number): NestedValue {
    const { duplicateKeys, nonFiniteCount } = this.parser
    try {
      return parseJson(this.parser, text, line)
    } catch (error) {
      // It is read again, in parts.
      if (error instanceof ValueBudgetExceeded) Object.assign(this.parser, { duplicateKeys, nonFiniteCount })
      throw error
    } finally {
      if (this.parser.duplicateKeys > duplicateKeys) this.duplicateLine ??= line
    }
  }
}
