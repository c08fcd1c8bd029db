import { changeBetween, contributionTables } from './model/contributions'
import { breakdownSelector } from './analyze'
import type { CalendarContext } from '../../semantic/calendar'
import { MEMBERS_MAX, componentsOf, type MeasureComponents } from './series'
import { breakdownKey, type Breakdown } from './breakdowns'
import type { SubjectSeries, AnalysisSubject, SubjectDimension } from './model/subject'
import { queryNames, tableWithNames } from './member-names'
import { loadCatalogue } from './analysis-catalogue'
import { queryService, type QueryService } from '../../semantic/query-service'
import { ProductError } from '../../shared/errors'
import type { ChangeDrivers, DriversQuery } from '../../shared/findings'
import { isPlainSplit, measuredDataset } from '../../shared/query/plan-fields'
import type { Measure, QueryPlan } from '../../shared/query/plan'
import type { Field } from '../../shared/query/field'
import type { Cell, QueryResult } from '../../shared/query/result'

/** The comparison as a series of two: before and now. */
const THEN = { from: 0, to: 0 }
const NOW = { from: 1, to: 1 }

/**
 * What the change of one figure between a period and the one it is held against is made of, by each split: exact, under
 * the asker's own rights.
 * @throws ProductError `invalid_input` for a plan without a period, or without that measure
 */
export async function findDrivers(context: CalendarContext, asked: DriversQuery): Promise<ChangeDrivers> {
  const figures = queryService(context.deps, context)
  const { measure, plan } = comparisonPlan({ ...asked, plan: await figures.resolve(asked.plan) })
  const figure = componentsOf(measure)
  const whole = await figures.answer(plan)
  const { period, columns } = whole
  if (!period?.compare) throw invalidInput('plan.period', 'Choose a period with a previous period.')
  const { compare, from, to, label } = period
  const told = await figures.answer({ ...plan, measures: [measure] })
  const shown = told.columns[0]
  const about = {
    ...{ label: shown?.label ?? '', format: shown?.format ?? { style: 'plain' }, scale: columns[0]?.scale ?? null },
    period: { from, to, label },
    compare,
  }
  const total = seriesPair(whole.rows[0] ?? [], figure)
  const subject = driverSubject({ ...about, total, figure, dimensions: [] })
  const change = changeBetween(subject, { now: NOW, then: THEN })
  const cell = (at: number): string | null => cellText(told.rows[0]?.[at])
  const none = { ...about, value: cell(0), previous: cell(1), change: cell(2), percent: cellNumber(told.rows[0]?.[3]) }
  if (!figure.additive) return { ...none, tables: [], whyNot: 'notAdditive' }
  if (!change) return { ...none, tables: [], whyNot: 'nothing' }
  const splits = await breakdownsFor(context, { asked, plan })
  const dimensions: SubjectDimension[] = []
  for (const split of splits) dimensions.push(await queryDriverDimension(figures, { plan, figure, split }))
  const names = await queryNames(figures, splits)
  const fields = new Map(splits.map(({ key, field }) => [key, field]))
  const tables = contributionTables({ ...subject, dimensions }, { now: NOW, then: THEN }).flatMap((table) => {
    const field = fields.get(table.dimension)
    return field ? [{ ...tableWithNames(table, names), field }] : []
  })
  return { ...none, ...change, tables, whyNot: null }
}

const invalidInput = (path: string, message: string): ProductError =>
  new ProductError('invalid_input', { fields: { [path]: message } }, message)

/** The plan of the whole: what is added up, and what it is divided by, now and before. */
function comparisonPlan({ plan, measure: at }: DriversQuery): { measure: Measure; plan: QueryPlan } {
  const measure = plan.measures[at]
  if (plan.kind !== 'aggregate' || !measure) throw invalidInput('measure', 'Measure not found.')
  if (!plan.period) throw invalidInput('plan.period', 'Choose a period to compare.')
  const { total, under } = componentsOf(measure)
  const compare = plan.period.compare === 'none' ? 'previous' : plan.period.compare
  const { having: _having, sort: _sort, limit: _limit, offset: _offset, totals: _totals, ...rest } = plan
  const measures = [total, ...(under ? [under] : [])]
  return { measure, plan: { ...rest, measures, dimensions: [], period: { ...plan.period, compare } } }
}

/** Four cells of each measure: now, before, change, change in per cent. */
function seriesPair(
  cells: readonly Cell[],
  components: MeasureComponents,
): { series: SubjectSeries; under?: SubjectSeries } {
  const series = (at: number): SubjectSeries => {
    const figureAt = (n: number): number | string | null => {
      const cell = cells[n]
      return cell === undefined || cell === null || typeof cell === 'boolean' ? 0 : cell
    }
    return { value: [figureAt(at + 1), figureAt(at)], count: [1, 1] }
  }
  return { series: series(0), ...(components.under ? { under: series(4) } : {}) }
}

const cellText = (cell: Cell | undefined): string | null =>
  typeof cell === 'number' || typeof cell === 'string' ? String(cell) : null
const cellNumber = (cell: Cell | undefined): number | null => (typeof cell === 'number' ? cell : null)

function driverSubject(of: {
  label: string
  scale: number | null
  total: { series: SubjectSeries; under?: SubjectSeries }
  figure: MeasureComponents
  dimensions: SubjectDimension[]
}): AnalysisSubject {
  const { label, scale, total, figure, dimensions } = of
  return {
    ...{ key: 'drivers', label, grain: 'month', buckets: ['then', 'now'], additive: figure.additive },
    ...(scale === null ? {} : { scale }),
    total: total.series,
    ...(total.under ? { under: total.under } : {}),
    ...{ dimensions, direction: 'none' },
  }
}

async function breakdownsFor(
  context: CalendarContext,
  { asked, plan }: { asked: DriversQuery; plan: QueryPlan },
): Promise<Breakdown[]> {
  const catalogue = await loadCatalogue(context.deps, context.scope)
  const labelOf = ({ dataset, column }: Field): string =>
    catalogue.find(dataset)?.columns.find(({ key }) => key === column)?.label ?? column
  if (asked.dimensions)
    return asked.dimensions.map((field) => ({ key: breakdownKey(field), label: labelOf(field), field }))
  const home = catalogue.find(measuredDataset(plan) ?? '')
  if (!home) return []
  const splits = await breakdownSelector(context, { workspace: catalogue, home })
  return splits(asked.plan.dimensions.filter(isPlainSplit).map(({ field }) => field))
}

async function queryDriverDimension(
  service: QueryService,
  { plan, figure, split }: { plan: QueryPlan; figure: MeasureComponents; split: Breakdown },
): Promise<SubjectDimension> {
  const answer = await service.answer({ ...plan, dimensions: [{ field: split.field, topN: MEMBERS_MAX }] })
  const others = new Set(otherRows(answer))
  const members = answer.rows.flatMap(([member = null, ...cells], row) =>
    others.has(row) ? [] : [{ member, ...seriesPair(cells, figure) }],
  )
  const other = answer.rows.find((_, row) => others.has(row))
  return {
    key: split.key,
    label: split.label,
    members,
    ...(other ? { other: { ...seriesPair(other.slice(1), figure), members: 1 } } : {}),
  }
}

const otherRows = ({ otherCells, otherRow }: QueryResult): number[] =>
  otherCells?.map(({ row }) => row) ?? (otherRow === null ? [] : [otherRow])
