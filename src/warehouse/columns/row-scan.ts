import { decodeCodes, decodeNumbers } from './chunk'
import { longestChunk, type ColumnTable, type ColumnSources } from './column-table'
import { ExceedsBounds } from './memory'
import type { ColumnVectors, GroupedVectors, RowSource, TextVectors } from './column-vectors'
import { existsMask } from './exists'
import { ExceedsMemory, MEMORY, type MemoryBounds } from './memory'
import { groupedVectors } from './group-vectors'
import { minorUnitFactors } from './money/currency-vectors'
import { asReal, exactNumber, product, sizeOfExpression, storedNumber, vectorNumber } from './number-expressions'
import { expressionSource, expressionTexts, type ExpressionColumns } from './row-functions'
import { filterRows, ruleRows, type RuleRows } from './rule-mask'
import type { PassingRows, PickedRows } from './kept-mask'
import { narrowedTable } from './narrowed-table'
import { filterMask } from './predicates'
import type { VectorNumber } from './vector-number'
import { rateNumber } from './money/rate-vectors'
import { pointedTexts } from './related/pointed-texts'
import type { KeyPlaces } from './related/key-places'
import { runToCompletion, keptKeys } from './related/kept-keys'
import {
  codePlaces,
  hasDictionary,
  keyColumns,
  keyPlaces,
  placesByCode,
  rowsByKey,
  type KeyColumns,
} from './related/relation-keys'
import { wholeNumbers } from './related/whole-columns'
import { maskedTexts } from './texts/masked-texts'
import { storedCells } from './texts/stored-cells'
import { dictionaryTexts, indexedTexts } from './texts/text-vectors'
import { dayNumbers, localTimeNumbers } from './time-vectors'
import { allOf, codesOf, numbersOf } from './vectors'
import type { Codes, Mask, MaybeMask, Numbers } from './vectors'
import { isStored, type LiveDataset } from '../physical-layout'
import { unitColumn } from '../query/money/minor-units'
import { pathToField, type RelationEdge, type RelationPath } from '../query/plan/relation-graph'
import { unknownField } from '../query/plan/plan-errors'
import type { AppliedRates, PlanContext } from '../query/query-context'
import type { ColumnMask } from '../../shared/data-access/rules'
import type { Column } from '../../shared/data-sources/data-sources'
import type { ColumnKey } from '../../shared/data-sources/files'
import { isSameField } from '../../shared/query/plan-fields'
import { keyPairsOf } from '../../shared/query/relation-paths'
import type { ExistsFilter, Filter, GroupingReference, QueryPlan } from '../../shared/query/plan'
import type { Field } from '../../shared/query/field'

/** The rows of a fact that are read, where they are picked: those that its rules and these conditions let through. */
export interface PickedFact {
  rows: PickedRows
  filters: ReadonlySet<Filter>
}

/**
 * What one question reads, a scan for every dataset it meets.
 * @param picked by fact; rows that relations lead to are all there
 * @throws ProductError `busy` for rows of an earlier release that are not columns yet
 */
export function rowScans(
  planContext: PlanContext,
  sources: ColumnSources,
  picked: ReadonlyMap<string, PickedFact> = new Map(),
): (datasetId: string) => RowSource {
  let held = 0
  const { memory = MEMORY } = sources
  const hold = (bytes: number): void => {
    held += bytes
    if (held > memory.vectorBytes) throw new ExceedsMemory(memory.vectorBytes)
  }
  const whole = (datasetId: string): RowScan =>
    (wholeScans ??= scansOf(planContext.unrestricted(), { sources, hold }))(datasetId)
  let wholeScans: ((datasetId: string) => RowScan) | null = null
  const scanOf = scansOf(planContext, { sources, hold, whole })
  const facts = new Map<string, RowScan>()
  return (datasetId) => {
    const rows = picked.get(datasetId)
    if (!rows) return scanOf(datasetId)
    return once(facts, datasetId, () => {
      const parts = { sources, hold, picked: rows }
      let all: RowScan | null = null
      const everything = () => (all ??= newScan(planContext.unrestricted(), datasetId, { ...parts, scanOf: whole }))
      return newScan(planContext, datasetId, { ...parts, scanOf, whole: everything })
    })
  }
}

/** @param meet told of each dataset that is looked into */
function scansOf(
  planContext: PlanContext,
  parts: Pick<ScanParts, 'sources' | 'hold' | 'whole'>,
  meet: (datasetId: string) => void = () => undefined,
): (datasetId: string) => RowScan {
  const scans = new Map<string, RowScan>()
  const scanOf = (datasetId: string): RowScan => {
    meet(datasetId)
    return once(scans, datasetId, () => newScan(planContext, datasetId, { ...parts, scanOf }))
  }
  return scanOf
}

function newScan(planContext: PlanContext, datasetId: string, parts: Omit<ScanParts, 'dataset' | 'table'>): RowScan {
  const dataset = planContext.find(datasetId)
  if (!dataset) throw unknownField({ dataset: datasetId, column: 'c0' })
  const stored = parts.sources.table(dataset)
  const table = parts.picked ? narrowedTable(stored, parts.picked.rows) : stored
  return new RowScan(planContext, { ...parts, dataset, table })
}

interface ScanParts {
  dataset: LiveDataset
  table: ColumnTable
  sources: ColumnSources
  scanOf: (datasetId: string) => RowScan
  hold: (bytes: number) => void
  /** The same question's rows with nothing left out. Absent: nothing is. */
  whole?: ((datasetId: string) => RowScan) | undefined
  /** Which rows the table has. Absent: all. */
  picked?: PickedFact | undefined
}

/** Of a further column of a key: its numbers, and what is mixed of them. */
const COMPOSITE_ARRAYS = 4

class RowScan implements RowSource {
  readonly planContext: PlanContext
  readonly dataset: LiveDataset
  readonly table: ColumnTable
  readonly memory: MemoryBounds
  readonly #sources: ColumnSources
  readonly #hold: ScanParts['hold']
  readonly #scanOf: ScanParts['scanOf']
  readonly #whole: ScanParts['whole']
  readonly #numbers = new Map<string, Numbers>()
  readonly #texts = new Map<string, TextVectors>()
  readonly #vectors = new Map<string, ColumnVectors>()
  readonly #rowOf = new Map<string, Codes>()
  readonly #rates = new Map<string, VectorNumber>()
  readonly #picked: PickedFact | undefined
  #rules: RuleRows | undefined

  constructor(planContext: PlanContext, { dataset, table, sources, scanOf, hold, whole, picked }: ScanParts) {
    this.planContext = planContext
    this.dataset = dataset
    this.table = table
    this.memory = sources.memory ?? MEMORY
    this.#sources = sources
    this.#scanOf = scanOf
    this.#whole = whole
    this.#picked = picked
    this.#hold = hold
  }

  hold(arrays: number): void {
    this.#hold(arrays * longestChunk(this.table) * Float64Array.BYTES_PER_ELEMENT)
  }
  holdBytes(bytes: number): void {
    this.#hold(bytes)
  }

  rule(): MaybeMask {
    return this.#ruleRows().mask
  }
  passing(filters: readonly Filter[]): { rows: PassingRows[]; filters: Filter[] } {
    const kept = filters.map((filter) => ({ filter, rows: this.#filterRows(filter) }))
    const rows = [this.#ruleRows().passing, ...kept.map((each) => each.rows)].filter((each) => each !== null)
    return { rows, filters: kept.flatMap((each) => (each.rows ? [each.filter] : [])) }
  }
  filtered(filters: readonly Filter[], path: string): MaybeMask {
    const masks = filters.map((filter, i): MaybeMask => {
      if (this.#picked?.filters.has(filter)) return null
      return this.#filterRows(filter)?.mask ?? filterMask(this, filter, `${path}.${i}`)
    })
    return allOf(masks)
  }
  #ruleRows(): RuleRows {
    const { rowFilters } = this.planContext.scope
    const rules = this.#picked ? [] : rowFilters.filter(({ dataset }) => dataset === this.dataset.id)
    this.#rules ??= ruleRows(this.#asked(undefined), rules, this.#whole ? this.planContext.unrestricted() : null)
    return this.#rules
  }
  #filterRows(filter: Filter): PassingRows | null {
    return this.#picked ? null : filterRows(this.#asked(this.#whole), this.planContext, filter)
  }
  #asked(whole: ScanParts['whole']): Parameters<typeof ruleRows>[0] {
    const [dataset, sources] = [this.dataset, this.#sources]
    const parts = { sources, hold: this.#hold, whole }
    return { dataset, sources, rowsOf: (planContext, meet) => scansOf(planContext, parts, meet)(dataset.id) }
  }

  get calendar(): PlanContext['calendar'] {
    return this.planContext.calendar
  }

  exists(filter: ExistsFilter, path: string): Mask {
    return existsMask(this, filter, path)
  }
  grouped(field: Field, grouping: GroupingReference): GroupedVectors {
    // Groups of what is masked would tell more of it than its mask does.
    if (this.planContext.find(field.dataset)?.columns.some(({ key, mask }) => key === field.column && mask))
      throw unknownField(field)
    return groupedVectors(this, { field, grouping }, this.#sources)
  }
  rate(field: Field, applied: AppliedRates, plan: QueryPlan): VectorNumber {
    const { money, code, rates } = applied
    const from = 'code' in money ? money.code : JSON.stringify({ ...field, column: money.column })
    const make = (): VectorNumber => rateNumber(this, { field, applied, plan }, this.#sources)
    return once(this.#rates, `${from} ${code} ${rates.n}`, make)
  }
  currency(field: Field, column: ColumnKey): ColumnVectors {
    const isCovered = Object.values(this.planContext.find(field.dataset)?.coveredCurrencies ?? {}).includes(column)
    if (!isCovered) return this.field({ ...field, column })
    const path = pathToField(this.planContext.graph, this.dataset.id, { field, at: 'dataset' })
    const whole = this.#whole?.(this.dataset.id)
    if (!whole) throw unknownField({ ...field, column })
    return whole.along(path, column, false)
  }
  other(datasetId: string): RowSource {
    return this.#scanOf(datasetId)
  }

  field(field: Field): ColumnVectors {
    const path = pathToField(this.planContext.graph, this.dataset.id, { field, at: 'dataset' })
    const { periodField } = this.planContext
    return this.along(path, field.column, periodField !== undefined && isSameField(periodField, field))
  }

  along(path: RelationPath, key: ColumnKey, ofPeriod: boolean): ColumnVectors {
    const id = `${path.map((edge) => edge.id).join(' ')}/${key}/${ofPeriod}`
    const [edge, ...rest] = path
    return once(this.#vectors, id, () =>
      edge ? this.#pointed(edge, rest, { id, key, ofPeriod }) : this.#own(key, ofPeriod),
    )
  }

  #own(key: ColumnKey, ofPeriod: boolean): ColumnVectors {
    const column = this.#column(key)
    const { dataset, planContext } = this
    const numbers = (): Numbers => once(this.#numbers, key, () => this.#storedNumbers(column))
    const wall = (): Numbers =>
      once(this.#numbers, `wall ${key} ${ofPeriod}`, () =>
        localTimeNumbers(planContext, this, { column, ofPeriod, numbers: numbers(), all: () => this.#everyRow(key) }),
      )
    const days = (): Numbers =>
      once(this.#numbers, `day ${key} ${ofPeriod}`, () =>
        column.type === 'date' ? numbers() : dayNumbers(dataset, column, wall()),
      )
    const texts = (): TextVectors =>
      once(this.#texts, key, () => (column.mask ? this.#maskedTexts(key, column.mask) : this.#storedTexts(column)))
    const [codes, words] = [() => texts().codes(), () => texts().words()]
    return { column, dataset, isOwn: true, numbers, codes, words, texts, wall, days }
  }
  /** A column's numbers of all rows, whichever are picked. */
  #everyRow(key: ColumnKey): { table: ColumnTable; numbers: Numbers } {
    const scan = this.#picked ? this.#scanOf(this.dataset.id) : this
    return { table: scan.table, numbers: scan.#own(key, false).numbers() }
  }
  #column(key: ColumnKey): Column {
    const column = this.dataset.columns.find((each) => each.key === key)
    const lies = column?.computed !== undefined || column?.mask !== undefined || isStored(this.dataset, key)
    if (!column || !lies) throw unknownField({ dataset: this.dataset.id, column: key })
    return column
  }

  /** Whole columns are read before any chunk of the rows asked about: both are read into the same arrays. */
  #pointed(
    edge: RelationEdge,
    rest: RelationPath,
    { id, key, ofPeriod }: { id: string; key: ColumnKey; ofPeriod: boolean },
  ): ColumnVectors {
    const there = this.#scanOf(edge.to.dataset)
    const inner = there.along(rest, key, ofPeriod)
    const gathered = (what: string, make: () => Numbers): Numbers =>
      once(this.#numbers, `${what} ${id}`, () => {
        this.hold(1)
        return wholeNumbers(there, make())(this.rowOf(edge))
      })
    const texts = (): TextVectors =>
      once(this.#texts, id, () => {
        this.hold(1)
        return pointedTexts(this, edge, { there, inner: inner.texts() })
      })
    return {
      ...{ column: inner.column, dataset: inner.dataset, isOwn: false, texts },
      codes: () => texts().codes(),
      words: () => texts().words(),
      numbers: () => gathered('number', inner.numbers),
      wall: () => gathered('wall', inner.wall),
      days: () => gathered('day', inner.days),
    }
  }

  rowOf(edge: RelationEdge): Codes {
    return once(this.#rowOf, edge.id, () => {
      const there = this.#scanOf(edge.to.dataset)
      const pairs = keyPairsOf(edge)
      const own = pairs.map((pair) => this.#own(pair.from, false))
      const theirs = pairs.map((pair) => there.#own(pair.to, false))
      const columns = keyColumns(own, theirs)
      const rows = (): KeyPlaces => keptRows(this.planContext, there, edge, keyColumns(theirs, own))
      this.hold(1 + COMPOSITE_ARRAYS * (pairs.length - 1))
      if (!hasDictionary(columns)) return keyPlaces(rows(), columns)
      const byCode = (): Int32Array => codePlaces(rows(), columns)
      const isOfVersions = !there.rule() && ![...own, ...theirs].some(({ column }) => column.computed)
      const { keyRows } = this.#sources
      const id = `${edge.id} ${versionOf(this)} ${edge.from.key} ${versionOf(there)} ${edge.to.key}`
      return placesByCode(columns.from, isOfVersions && keyRows ? keyRows.read(id, byCode) : byCode())
    })
  }

  #maskedTexts(key: ColumnKey, mask: ColumnMask): TextVectors {
    const whole = this.#whole?.(this.dataset.id)
    if (!whole) throw unknownField({ dataset: this.dataset.id, column: key })
    const { secret, calendar } = this.planContext
    const locale = calendar.numberLocale ?? 'en-GB'
    return maskedTexts(this.table, whole.along([], key, false), { mask, secret, locale })
  }
  #storedNumbers(column: Column): Numbers {
    if (column.type === 'text') throw new ExceedsBounds()
    if (column.computed) {
      const number = this.#computedNumber(column)
      // Past 53 bits it is floating point, as its column says.
      return number.parts ? asReal(number) : number.numbers
    }
    const unit = unitColumn(this.dataset, column)
    return unit === null ? this.#chunkNumbers(column.key) : this.#minorAmounts(column.key, unit)
  }
  #chunkNumbers(key: ColumnKey): Numbers {
    this.#assertKept(key)
    this.hold(1)
    return numbersOf((place, to) => decodeNumbers(this.table.read(key, place.chunk), to))
  }
  /** Amounts in smallest units of a currency that each row names, brought to one scale. */
  #minorAmounts(key: ColumnKey, unit: ColumnKey): Numbers {
    const currency = this.currency({ dataset: this.dataset.id, column: key }, unit)
    if (currency.column.type !== 'text') throw new ExceedsBounds()
    this.#assertKept(key)
    this.hold(2)
    const ends = this.table.chunks.flatMap((_, chunk) => {
      const { least, most } = this.table.ends(key, chunk)
      return [Math.abs(least ?? 0), Math.abs(most ?? 0)]
    })
    const factors = minorUnitFactors(currency)
    const amounts = product(exactNumber(this.#chunkNumbers(key), 0, BigInt(Math.max(0, ...ends))), factors)
    if (amounts.kind === 'real' || amounts.parts) throw new ExceedsBounds()
    return amounts.numbers
  }
  /** What a computed column is made of may be computed, too; that is taken as it is before it gets a type. */
  #computedNumber({ key, type, computed }: Column): VectorNumber {
    if (!computed || type === 'text') throw new ExceedsBounds()
    this.hold(sizeOfExpression(computed))
    return vectorNumber(computed, expressionSource(this.#columnsOf(key)))
  }
  /** Of which a computed column is made. */
  #columnsOf(computed: ColumnKey): ExpressionColumns {
    const column = (field: Field): ColumnVectors => {
      if (field.dataset !== this.dataset.id) throw unknownField({ dataset: this.dataset.id, column: computed })
      return this.along([], field.column, false)
    }
    const number = (field: Field): VectorNumber => {
      const own = column(field)
      return own.column.computed ? this.#computedNumber(own.column) : storedNumber(own)
    }
    return { table: this.table, column, number }
  }
  #storedTexts({ key, type, computed }: Column): TextVectors {
    if (type !== 'text') throw new TypeError('Only texts have codes.')
    this.hold(1)
    if (computed) {
      this.hold(2 * sizeOfExpression(computed))
      return expressionTexts(this.#columnsOf(key), computed)
    }
    if (this.table.holdsTexts(key)) return indexedTexts(this.table, storedCells(this.table, key))
    this.#assertKept(key)
    const codes = codesOf((place, to) => decodeCodes(this.table.read(key, place.chunk), to))
    return dictionaryTexts(
      () => codes,
      () => this.table.words(key),
    )
  }
  #assertKept(key: ColumnKey): void {
    if (!this.table.holds(key)) throw new ExceedsBounds()
  }
}

function keptRows(planContext: PlanContext, there: RowSource, edge: RelationEdge, columns: KeyColumns): KeyPlaces {
  const at = { id: `${edge.id} ${edge.to.dataset}`, there, rule: () => there.rule() }
  return runToCompletion(keptKeys(planContext, at, (source) => rowsByKey(source, columns)))
}

/** What lies in the rows of a dataset does not change within it. */
const versionOf = ({ dataset }: RowSource): string => `${dataset.id} ${dataset.tableSet} ${dataset.dataVersion}`

function once<T>(map: Map<string, T>, key: string, make: () => T): T {
  const known = map.get(key)
  if (known !== undefined) return known
  const made = make()
  map.set(key, made)
  return made
}
