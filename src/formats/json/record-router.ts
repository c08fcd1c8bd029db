import { ProductError } from '../../shared/errors'
import { RECORD_MAX_CHARS } from '../../shared/limits'
import { tooManyKeysError } from '../nested/infer-tables'
import type { NestedObject, NestedValue } from '../nested/nested-value'
import {
  jsonRecordTooLongError,
  tooManyJsonValuesError,
  JsonParser,
  ValueBudgetExceeded,
  parseJson,
} from './json-parser'
import { containerKey, type FramedValue } from './record-framers'

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

const MAP_MIN_MEMBERS = 3
const MAP_MIN_OVERLAP = 0.5
/** Members of one object that are no rows. */
const MEMBERS_MAX = 1000

/** Whether an object's members are rows: several objects with much the same keys. */
function looksLikeMap({ values }: NestedObject): boolean {
  if (values.length < MAP_MIN_MEMBERS) return false
  const all = new Set<string>()
  let sum = 0
  for (const value of values) {
    if (value.kind !== 'object' || value.keys.length === 0) return false
    sum += value.keys.length
    for (const key of value.keys) all.add(key)
  }
  return sum / values.length >= all.size * MAP_MIN_OVERLAP
}

/** Broken lines that are named. */
const BROKEN_LINES_MAX = 20

interface BrokenLines {
  count: number
  /** The first of them. */
  lines: number[]
  first: ProductError | null
}

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
  private hasRows = false
  private lastContainer: readonly string[] | null = null
  private lastKind: ContainerKind | undefined

  constructor(
    private readonly opened: ExpandedContainers,
    private readonly target: RecordSink,
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
      if (container.length === 0) this.target.record(value, line)
      else this.row(container, value, { line })
    } else if (kind === 'map' && value.kind === 'object') this.row(container, value, { line, name: key ?? '' })
    else {
      this.leftoverChars += text.length
      this.keepMember([...container, key ?? ''], value, line)
    }
  }

  /**
   * All was read.
   * @throws Reopen when the file's one object turns out to be rows by name
   * @throws ProductError the fault of the first broken line, when as many lines are broken as are whole
   */
  end(): void {
    if (this.broken.first && this.broken.count >= this.whole) throw this.broken.first
    if (this.hasRows || this.leftoverMembers.keys.length > 0) return this.target.single(this.leftoverMembers, 1)
    if (!this.first) return
    const { value, line } = this.first
    if (value.kind === 'object' && looksLikeMap(value)) throw new ExpandContainerSignal([], 'map')
    if (value.kind === 'object') this.target.single(value, line)
    else this.target.record(value, line)
  }

  private kindOf(container: readonly string[]): ContainerKind | undefined {
    if (container === this.lastContainer) return this.lastKind
    this.lastContainer = container
    this.lastKind = this.opened.get(containerKey(container))
    return this.lastKind
  }

  private row(path: readonly string[], value: NestedValue, at: { line: number; name?: string }): void {
    this.hasRows = true
    this.target.row(path, value, at)
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
    if (looksLikeMap({ ...at, values: at.values.filter(({ kind }) => kind === 'object') }))
      throw new ExpandContainerSignal(path.slice(0, -1), 'map')
    throw many ? tooManyKeysError(line) : jsonRecordTooLongError(line)
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
