import type { Scope } from '../../access/scope'
import type { Deps } from '../../deps'
import { isAccountName } from '../../shared/account-classes'
import { ProductError } from '../../shared/errors'
import type { Grouping } from '../../shared/groupings'
import type { Field } from '../../shared/query'
import type { Column } from '../../shared/sources'
import type { CatalogueDataset } from '../../warehouse/contract'

/** Where the values of a grouping are looked at. */
export interface Place {
  dataset: CatalogueDataset
  column: Column
  /** What is added up beside them. */
  amount: Column | null
}
export interface Asked {
  dataset?: string | undefined
  column?: string | undefined
  amount?: string | undefined
}

const isAccount = ({ label, type, hidden }: Column): boolean =>
  !hidden && (type === 'text' || type === 'integer') && isAccountName(label)
const isNumber = ({ type, hidden }: Column): boolean => !hidden && (type === 'integer' || type === 'number')

export const fieldOf = ({ dataset, column }: Pick<Place, 'dataset' | 'column'>): Field => ({
  dataset: dataset.id,
  column: column.key,
})

/** Money first, then any other measure. */
function amountOf({ columns }: CatalogueDataset, column: Column): Column | null {
  const others = columns.filter((each) => isNumber(each) && each.role === 'measure' && each.key !== column.key)
  return others.find(({ format }) => format.style === 'currency') ?? others[0] ?? null
}

/** What was posted to accounts adds up; what they stood at, year by year, does not. */
const isPostings = ({ columns }: CatalogueDataset): boolean => columns.some(({ label }) => label === 'voucher_key')

/**
 * The column that is asked for, else the target's; of accounts those of postings, else of the dataset with most rows and
 * amounts. Null: there is none.
 */
export async function findPlace(
  { deps, scope }: { deps: Pick<Deps, 'warehouse'>; scope: Scope },
  { target }: Pick<Grouping, 'target'>,
  asked: Asked = {},
): Promise<Place | null> {
  const datasets = (await deps.warehouse(scope).datasets()).filter(({ dataVersion }) => dataVersion > 0)
  const named = asked.dataset === undefined ? (target.kind === 'column' ? target : null) : asked
  const among = named?.dataset === undefined ? datasets : datasets.filter(({ id }) => id === named.dataset)
  const places = among.flatMap((dataset): Place[] => {
    const column = dataset.columns.find((each) =>
      named?.column === undefined ? isAccount(each) : each.key === named.column && !each.hidden,
    )
    return column && column.type !== 'datetime' ? [{ dataset, column, amount: amountOf(dataset, column) }] : []
  })
  const weight = ({ dataset, amount }: Place): number =>
    (amount ? (isPostings(dataset) ? 2e12 : 1e12) : 0) + dataset.rowCount
  const [place] = places.toSorted((a, b) => weight(b) - weight(a))
  if (!place || asked.amount === undefined) return place ?? null
  const amount = place.dataset.columns.find((each) => each.key === asked.amount && isNumber(each))
  if (!amount) throw new ProductError('unknown_field', { field: `${place.dataset.id}.${asked.amount}` })
  return { ...place, amount }
}

/** @throws ProductError `not_found` when the data it is about is gone */
export async function placeOf(
  at: { deps: Pick<Deps, 'warehouse'>; scope: Scope },
  grouping: Pick<Grouping, 'target'>,
  asked: Asked = {},
): Promise<Place> {
  const place = await findPlace(at, grouping, asked)
  if (!place) throw new ProductError('not_found', {}, 'The data of this grouping is gone, or has no rows yet.')
  return place
}
