import { changeOf, contributionsOf } from './model/contributions'
import { splitsWithValues } from './look'
import type { Looking } from './look'
import { MEMBERS_MAX } from './series'
import { figureOf } from './subjects/figure'
import type { Figure } from './subjects/figure'
import { splitKey } from './subjects/splits'
import type { Split } from './subjects/splits'
import type { Series, Subject, SubjectDimension } from './model/subject'
import { catalogueOf } from './workspace'
import { figuresFor } from '../../access/figures'
import type { Figures } from '../../access/figures'
import { ProductError } from '../../shared/errors'
import type { Drivers, DriversAsked } from '../../shared/finding-feed'
import { measuredDataset } from '../../shared/plan-fields'
import type { Field, Measure, QueryPlan } from '../../shared/query'
import type { Cell, QueryResult } from '../../shared/query-result'

/** The comparison as a series of two: before and now. */
const THEN = { from: 0, to: 0 }
const NOW = { from: 1, to: 1 }

/**
 * What the change of one figure between a period and the one it is held against is made of, by each split: exact, under
 * the asker's own rights.
 * @throws ProductError `invalid_input` for a plan without a period, or without that measure
 */
export async function driversOf(looking: Looking, asked: DriversAsked): Promise<Drivers> {
  const figures = figuresFor(looking.deps, looking)
  const { measure, plan } = comparing({ ...asked, plan: await figures.resolved(asked.plan) })
  const figure = figureOf(measure)
  const whole = await figures.answer(plan)
  const { period, columns } = whole
  if (!period?.compare) throw invalid('plan.period', 'There is no period before to compare with.')
  const { compare, from, to, label } = period
  const told = await figures.answer({ ...plan, measures: [measure] })
  const shown = told.columns[0]
  const about = {
    ...{ label: shown?.label ?? '', format: shown?.format ?? { style: 'plain' }, scale: columns[0]?.scale ?? null },
    period: { from, to, label },
    compare,
  }
  const total = pairOf(whole.rows[0] ?? [], figure)
  const subject = subjectOf({ ...about, total, figure, dimensions: [] })
  const change = changeOf(subject, { now: NOW, then: THEN })
  const cell = (at: number): string | null => textOf(told.rows[0]?.[at])
  const none = { ...about, value: cell(0), previous: cell(1), change: cell(2), percent: numberOf(told.rows[0]?.[3]) }
  if (!figure.additive) return { ...none, tables: [], whyNot: 'notAdditive' }
  if (!change) return { ...none, tables: [], whyNot: 'nothing' }
  const splits = await splitsFor(looking, { asked, plan })
  const dimensions: SubjectDimension[] = []
  for (const split of splits) dimensions.push(await dimensionOf(figures, { plan, figure, split }))
  const fields = new Map(splits.map(({ key, field }) => [key, field]))
  const tables = contributionsOf({ ...subject, dimensions }, { now: NOW, then: THEN }).flatMap((table) => {
    const field = fields.get(table.dimension)
    return field ? [{ ...table, field }] : []
  })
  return { ...none, ...change, tables, whyNot: null }
}

const invalid = (path: string, message: string): ProductError =>
  new ProductError('invalid_input', { fields: { [path]: message } }, message)

/** The plan of the whole: what is added up, and what it is divided by, now and before. */
function comparing({ plan, measure: at }: DriversAsked): { measure: Measure; plan: QueryPlan } {
  const measure = plan.measures[at]
  if (plan.kind !== 'aggregate' || !measure) throw invalid('measure', 'There is no such figure.')
  if (!plan.period) throw invalid('plan.period', 'Choose a period to compare.')
  const { total, under } = figureOf(measure)
  const compare = plan.period.compare === 'none' ? 'previous' : plan.period.compare
  const { having: _having, sort: _sort, limit: _limit, offset: _offset, totals: _totals, ...rest } = plan
  const measures = [total, ...(under ? [under] : [])]
  return { measure, plan: { ...rest, measures, dimensions: [], period: { ...plan.period, compare } } }
}

/** Four cells of each measure: now, before, change, change in per cent. */
function pairOf(cells: readonly Cell[], figure: Figure): { series: Series; under?: Series } {
  const series = (at: number): Series => {
    const figureAt = (n: number): number | string | null => {
      const cell = cells[n]
      return cell === undefined || cell === null || typeof cell === 'boolean' ? 0 : cell
    }
    return { value: [figureAt(at + 1), figureAt(at)], count: [1, 1] }
  }
  return { series: series(0), ...(figure.under ? { under: series(4) } : {}) }
}

const textOf = (cell: Cell | undefined): string | null =>
  typeof cell === 'number' || typeof cell === 'string' ? String(cell) : null
const numberOf = (cell: Cell | undefined): number | null => (typeof cell === 'number' ? cell : null)

function subjectOf(of: {
  label: string
  scale: number | null
  total: { series: Series; under?: Series }
  figure: Figure
  dimensions: SubjectDimension[]
}): Subject {
  const { label, scale, total, figure, dimensions } = of
  return {
    ...{ key: 'drivers', label, grain: 'month', buckets: ['then', 'now'], additive: figure.additive },
    ...(scale === null ? {} : { scale }),
    total: total.series,
    ...(total.under ? { under: total.under } : {}),
    ...{ dimensions, direction: 'none' },
  }
}

async function splitsFor(
  looking: Looking,
  { asked, plan }: { asked: DriversAsked; plan: QueryPlan },
): Promise<Split[]> {
  const catalogue = await catalogueOf(looking.deps, looking.scope)
  const labelOf = ({ dataset, column }: Field): string =>
    catalogue.find(dataset)?.columns.find(({ key }) => key === column)?.label ?? column
  if (asked.dimensions) return asked.dimensions.map((field) => ({ key: splitKey(field), label: labelOf(field), field }))
  const home = catalogue.find(measuredDataset(plan) ?? '')
  if (!home) return []
  const splits = await splitsWithValues(looking, { workspace: catalogue, home })
  return splits(asked.plan.dimensions.filter(({ grain, grouping }) => !grain && !grouping).map(({ field }) => field))
}

async function dimensionOf(
  figures: Figures,
  { plan, figure, split }: { plan: QueryPlan; figure: Figure; split: Split },
): Promise<SubjectDimension> {
  const answer = await figures.answer({ ...plan, dimensions: [{ field: split.field, topN: MEMBERS_MAX }] })
  const others = new Set(otherRows(answer))
  const members = answer.rows.flatMap(([member = null, ...cells], row) =>
    others.has(row) ? [] : [{ member, ...pairOf(cells, figure) }],
  )
  const other = answer.rows.find((_, row) => others.has(row))
  return {
    key: split.key,
    label: split.label,
    members,
    ...(other ? { other: { ...pairOf(other.slice(1), figure), members: 1 } } : {}),
  }
}

const otherRows = ({ otherCells, otherRow }: QueryResult): number[] =>
  otherCells?.map(({ row }) => row) ?? (otherRow === null ? [] : [otherRow])
