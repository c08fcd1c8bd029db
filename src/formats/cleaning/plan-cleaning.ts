import type { CleaningProblem, CleaningStep } from '../../shared/data-sources/cleaning'
import { CLEANED_CELLS_FREE, CLEANING_GROWTH_MAX, DATASET_MAX_COLUMNS } from '../../shared/limits'

/** A column between two steps. */
export interface CleanedColumn {
  name: string
  /** Its position in the file, where its cells are still what they are there; null once a step has written them. */
  source: number | null
  /** What a step has spelled out in its cells: numbers with a point, dates as ISO text. */
  parsed?: 'number' | 'date'
}

/** A step with the columns it works on, by their position before it. */
export interface PlannedStep {
  step: CleaningStep
  before: readonly CleanedColumn[]
  /** Those that it names; all of them for a trim without any. */
  targets: readonly number[]
}
export interface CleaningPlan {
  /** The steps that fit, up to the first that does not. */
  steps: PlannedStep[]
  /** The columns after the last of them. */
  columns: readonly CleanedColumn[]
  /** Cells that these steps look at for each cell of the file, the file's own among them. */
  growth: number
  problem: CleaningProblem | null
}

/** Columns that a step cannot be applied to; the message says what is wrong with them. */
class StepMismatch extends Error {}

const keyOf = (name: string): string => name.trim().toLowerCase()

/** Columns by their names: what one step finds before it. */
class ColumnFinder {
  readonly #places: ReadonlyMap<string, number>
  constructor(columns: readonly CleanedColumn[]) {
    this.#places = new Map(columns.map(({ name }, at) => [keyOf(name), at]))
  }
  find = (name: string): number | undefined => this.#places.get(keyOf(name))
  /** @throws StepMismatch for a name that no column has. */
  require = (name: string): number => {
    const at = this.find(name)
    if (at === undefined) throw new StepMismatch(`Column “${name}” not found.`)
    return at
  }
}

/** Which columns each step works on and leaves behind, from the names of the file's columns on. */
export function planCleaning(header: readonly string[], steps: readonly CleaningStep[]): CleaningPlan {
  let columns: readonly CleanedColumn[] = header.map((name, source) => ({ name, source }))
  const planned: PlannedStep[] = []
  const work = new RecordWork(header.length)
  for (const [at, step] of steps.entries()) {
    try {
      const before = columns
      const targets = targetsOf(step, before)
      columns = columnsAfter(step, before, targets)
      assertColumns(columns)
      work.add({ step, before, targets }, columns.length)
      planned.push({ step, before, targets })
    } catch (error) {
      if (!(error instanceof StepMismatch)) throw error
      const [last] = planned.slice(-1)
      const fit = last
        ? columnsAfter(last.step, last.before, last.targets)
        : header.map((name, source) => ({ name, source }))
      return { steps: planned, columns: fit, growth: work.growth, problem: { step: at, message: error.message } }
    }
  }
  return { steps: planned, columns, growth: work.growth, problem: null }
}

/** What the steps make of one record: an unpivot repeats what stays beside what turns, and another one repeats that. */
class RecordWork {
  readonly #columns: number
  #rows = 1
  #cells: number

  constructor(columns: number) {
    this.#columns = columns
    this.#cells = columns
  }
  get growth(): number {
    return this.#cells / Math.max(1, this.#columns)
  }

  /** @throws StepMismatch when it is more than any table calls for; nothing is counted then. */
  add({ step, targets }: PlannedStep, columnsAfter: number): void {
    const rowsOut = step.kind === 'unpivot' ? targets.length : 1
    const perRow = step.kind === 'unpivot' || step.kind === 'split' ? rowsOut * columnsAfter : targets.length
    const cells = this.#cells + this.#rows * perRow
    const max = Math.max(CLEANED_CELLS_FREE, this.#columns * CLEANING_GROWTH_MAX)
    if (cells > max) throw new StepMismatch(`Makes ${cells} cells of each row. Limit: ${max}.`)
    this.#cells = cells
    this.#rows *= rowsOut
  }
}

function assertColumns(columns: readonly CleanedColumn[]): void {
  if (columns.length > DATASET_MAX_COLUMNS)
    throw new StepMismatch(`Makes ${columns.length} columns. Limit: ${DATASET_MAX_COLUMNS}.`)
  const seen = new Set<string>()
  for (const { name } of columns) {
    if (seen.has(keyOf(name))) throw new StepMismatch(`Column “${name}” already exists. Choose another name.`)
    seen.add(keyOf(name))
  }
}

function targetsOf(step: CleaningStep, columns: readonly CleanedColumn[]): number[] {
  const finder = new ColumnFinder(columns)
  switch (step.kind) {
    case 'trim':
      return step.columns.length === 0 ? columns.map((_, at) => at) : unique(step.columns.map(finder.require))
    case 'case':
    case 'parseNumber':
    case 'parseDate':
    case 'mapValues':
    case 'fillDown':
      return unique(step.columns.map(finder.require))
    case 'split':
    case 'dropRows':
      return [finder.require(step.column)]
    case 'dropTotals':
      return []
    case 'unpivot': {
      const held = new Set([
        ...step.keep.map(finder.require),
        // What is left out may be missing from a later file.
        ...step.leaveOut.flatMap((name) => finder.find(name) ?? []),
      ])
      const turned = columns.flatMap((_, at) => (held.has(at) ? [] : [at]))
      if (turned.length === 0) throw new StepMismatch('No columns left to unpivot.')
      return turned
    }
  }
}

const unique = (places: readonly number[]): number[] => [...new Set(places)].toSorted((a, b) => a - b)
const written = (name: string): CleanedColumn => ({ name: name.trim(), source: null })

function columnsAfter(
  step: CleaningStep,
  columns: readonly CleanedColumn[],
  targets: readonly number[],
): readonly CleanedColumn[] {
  const touched = new Set(targets)
  switch (step.kind) {
    case 'dropRows':
    case 'dropTotals':
      return columns
    case 'fillDown':
      return columns.map((column, at) => (touched.has(at) ? { ...column, source: null } : column))
    case 'trim':
    case 'case':
    case 'mapValues':
      return columns.map((column, at) => (touched.has(at) ? written(column.name) : column))
    case 'parseNumber':
    case 'parseDate': {
      const parsed = step.kind === 'parseNumber' ? 'number' : 'date'
      return columns.map((column, at) => (touched.has(at) ? { ...written(column.name), parsed } : column))
    }
    case 'split':
      return columns.flatMap((column, at) =>
        touched.has(at) ? [...(step.keep ? [column] : []), ...step.into.map(written)] : [column],
      )
    case 'unpivot':
      return [
        ...keptPlaces(step, columns).flatMap((at) => columns[at] ?? []),
        written(step.nameColumn),
        written(step.valueColumn),
      ]
  }
}

/** The columns that an unpivot repeats in each of its rows. */
export function keptPlaces(
  step: Extract<CleaningStep, { kind: 'unpivot' }>,
  columns: readonly CleanedColumn[],
): number[] {
  const finder = new ColumnFinder(columns)
  return unique(step.keep.map(finder.require))
}
