import { figureOf } from './subjects/figure'
import type { Figure } from './subjects/figure'
import type { Asked } from './subjects/asked'
import type { Series, Subject, SubjectDimension } from './model/subject'
import type { Split } from './subjects/splits'
import type { Window } from './subjects/window'
import type { Figures } from '../../access/figures'
import { leavesOf } from '../../shared/plan-fields'
import type { Dimension, Measure, QueryPlan } from '../../shared/query'
import type { Cell, QueryResult, ResultColumn } from '../../shared/query-result'

/** Members that are told one by one; the rest are one line. */
export const MEMBERS_MAX = 200
/** Rows that an answer has room for. */
const ROWS_MAX = 9_900

/** How many rows stand behind a figure: under the same filters as what is added up first. */
function countOf({ total }: Figure, { dataset }: Asked): Measure {
  const [leaf] = leavesOf(total)
  return { kind: 'column', agg: 'count', dataset, ...(leaf?.filter ? { filter: leaf.filter } : {}) }
}

/** The figure of each bucket, as a plan; with a split, of its largest members. */
export function seriesPlan(asked: Asked, at: { window: Window; split?: Split | undefined }): QueryPlan {
  const { window, split } = at
  const figure = figureOf(asked.measure)
  const measures = [figure.total, ...(figure.under ? [figure.under] : []), countOf(figure, asked)]
  const topN = Math.min(MEMBERS_MAX, Math.floor(ROWS_MAX / window.buckets.length) - 1)
  const dimensions: Dimension[] = [
    { field: asked.time, grain: window.grain },
    ...(split ? [{ field: split.field, topN }] : []),
  ]
  return {
    v: 2,
    kind: 'aggregate',
    dataset: asked.dataset,
    measures,
    dimensions,
    filters: asked.filters,
    period: {
      field: asked.time,
      range: { kind: 'absolute', from: window.from, to: window.to },
      compare: 'none',
      completeOnly: false,
    },
    ...(asked.currency ? { currency: asked.currency } : {}),
  }
}

interface Filling {
  buckets: readonly string[]
  figure: Figure
}
type Filled = { series: Series; under?: Series }
interface Row {
  bucket: Cell
  cells: Cell[]
}

/** Rows laid along the buckets. Where there are none, sums are nothing at all and everything else is unknown. */
function filled(rows: readonly Row[], { buckets, figure }: Filling): Filled {
  const at = new Map(rows.map(({ bucket, cells }) => [String(bucket), cells]))
  const lacking = figure.additive ? 0 : null
  const pick = (index: number): (number | string | null)[] =>
    buckets.map((bucket) => {
      const cell = at.get(bucket)?.[index]
      return cell === undefined || cell === null || typeof cell === 'boolean' ? lacking : cell
    })
  const count = buckets.map((bucket) => Number(at.get(bucket)?.at(-1) ?? 0))
  return {
    series: { value: pick(0), count },
    ...(figure.under ? { under: { value: pick(1), count } } : {}),
  }
}

/** How figures of a subject are shown. */
export interface Shown {
  format: ResultColumn['format']
  scale: number | null
}

/** The whole of a figure, bucket by bucket; null where there is nothing to look at. */
export async function totalOf(
  figures: Figures,
  asked: Asked,
  window: Window,
): Promise<{ filled: Filled; figure: Figure; shown: Shown } | null> {
  const figure = figureOf(asked.measure)
  const { rows, columns } = await figures.answer(seriesPlan(asked, { window }))
  const lines = rows.map(([bucket = null, ...cells]) => ({ bucket, cells }))
  if (lines.length === 0) return null
  const measure = columns[1]
  const isRatio = figure.under !== undefined
  const shown: Shown = isRatio
    ? { format: asked.measure.format ?? { style: 'plain' }, scale: null }
    : { format: measure?.format ?? { style: 'plain' }, scale: measure?.scale ?? null }
  return { filled: filled(lines, { buckets: window.buckets, figure }), figure, shown }
}

/** The members of one split, bucket by bucket; null where it does not split anything. */
export async function dimensionOf(
  figures: Figures,
  asked: Asked,
  at: { window: Window; split: Split },
): Promise<SubjectDimension | null> {
  const { window, split } = at
  const figure = figureOf(asked.measure)
  const answer = await figures.answer(seriesPlan(asked, at))
  const { members, others } = byMember(answer)
  if (members.size < 2) return null
  const filling = { buckets: window.buckets, figure }
  const other = others.length === 0 ? null : filled(others, filling)
  return {
    key: split.key,
    label: split.label,
    members: [...members.values()].map(({ member, rows }) => ({ member, ...filled(rows, filling) })),
    ...(other ? { other: { ...other, members: await othersOf(figures, asked, { ...at, told: members.size }) } } : {}),
  }
}

function byMember({ rows, otherCells = [] }: QueryResult): {
  members: Map<string, { member: Cell; rows: Row[] }>
  others: Row[]
} {
  const pooled = new Set(otherCells.filter(({ dimension }) => dimension === 1).map(({ row }) => row))
  const members = new Map<string, { member: Cell; rows: Row[] }>()
  const others: Row[] = []
  for (const [at, [bucket = null, member = null, ...cells]] of rows.entries()) {
    if (pooled.has(at)) {
      others.push({ bucket, cells })
      continue
    }
    const key = JSON.stringify(member)
    const known = members.get(key) ?? { member, rows: [] }
    known.rows.push({ bucket, cells })
    members.set(key, known)
  }
  return { members, others }
}

/** How many members the line of the others stands for. */
async function othersOf(
  figures: Figures,
  asked: Asked,
  at: { window: Window; split: Split; told: number },
): Promise<number> {
  const plan = seriesPlan(asked, at)
  const measures: Measure[] = [{ kind: 'column', agg: 'countDistinct', field: at.split.field, dataset: asked.dataset }]
  const { rows } = await figures.answer({ ...plan, measures, dimensions: [] })
  return Math.max(1, Number(rows[0]?.[0] ?? 0) - at.told)
}

/** What the engine is given. */
export function subjectOf(
  asked: Asked,
  of: { window: Window; total: NonNullable<Awaited<ReturnType<typeof totalOf>>>; dimensions: SubjectDimension[] },
): Subject {
  const { window, total, dimensions } = of
  const { figure, shown, filled: whole } = total
  return {
    key: asked.key,
    label: asked.label,
    grain: window.grain,
    buckets: window.buckets,
    additive: figure.additive,
    counts: figure.counts,
    ...(shown.scale === null ? {} : { scale: shown.scale }),
    total: whole.series,
    ...(whole.under ? { under: whole.under } : {}),
    dimensions: distinct(dimensions),
    direction: asked.direction,
  }
}

/** A name and its number split alike: told once, by what reads best. */
function distinct(dimensions: readonly SubjectDimension[]): SubjectDimension[] {
  const found = new Map<string, SubjectDimension>()
  for (const each of dimensions) {
    const parts = each.members.map(({ series, under }) => JSON.stringify([series, under])).toSorted()
    const name = parts.join()
    const known = found.get(name)
    if (!known || wordiness(each) > wordiness(known)) found.set(name, each)
  }
  return [...found.values()]
}
const wordiness = ({ members }: SubjectDimension): number =>
  members.filter(({ member }) => typeof member === 'string' && /\p{L}{2}/u.test(member)).length
