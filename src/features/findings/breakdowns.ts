import type { Field } from '../../shared/query/field'
import type { Column } from '../../shared/data-sources/data-sources'
import type { ColumnKey } from '../../shared/data-sources/files'
import { findLedgerTables, ledgerColumnName } from '../../shared/statements/ledger-tables'
import type { CatalogueDataset } from '../../warehouse/contract'
import type { RelationEdge } from '../../warehouse/query/plan/relation-graph'
import { forwardPaths, keyPairsOf } from '../../shared/query/relation-paths'
import {
  isBusinessGroup,
  isCategory,
  isContactColumn,
  isKeyColumn,
  isNameColumn,
  joinColumnsOf,
  nameStem,
} from '../../shared/data-sources/key-columns'
import { relatedTables } from '../../semantic/related-tables'
import { definedOnly } from '../../lib/defined'
import { capitalize } from '../../shared/text'
import { isSameField } from '../../shared/query/plan-fields'

/** A column that a figure can be taken apart by. */
export interface Breakdown {
  key: string
  label: string
  field: Field
  /** The dataset that the column points at, by what its own rows are called there. */
  pointsAt?: string
  /** Where it stands how its values are called, where they are numbers of something. */
  names?: { key: Field; name: Field }
  /** Of what rows of another table are called: the key of those rows, as two of them may have one name. */
  row?: Field
  /** Accounts of books: some cost and some earn by their nature. */
  isChart?: true
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
  const ofBooks = ledgerBreakdowns(home, datasets)
  if (ofBooks) return ofBooks
  const out = edges.filter((edge) => edge.from.dataset === home.id && edge.to.dataset !== home.id)
  const pointing = (made: Breakdown): Breakdown => withTarget(made, edges)
  const own = home.columns
    .filter(canBreakDownBy)
    .map((column) => withOwnKey(pointing(toBreakdown(column, { dataset: home.id, column: column.key })), column, home))
  const beyond = out.flatMap((edge) => {
    const there = find(edge.to.dataset)
    const several = out.filter(({ to }) => to.dataset === edge.to.dataset).length > 1
    const via = several ? { via: [edge.id] } : {}
    return (there?.columns ?? [])
      .filter((column) => canBreakDownBy(column) && keyPairsOf(edge).every(({ to }) => to !== column.key))
      .map((column) =>
        withRow(
          pointing(toBreakdown(column, { dataset: edge.to.dataset, column: column.key, ...via }, there?.name)),
          column,
          edge,
        ),
      )
  })
  const at = { edges, datasets, find }
  const all = [...own, ...beyond, ...furtherBreakdowns(home, at), ...customerPlaces(home, at)]
  return withTheirTables(
    all.filter((one, n) => all.findIndex((other) => isSameField(other.field, one.field)) === n),
    { home, find },
  )
}

/** By its name, who bought or supplied: how their rows are called where a table is of them. */
const PARTIES =
  /^(company|customer|client|supplier|vendor|patient|member|student|företag|firma|bolag|kund|leverantör|medlem|elev)$/i
const namesRows = (column: Column): boolean => isNameColumn(column) || PARTIES.test(column.label.trim())

/** With the key of the rows that the column names, where one column is it. */
function withRow(made: Breakdown, column: Column, edge: RelationEdge | undefined): Breakdown {
  if (!edge || !namesRows(column) || keyPairsOf(edge).length > 1) return made
  return { ...made, row: { ...made.field, column: edge.to.key } }
}

/** With the number that stands beside a name in one table: `Customer no` of `Customer`. */
function withOwnKey(made: Breakdown, column: Column, { id, columns }: CatalogueDataset): Breakdown {
  const stem = nameStem(column.label)
  if (stem === '' || !namesRows(column)) return made
  const keys = columns.filter((one) => one !== column && isKeyColumn(one) && nameStem(one.label) === stem)
  const [key] = keys
  return key && keys.length === 1 && isShown({ columns }, key.key)
    ? { ...made, row: { dataset: id, column: key.key } }
    : made
}

/** With the dataset that its column points at; one of several columns of a key points at nothing by itself. */
function withTarget(made: Breakdown, edges: readonly RelationEdge[]): Breakdown {
  const { dataset, column } = made.field
  const edge = edges.find(({ from, to, further }) => {
    const isOther = to.dataset !== dataset && !further
    return isOther && from.dataset === dataset && from.key === column
  })
  return edge ? { ...made, pointsAt: edge.to.dataset } : made
}

/**
 * By what the entries of books are taken apart: accounts and dimensions, by their numbers and with their names. What only
 * files a voucher (its series, its number, its text) says nothing of a business. Null for a dataset that holds no entries.
 */
function ledgerBreakdowns(home: CatalogueDataset, datasets: readonly CatalogueDataset[]): Breakdown[] | null {
  const own = datasets.filter(({ sourceId }) => sourceId === home.sourceId)
  const { entries, accounts } = findLedgerTables(own) ?? {}
  if (!entries || entries.dataset !== home.id) return null
  const here = (column: ColumnKey): Field => ({ dataset: home.id, column })
  const made = (label: string, column: ColumnKey, names: Breakdown['names'] | null): Breakdown => ({
    ...{ key: breakdownKey(here(column)), label, field: here(column) },
    ...(names ? { names } : {}),
  })
  const namedHere = (key: ColumnKey, name: ColumnKey | null): Breakdown['names'] | null =>
    name && { key: here(key), name: here(name) }
  const { account, accountName, dimensions } = entries
  const chart: Breakdown['names'] | null = accounts && {
    key: { dataset: accounts.dataset, column: accounts.account },
    name: { dataset: accounts.dataset, column: accounts.name },
  }
  return [
    { ...made(account.label, account.key, namedHere(account.key, accountName) ?? chart), isChart: true as const },
    ...dimensions.map(({ key, label, name }) => made(label, key, namedHere(key, name))),
  ].filter(({ field }) => isShown(home, field.column))
}

/** What is hidden is never told, and what a mask leaves of values says nothing of them. */
const isShown = ({ columns }: Pick<CatalogueDataset, 'columns'>, key: string): boolean =>
  columns.some((column) => column.key === key && !column.hidden && !column.mask)

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

/** Longer ways lead to what groups are called, and to categories; what else is there describes something else. */
const WAYS_MAX = 3
/** By its name, a kind of things that are made or sold, where it stands in a table of its own. */
const KINDS_OF_THINGS =
  /(^|[\s_-])(rating|class|klass|grade|tier|size|storlek|style|collection|material|colou?r|färg)([\s_-]|$)/i

/** Names and categories at the end of longer ways: the genre of the track of a line. */
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
    const last = forwardPaths(at.edges, { from: home.id, to: id, least: 1 })[0]?.at(-1)
    return columns
      .filter((column) => canBreakDownBy(column) && !keys.has(column.key))
      .filter((column) => namesRows(column) || isCategory(column.label) || KINDS_OF_THINGS.test(column.label))
      .map((column) =>
        withRow(
          toBreakdown(
            column,
            { dataset: id, column: column.key, ...(via.length > 0 ? { via: [...via] } : {}) },
            at.find(id)?.name,
          ),
          column,
          last,
        ),
      )
  })
}

/** By its name, a table of those who buy. */
const CUSTOMER_TABLES = /(^|[\s_-])(customers?|clients?|guests?|patients?|members?|kunder|kund)([\s_-]|$)/i
/** Where somebody is: what a market is told by. */
const PLACES = /(^|[\s_-])(country|state|province|region|county|city|town|land|län|kommun|stad|ort)([\s_-]|$)/i
/** So many relations lead to who buys, and so many further to where they are. */
const CUSTOMER_WAYS_MAX = 2
const PLACE_WAYS_MAX = 3

/**
 * Where those who buy are, however many tables an address is kept in. The way leads through them: the shortest one to a city may be
 * that of whoever sold.
 */
function customerPlaces(
  home: CatalogueDataset,
  at: { edges: readonly RelationEdge[]; datasets: readonly CatalogueDataset[] },
): Breakdown[] {
  const pathTo = (from: string, to: string): RelationEdge['id'][] =>
    (forwardPaths(at.edges, { from, to, least: 1 })[0] ?? []).map(({ id }) => id)
  const buyers = relatedTables(home.id, at)
    .slice(0, CUSTOMER_WAYS_MAX)
    .flat()
    .filter(({ name }) => CUSTOMER_TABLES.test(name))
  return buyers.flatMap((buyer) => {
    const first = pathTo(home.id, buyer.id)
    const own = first.length > 1 ? [{ ...buyer, via: [] }] : []
    const further = relatedTables(buyer.id, at).slice(0, PLACE_WAYS_MAX).flat()
    return [...own, ...further].flatMap(({ id, columns }) => {
      const via = [...first, ...(id === buyer.id ? [] : pathTo(buyer.id, id))]
      const keys = joinColumnsOf(id, at.edges)
      return columns
        .filter((column) => canBreakDownBy(column) && !keys.has(column.key) && PLACES.test(column.label))
        .map((column) => toBreakdown(column, { dataset: id, column: column.key, via }))
    })
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

/**
 * How far a row has come, unless a person asks by it: the newest rows have not come as far, whatever the business does. Invoices of the
 * newest month are not paid yet.
 */
const STATE_COLUMN_NAMES = /(^|[\s_-])(status|stage|fas|skede|orderstatus)([\s_-]|$)/i
const STATE_FLAG_NAMES =
  /(^|[\s_-])((un)?paid|invoiced|billed|delivered|shipped|completed|closed|open|done|settled|processed|approved|posted|(o)?betald|betalt|fakturerad|levererad|skickad|avslutad|stängd|öppen|klar|färdig|reglerad|attesterad|bokförd)$/i
const FLAG_VALUES_MAX = 3
const isState = (label: string, values: number): boolean =>
  STATE_COLUMN_NAMES.test(label) || (values <= FLAG_VALUES_MAX && STATE_FLAG_NAMES.test(label))

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
  const isNumberOf = (each: Breakdown, other: Breakdown): boolean =>
    other.row !== undefined && isSameField(other.row, each.field)
  const isToldBy = (each: Breakdown, other: Breakdown): boolean =>
    each !== other &&
    ((each.pointsAt !== undefined && each.pointsAt === other.field.dataset) || isNumberOf(each, other)) &&
    valuesOf(other) >= LABEL_COVERAGE_MIN * valuesOf(each)
  const fit = splits.filter((each) => {
    const values = valuesOf(each)
    if (isState(each.label, values) && !isPreferred(each)) return false
    if (splits.some((other) => isToldBy(each, other))) return false
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
    .map((each) => (isPreferred(each) ? each : apartByRow(each, at.values)))
    .map((each) => ({
      key: each.key,
      label: each.label,
      field: each.field,
      values: valuesOf(each),
      ...definedOnly({ names: each.names, isChart: each.isChart }),
      isPreferred: isPreferred(each),
    }))
}

/** Two shops of one name are two: told apart by their numbers, where most names are of one row each. */
function apartByRow(each: Breakdown, values: ReadonlyMap<string, number>): Breakdown {
  const { row, field, ...rest } = each
  const rows = row ? (values.get(breakdownKey(row)) ?? 0) : 0
  const names = values.get(each.key) ?? 0
  if (!row || names >= rows || names < LABEL_COVERAGE_MIN * rows) return each
  const there = (column: ColumnKey): Field => ({ dataset: row.dataset, column })
  return {
    ...{ ...rest, key: breakdownKey(row), field: row },
    names: { key: there(row.column), name: there(field.column) },
  }
}
