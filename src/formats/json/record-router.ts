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

/** The file has to be read again, stepping into one more container. */
export class ExpandContainerSignal extends Error {
  constructor(
    readonly path: readonly string[],
    readonly kind: ContainerKind,
    /** Where the container begins, when that is known. */
    readonly line = 1,
  ) {
    super('reopen')
  }
}

type ContainerRef = Pick<ExpandContainerSignal, 'path' | 'kind'>

/** Members of one object that are no rows. */
const MEMBERS_MAX = 1000
/** Shorter ones are not worth another reading. */
const LONG_MEMBER_CHARS = RECORD_MAX_CHARS / 16

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
  private longest: (ContainerRef & { chars: number }) | null = null
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
      if (!isBrokenRecord(error)) throw error
      this.broken.first ??= error
      this.broken.count++
      if (this.broken.lines.length < BROKEN_LINES_MAX) this.broken.lines.push(line)
      return
    }
    this.whole++
    this.target.record(value, line)
  }

  value({ text, line, container, key, sharesLine }: FramedValue): void {
    if (sharesLine) this.sharedLine ??= line
    const value = this.parse(text, line, this.expandableContainer({ text, container, key }))
    if (container === null) return this.topLevelValue(value, line)
    const kind = this.kindOf(container)
    if (kind === 'list') {
      if (container.length === 0) this.listItem(value, line)
      else this.row(container, value, { line })
    } else if (kind === 'map' && value.kind === 'object') this.row(container, value, { line, name: key ?? '' })
    else {
      this.leftoverChars += text.length
      const path = [...container, key ?? '']
      if (
        (value.kind === 'list' || value.kind === 'object') &&
        text.length > (this.longest?.chars ?? LONG_MEMBER_CHARS)
      )
        this.longest = { path, kind: value.kind, chars: text.length }
      this.keepMember(path, value, line)
    }
  }

  /**
   * All was read.
   * @throws Reopen when the file's one object turns out to be rows by name
   * @throws ProductError the fault of the first broken line, when as many lines are broken as are whole
   */
  end(): void {
    if (this.broken.first && this.broken.count >= this.whole) throw this.broken.first
    this.takePage()
    if (this.hasRows || this.leftoverMembers.keys.length > 0) return this.target.single(this.leftoverMembers, 1)
    if (!this.first) return
    const { value, line } = this.first
    if (value.kind !== 'object') return this.target.record(value, line)
    const shaped = toTables(value)
    if (shaped.kind === 'list') return shaped.items.forEach((row) => this.target.record(row, line))
    if (haveSimilarKeys(value.values)) throw new ExpandContainerSignal([], 'map')
    this.target.single(shaped, line)
  }

  private kindOf(container: readonly string[]): ContainerKind | undefined {
    if (container === this.lastContainer) return this.lastKind
    this.lastContainer = container
    this.lastKind = this.opened.get(containerKey(container))
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
      const beside = path.slice(0, -1).reduce<NestedValue | undefined>(memberAt, this.leftoverMembers)
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
    const many = at.keys.length >= MEMBERS_MAX
    if (!many && this.leftoverChars <= RECORD_MAX_CHARS) return
    if (haveSimilarKeys(at.values.filter(({ kind }) => kind === 'object')))
      throw new ExpandContainerSignal(path.slice(0, -1), 'map')
    if (many) throw tooManyKeysError(line)
    // All of them together are too much: the longest is not held any more.
    throw this.longest
      ? new ExpandContainerSignal(this.longest.path, this.longest.kind, line)
      : jsonRecordTooLongError(line)
  }

  /** How a value that is too much at once can be stepped into: only those that have an address. */
  private expandableContainer({
    text,
    container,
    key,
  }: Pick<FramedValue, 'text' | 'container' | 'key'>): ContainerRef | null {
    const kind = text.startsWith('[') ? 'list' : 'object'
    if (container === null) return this.topLevelCount === 0 ? { path: [], kind } : null
    return key !== null && this.kindOf(container) === 'object' ? { path: [...container, key], kind } : null
  }

  /** @throws Reopen for too many values when they can be stepped into */
  private parse(text: string, line: number, step: ContainerRef | null = null): NestedValue {
    const before = this.parser.duplicateKeys
    const value = this.parseOrExpand(text, line, step)
    if (this.parser.duplicateKeys > before) this.duplicateLine ??= line
    return value
  }

  private parseOrExpand(text: string, line: number, step: ContainerRef | null): NestedValue {
    try {
      return parseJson(this.parser, text, line)
    } catch (error) {
      if (!(error instanceof ValueBudgetExceeded)) throw error
      throw step ? new ExpandContainerSignal(step.path, step.kind, line) : tooManyJsonValuesError(line)
    }
  }
}
