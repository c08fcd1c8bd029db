import { RECORD_MAX_CHARS } from '../../shared/limits'
import { tooManyKeys } from '../nested/shape'
import type { NestedObject, NestedValue } from '../nested/value'
import { recordTooLong, tooManyValues } from './json-faults'
import { JsonParser, TooManyValues } from './json-parser'
import { parseJson } from './parse-json'
import { containerName } from './value-framer'
import type { FramedValue } from './value-framer'

/** How a container that is stepped into is read: a list of rows, one object, or an object whose members are rows. */
export type ContainerKind = 'list' | 'object' | 'map'
export type Opened = ReadonlyMap<string, ContainerKind>

/** Where records go, of the first reading (to see them) and of the second (to write them). */
export interface RecordTarget {
  record(value: NestedValue, line: number): void
  /** The file is one object. */
  single(value: NestedValue, line: number): void
  /** A row of a list inside the file's one object; `name` when members of an object are rows. */
  row(path: readonly string[], value: NestedValue, at: { line: number; name?: string }): void
}

/** The file has to be read again, stepping into one more container. */
export class Reopen extends Error {
  constructor(
    readonly path: readonly string[],
    readonly kind: ContainerKind,
    /** Where the container begins, when that is known. */
    readonly line = 1,
  ) {
    super('reopen')
  }
}

type Step = Pick<Reopen, 'path' | 'kind'>

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

/** Reads the texts that a framer cuts out and sends them where they belong. */
export class RecordRouter {
  readonly parser = new JsonParser()
  duplicateLine: number | null = null
  /** Line of the first record that follows another on the same line. */
  gluedLine: number | null = null
  private first: { value: NestedValue; line: number } | null = null
  private tops = 0
  /** What of a stepped-into object is no row. */
  private readonly rest: NestedObject = { kind: 'object', keys: [], values: [] }
  private restChars = 0
  private stepped = false
  private lastContainer: readonly string[] | null = null
  private lastKind: ContainerKind | undefined

  constructor(
    private readonly opened: Opened,
    private readonly target: RecordTarget,
  ) {}

  /** A line of a file that has a record on each. */
  line(text: string, line: number): void {
    this.target.record(this.parse(text, line), line)
  }

  value({ text, line, container, key, glued }: FramedValue): void {
    if (glued) this.gluedLine ??= line
    const value = this.parse(text, line, this.stepInto({ text, container, key }))
    if (container === null) return this.top(value, line)
    const kind = this.kindOf(container)
    if (kind === 'list') {
      if (container.length === 0) this.target.record(value, line)
      else this.row(container, value, { line })
    } else if (kind === 'map' && value.kind === 'object') this.row(container, value, { line, name: key ?? '' })
    else {
      this.restChars += text.length
      this.keep([...container, key ?? ''], value, line)
    }
  }

  /** All was read. @throws Reopen when the file's one object turns out to be rows by name. */
  end(): void {
    if (this.stepped || this.rest.keys.length > 0) return this.target.single(this.rest, 1)
    if (!this.first) return
    const { value, line } = this.first
    if (value.kind === 'object' && looksLikeMap(value)) throw new Reopen([], 'map')
    if (value.kind === 'object') this.target.single(value, line)
    else this.target.record(value, line)
  }

  private kindOf(container: readonly string[]): ContainerKind | undefined {
    if (container === this.lastContainer) return this.lastKind
    this.lastContainer = container
    this.lastKind = this.opened.get(containerName(container))
    return this.lastKind
  }

  private row(path: readonly string[], value: NestedValue, at: { line: number; name?: string }): void {
    this.stepped = true
    this.target.row(path, value, at)
  }

  private top(value: NestedValue, line: number): void {
    this.tops++
    if (this.tops === 1) {
      this.first = { value, line }
      return
    }
    if (this.first) this.target.record(this.first.value, this.first.line)
    this.first = null
    this.target.record(value, line)
  }

  private keep(path: readonly string[], value: NestedValue, line: number): void {
    let at = this.rest
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
    if (!many && this.restChars <= RECORD_MAX_CHARS) return
    if (looksLikeMap({ ...at, values: at.values.filter(({ kind }) => kind === 'object') }))
      throw new Reopen(path.slice(0, -1), 'map')
    throw many ? tooManyKeys(line) : recordTooLong(line)
  }

  /** How a value that is too much at once can be stepped into: only those that have an address. */
  private stepInto({ text, container, key }: Pick<FramedValue, 'text' | 'container' | 'key'>): Step | null {
    const kind = text.startsWith('[') ? 'list' : 'object'
    if (container === null) return this.tops === 0 ? { path: [], kind } : null
    return key !== null && this.kindOf(container) === 'object' ? { path: [...container, key], kind } : null
  }

  /** @throws Reopen for too many values when they can be stepped into */
  private parse(text: string, line: number, step: Step | null = null): NestedValue {
    const before = this.parser.duplicateKeys
    const value = this.parsed(text, line, step)
    if (this.parser.duplicateKeys > before) this.duplicateLine ??= line
    return value
  }

  private parsed(text: string, line: number, step: Step | null): NestedValue {
    try {
      return parseJson(this.parser, text, line)
    } catch (error) {
      if (!(error instanceof TooManyValues)) throw error
      throw step ? new Reopen(step.path, step.kind, line) : tooManyValues(line)
    }
  }
}
