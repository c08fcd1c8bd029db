import type { Field } from '../../../shared/query'
import type { Column } from '../../../shared/sources'
import type { CatalogueDataset } from '../../../warehouse/contract'
import type { Edge } from '../../../warehouse/query/graph'
import { sameField } from '../../../shared/plan-fields'

/** A column that a figure can be taken apart by. */
export interface Split {
  key: string
  label: string
  field: Field
  /** The dataset that the column points at, by what its own rows are called there. */
  pointsAt?: string
}

export const splitKey = ({ dataset, column, via = [] }: Field): string => [dataset, column, ...via].join('.')

/** What only says when something was, or is another name of the row: it comes and goes with time by itself. */
const OF_TIME =
  /(^|[\s_-])(year|år|month|månad|quarter|kvartal|week|vecka|period|date|datum|day|dag|time|tid|fiscal)([\s_-]|$)/i
const FIT = new Set<Column['type']>(['text', 'boolean'])

const isFit = (column: Column): boolean =>
  !column.hidden && column.role === 'dimension' && FIT.has(column.type) && !OF_TIME.test(column.label)

/**
 * Columns to take figures of a dataset apart by: its own, and those of datasets that its rows point at.
 */
export function splitsOf(
  home: CatalogueDataset,
  { edges, find }: { edges: readonly Edge[]; find: (id: string) => CatalogueDataset | null },
): Split[] {
  const out = edges.filter((edge) => edge.from.dataset === home.id && edge.to.dataset !== home.id)
  const pointing = new Map(out.map(({ from, to }) => [from.key, to.dataset]))
  const own = home.columns.filter(isFit).map((column) => {
    const pointsAt = pointing.get(column.key)
    const made = split(column, { dataset: home.id, column: column.key })
    return pointsAt === undefined ? made : { ...made, pointsAt }
  })
  const beyond = out.flatMap((edge) => {
    const there = find(edge.to.dataset)
    const several = out.filter(({ to }) => to.dataset === edge.to.dataset).length > 1
    return (there?.columns ?? [])
      .filter((column) => isFit(column) && column.key !== edge.to.key)
      .map((column) =>
        split(column, { dataset: edge.to.dataset, column: column.key, ...(several ? { via: [edge.id] } : {}) }),
      )
  })
  return [...own, ...beyond]
}

const split = (column: Column, field: Field): Split => ({ key: splitKey(field), label: column.label, field })

/** Fewer groups tell a person more; beyond some thousands a column names rows, not groups of them. */
const VALUES_MAX = 2_000
export const SPLITS_MAX = 8

/** From this share on of the values of a column that points at a dataset, one of its columns says the same in words. */
const SAME_SHARE = 0.9

/**
 * The splits to look at: those a person chose first, then those with few values. A column that points at another dataset
 * is left to what that one calls it, where it calls it anything: customers may be joined by their names.
 */
export function chosen(
  splits: readonly Split[],
  at: { values: ReadonlyMap<string, number>; rows: number; preferred: readonly Field[] },
): Split[] {
  const valuesOf = ({ key }: Split): number => at.values.get(key) ?? 0
  const isPreferred = ({ field }: Split): boolean => at.preferred.some((one) => sameField(one, field))
  const isToldBy = (each: Split, other: Split): boolean =>
    each !== other && each.pointsAt === other.field.dataset && valuesOf(other) >= SAME_SHARE * valuesOf(each)
  const fit = splits.filter((each) => {
    const values = valuesOf(each)
    if (each.pointsAt !== undefined && splits.some((other) => isToldBy(each, other))) return false
    return values >= 2 && values <= Math.min(VALUES_MAX, Math.max(12, at.rows / 4))
  })
  const rank = (each: Split): number => (isPreferred(each) ? 0 : 1)
  return fit
    .toSorted((a, b) => rank(a) - rank(b) || valuesOf(a) - valuesOf(b))
    .slice(0, SPLITS_MAX)
    .map(({ key, label, field }) => ({ key, label, field }))
}
