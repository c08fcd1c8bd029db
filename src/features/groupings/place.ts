import type { Scope } from '../../access/scope'
import type { Deps } from '../../deps'
import { isAccountName } from '../../shared/account-classes'
import { ProductError } from '../../shared/errors'
import type { Grouping } from '../../shared/groupings'
import type { Field } from '../../shared/query'
import type { Column } from '../../shared/sources'
import type { CatalogueDataset } from '../../warehouse/contract'

/** Where the values of a grouping are looked at. */
export interface GroupedColumn {
  dataset: CatalogueDataset
  column: Column
  /** What is added up beside them. */
  amount: Column | null
}
export interface ColumnChoice {
  dataset?: string | undefined
  column?: string | undefined
  amount?: string | undefined
}

const isAccountColumn = ({ label, type, hidden }: Column): boolean =>
  !hidden && (type === 'text' || type === 'integer') && isAccountName(label)
const isNumericColumn = ({ type, hidden }: Column): boolean => !hidden && (type === 'integer' || type === 'number')

export const columnField = ({ dataset, column }: Pick<GroupedColumn, 'dataset' | 'column'>): Field => ({
  dataset: dataset.id,
  column: column.key,
})

/** Money first, then any other measure. */
function defaultAmount({ columns }: CatalogueDataset, column: Column): Column | null {
  const others = columns.filter((each) => isNumericColumn(each) && each.role === 'measure' && each.key !== column.key)
  return others.find(({ format }) => format.style === 'currency') ?? others[0] ?? null
}

/** What was posted to accounts adds up; what they stood at, year by year, does not. */
const hasPostings = ({ columns }: CatalogueDataset): boolean => columns.some(({ label }) => label === 'voucher_key')

/**
 * The column that is asked for, else the target's; of accounts those of postings, else of the dataset with most rows and
 * amounts. Null: there is none.
 */
export async function findGroupedColumn(
  { deps, scope }: { deps: Pick<Deps, 'warehouse'>; scope: Scope },
  { target }: Pick<Grouping, 'target'>,
  columnChoice: ColumnChoice = {},
): Promise<GroupedColumn | null> {
  const datasets = (await deps.warehouse(scope).datasets()).filter(({ dataVersion }) => dataVersion > 0)
  const named = columnChoice.dataset === undefined ? (target.kind === 'column' ? target : null) : columnChoice
  const among = named?.dataset === undefined ? datasets : datasets.filter(({ id }) => id === named.dataset)
  const places = among.flatMap((dataset): GroupedColumn[] => {
    const column = dataset.columns.find((each) =>
      named?.column === undefined ? isAccountColumn(each) : each.key === named.column && !each.hidden,
    )
    return column && column.type !== 'datetime' ? [{ dataset, column, amount: defaultAmount(dataset, column) }] : []
  })
  const weight = ({ dataset, amount }: GroupedColumn): number =>
    (amount ? (hasPostings(dataset) ? 2e12 : 1e12) : 0) + dataset.rowCount
  const [place] = places.toSorted((a, b) => weight(b) - weight(a))
  if (!place || columnChoice.amount === undefined) return place ?? null
  const amount = place.dataset.columns.find((each) => each.key === columnChoice.amount && isNumericColumn(each))
  if (!amount) throw new ProductError('unknown_field', { field: `${place.dataset.id}.${columnChoice.amount}` })
  return { ...place, amount }
}

/** @throws ProductError `not_found` when the data it is about is gone */
export async function requireGroupedColumn(
  at: { deps: Pick<Deps, 'warehouse'>; scope: Scope },
  grouping: Pick<Grouping, 'target'>,
  columnChoice: ColumnChoice = {},
): Promise<GroupedColumn> {
  const place = await findGroupedColumn(at, grouping, columnChoice)
  if (!place) throw new ProductError('not_found', {}, 'The data of this grouping is gone, or has no rows yet.')
  return place
}
