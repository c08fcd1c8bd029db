import { z } from 'zod'
import type { ReportContent, ReportFilter, ReportPeriod, ReportRange } from '../../../../src/shared/reports/reports'
import { reportRangeSchema } from '../../../../src/shared/reports/reports'
import { localIdSchema } from '../../../../src/shared/reports/blocks'
import { fieldFilterSchema, type FieldFilter } from '../../../../src/shared/query/plan'
import type { TilesRequestInput } from '../../../../src/shared/reports/tiles'
import { selectionQuestion, selectionsSchema, type Selection } from './cross-filter'

/** What of a report's address says how it is looked at; read from whatever stands there. */
export interface ReportAddress {
  page: string | null
  /** Undefined: the report's own; null: each block keeps its own. */
  range: ReportRange | null | undefined
  compare: ReportPeriod['compare'] | undefined
  /** By filter of the report; null: taken away. Absent: what it begins with. */
  filters: Readonly<Record<string, FieldFilter | null>>
  selections: Selection[]
}
/** As the address writes it. */
export interface ReportSearch {
  page?: string | undefined
  period?: string | undefined
  compare?: string | undefined
  filters?: unknown
  marks?: unknown
}

const COMPARISONS = ['previous', 'year', 'none'] as const
const OWN = 'own'

/** A period as a word of the address: `last-12-month`, `this-year`, `2026-01-01..2026-03-31`, `all`. */
export function writeRange(range: ReportRange | null): string {
  if (range === null) return OWN
  if (range.kind === 'absolute') return `${range.from}..${range.to}`
  if (range.span === 'all') return 'all'
  if (range.span === 'this') return `this-${range.unit}`
  return `last-${range.n}-${range.unit}${range.includeCurrent ? '-running' : ''}`
}

const parsedRange = (range: unknown): ReportRange | undefined => reportRangeSchema.safeParse(range).data

/** Undefined for what is no period. */
export function readRange(text: string | undefined): ReportRange | null | undefined {
  if (text === undefined) return undefined
  if (text === OWN) return null
  if (text === 'all') return parsedRange({ kind: 'relative', span: 'all', unit: 'year' })
  const days = /^(\d{4}-\d{2}-\d{2})\.\.(\d{4}-\d{2}-\d{2})$/.exec(text)
  if (days) return parsedRange({ kind: 'absolute', from: days[1], to: days[2] })
  const current = /^this-(\w+)$/.exec(text)
  if (current) return parsedRange({ kind: 'relative', span: 'this', unit: current[1] })
  const last = /^last-(\d+)-([a-zA-Z]+)(-running)?$/.exec(text)
  if (!last) return undefined
  const includeCurrent = last[3] !== undefined
  return parsedRange({ kind: 'relative', span: 'last', n: Number(last[1]), unit: last[2], includeCurrent })
}

const filtersSchema = z.record(localIdSchema, fieldFilterSchema.nullable())

export function readAddress(search: ReportSearch): ReportAddress {
  return {
    page: search.page ?? null,
    range: readRange(search.period),
    compare: COMPARISONS.find((one) => one === search.compare),
    filters: filtersSchema.safeParse(search.filters).data ?? {},
    selections: selectionsSchema.safeParse(search.marks).data ?? [],
  }
}

/** The address of a way to look at a report; what is as the report begins is left out. */
export function writeAddress({ page, range, compare, filters, selections }: ReportAddress): ReportSearch {
  return {
    page: page ?? undefined,
    period: range === undefined ? undefined : writeRange(range),
    compare,
    filters: Object.keys(filters).length === 0 ? undefined : filters,
    marks: selections.length === 0 ? undefined : selections,
  }
}

/** The page that is looked at: the first where the address names none, or one that is gone. */
export const pageOf = ({ pages }: Pick<ReportContent, 'pages'>, { page }: Pick<ReportAddress, 'page'>) =>
  pages.find(({ id }) => id === page) ?? pages[0]

/** The period in force. */
export const periodOf = ({ period }: Pick<ReportContent, 'period'>, address: ReportAddress): ReportPeriod => ({
  range: address.range === undefined ? period.range : address.range,
  compare: address.compare ?? period.compare,
})

/** What a filter of the report is set to; null: every row passes. */
export const filterValue = (filter: ReportFilter, { filters }: Pick<ReportAddress, 'filters'>): FieldFilter | null => {
  const set = filters[filter.id]
  return set === undefined ? filter.filter : set
}

/** The question that a page asks. */
export function tilesQuestion(
  content: ReportContent,
  address: ReportAddress,
  of: TilesRequestInput['of'],
): TilesRequestInput | null {
  const page = pageOf(content, address)
  if (!page) return null
  const set = content.filters.flatMap((filter) => filterValue(filter, address) ?? [])
  // A mark of another page filters this one, too.
  return { of, page: page.id, period: periodOf(content, address), ...selectionQuestion(set, address.selections) }
}
