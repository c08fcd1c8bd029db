import type { Field } from '../../shared/query/field'
import type { Column } from '../../shared/data-sources/data-sources'
import type { CatalogueDataset } from '../../warehouse/contract'
import type { RelationEdge } from '../../warehouse/query/plan/relation-graph'
import { keyPairsOf } from '../../shared/query/relation-paths'
import {
  isBusinessGroup,
  isContactColumn,
  isNameColumn,
  joinColumnsOf,
  nameStem,
} from '../../shared/data-sources/key-columns'
import { relatedTables } from '../../semantic/related-tables'
import { ledgerColumnName } from '../../shared/statements/ledger-tables'
import { capitalize } from '../../shared/text'
import { isSameField } from '../../shared/query/plan-fields'

/** A column that a figure can be taken apart by. */
export interface Breakdown {
  key: string
  label: string
  field: Field
  /** The dataset that the column points at, by what its own rows are called there. */
  pointsAt?: string
}
/** One that was chosen. */
export interface ChosenBreakdown extends Breakdown {
  /** How many values it has. */
  values: number
  /** Whether a person has split the figure by it. */
  isPreferred?: boolean
}

export const breakdownKey = ({ dataset, column, via = [] }: Field): string => [dataset, column, ...via].join('.')

/** What only says when something was, or is another name of the row: it comes and goes with time by itself. */
const TIME_COLUMN_NAMES =
  /(^|[\s_-])(year|år|month|månad|quarter|kvartal|week|vecka|period|date|datum|day|dag|time|tid|fiscal)([\s_-]|$)/i
const BREAKDOWN_TYPES = new Set<Column['type']>(['text', 'boolean'])

const canBreakDownBy = (column: Column): boolean =>
  !column.hidden &&
  // What a mask leaves of values says nothing of them.
  !column.mask &&
  column.role === 'dimension' &&
  BREAKDOWN_TYPES.has(column.type) &&
  !TIME_COLUMN_NAMES.test(column.label) &&
  !isContactColumn(column)

/**
 * Columns to take figures of a dataset apart by: its own, and those of datasets that its rows point at.
 */
export function breakdownsOf(
  home: CatalogueDataset,
  {
    edges,
    datasets,
    find,
  }: {
    edges: readonly RelationEdge[]
    datasets: readonly CatalogueDataset[]
    find: (id: string) => CatalogueDataset | null
  },
): Breakdown[] {
  const out = edges.filter((edge) => edge.from.dataset === home.id && edge.to.dataset !== home.id)
  // One of several columns of a key points at nothing by itself.
  const pointing = new Map(out.flatMap(({ from, to, further }) => (further ? [] : [[from.key, to.dataset]])))
  const own = home.columns.filter(canBreakDownBy).map((column) => {
    const pointsAt = pointing.get(column.key)
    const made = toBreakdown(column, { dataset: home.id, column: column.key })
    return pointsAt === undefined ? made : { ...made, pointsAt }
  })
  const beyond = out.flatMap((edge) => {
    const there = find(edge.to.dataset)
    const several = out.filter(({ to }) => to.dataset === edge.to.dataset).length > 1
    return (there?.columns ?? [])
      .filter((column) => canBreakDownBy(column) && keyPairsOf(edge).every(({ to }) => to !== column.key))
      .map((column) =>
        toBreakdown(
          column,
          { dataset: edge.to.dataset, column: column.key, ...(several ? { via: [edge.id] } : {}) },
          there?.name,
        ),
      )
  })
  return withTheirTables([...own, ...beyond, ...furtherBreakdowns(home, { edges, datasets, find })], { home, find })
}

/** Columns of the same name are told apart by where they are: "City" of the order, "Employees city". */
function withTheirTables(
  all: readonly Breakdown[],
  { home, find }: { home: CatalogueDataset; find: (id: string) => CatalogueDataset | null },
): Breakdown[] {
  const plain = (label: string): string => label.toLowerCase()
  return all.map((each) => {
    const isAmbiguous = all.some((other) => other !== each && plain(other.label) === plain(each.label))
    const there = each.field.dataset === home.id ? null : find(each.field.dataset)
    return isAmbiguous && there ? { ...each, label: `${capitalize(there.name)} ${each.label}` } : each
  })
}

/** Longer ways lead to what groups are called; what else is there describes something else. */
const WAYS_MAX = 3

/** Names at the end of longer ways: the genre of the track of a line. */
function furtherBreakdowns(
  home: CatalogueDataset,
  at: {
    edges: readonly RelationEdge[]
    datasets: readonly CatalogueDataset[]
    find: (id: string) => CatalogueDataset | null
  },
): Breakdown[] {
  const tables = relatedTables(home.id, at).slice(1, WAYS_MAX).flat()
  return tables.flatMap(({ id, columns, via }) => {
    const keys = joinColumnsOf(id, at.edges)
    return columns
      .filter((column) => canBreakDownBy(column) && !keys.has(column.key))
      .filter((column) => isNameColumn(column))
      .map((column) =>
        toBreakdown(
          column,
          { dataset: id, column: column.key, ...(via.length > 0 ? { via: [...via] } : {}) },
          at.find(id)?.name,
        ),
      )
  })
}

/** What is only called "Name" there is called as the dataset here. */
const toBreakdown = (column: Column, field: Field, there?: string): Breakdown => ({
  key: breakdownKey(field),
  label:
    there !== undefined && isNameColumn(column) && nameStem(column.label) === ''
      ? capitalize(there)
      : ledgerColumnName(column.label),
  field,
})

/** Fewer groups tell a person more; beyond some thousands a column names rows, not groups of them. */
const DISTINCT_VALUES_MAX = 2_000
const BREAKDOWNS_MAX = 12
/** More values are a list of things. */
const GROUPS_MAX = 250

/** From this share on of the values of a column that points at a dataset, one of its columns says the same in words. */
const LABEL_COVERAGE_MIN = 0.9

/**
 * The splits to look at: those a person chose first, then those with few values. A column that points at another dataset
 * is left to what that one calls it, where it calls it anything: customers may be joined by their names.
 */
export function chooseBreakdowns(
  splits: readonly Breakdown[],
  at: { values: ReadonlyMap<string, number>; rows: number; preferred: readonly Field[] },
): ChosenBreakdown[] {
  const valuesOf = ({ key }: Breakdown): number => at.values.get(key) ?? 0
  const isPreferred = ({ field }: Breakdown): boolean => at.preferred.some((one) => isSameField(one, field))
  const isToldBy = (each: Breakdown, other: Breakdown): boolean =>
    each !== other && each.pointsAt === other.field.dataset && valuesOf(other) >= LABEL_COVERAGE_MIN * valuesOf(each)
  const fit = splits.filter((each) => {
    const values = valuesOf(each)
    if (each.pointsAt !== undefined && splits.some((other) => isToldBy(each, other))) return false
    return values >= 2 && values <= Math.min(DISTINCT_VALUES_MAX, Math.max(12, at.rows / 4))
  })
  const byFewest = (a: Breakdown, b: Breakdown): number =>
    Number(isPreferred(b)) - Number(isPreferred(a)) || valuesOf(a) - valuesOf(b)
  // Of more than there is room for, what a business is organised by.
  const business = (each: Breakdown): number =>
    Number(isPreferred(each) || (isBusinessGroup(each.label) && valuesOf(each) <= GROUPS_MAX))
  // Who and what before where.
  const named = ({ label }: Breakdown): number => Number(isNameColumn({ label, type: 'text' }))
  return fit
    .toSorted((a, b) => business(b) - business(a) || named(b) - named(a) || byFewest(a, b))
    .slice(0, BREAKDOWNS_MAX)
    .toSorted(byFewest)
    .map((each) => ({
      key: each.key,
      label: each.label,
      field: each.field,
      values: valuesOf(each),
      isPreferred: isPreferred(each),
    }))
}
