import type { DataRights } from '../../scope'
import type { ColumnMask } from '../../shared/data-access/rules'
import type { Field } from '../../shared/query/field'

/** What two people may both see: rows that rules of neither leave out, and no more of a value than each of them does. */
export function sharedRights(one: DataRights, other: DataRights): DataRights {
  const both = <T>(of: (rights: DataRights) => readonly T[]): T[] => [...of(one), ...of(other)]
  const ids = (of: (rights: DataRights) => readonly string[]): string[] => [...new Set(both(of))]
  return {
    datasets: sharedDatasets(one.datasets, other.datasets),
    hiddenDatasets: ids(({ hiddenDatasets }) => hiddenDatasets),
    hiddenSources: ids(({ hiddenSources }) => hiddenSources),
    rowFilters: both(({ rowFilters }) => rowFilters),
    hidden: [...new Map(both(({ hidden }) => hidden).map((field) => [nameOf(field), field])).values()],
    masked: sharedMasks(both(({ masked }) => masked)),
    hiddenMetrics: ids(({ hiddenMetrics }) => hiddenMetrics),
    hiddenCategories: ids(({ hiddenCategories }) => hiddenCategories),
  }
}

function sharedDatasets(one: DataRights['datasets'], other: DataRights['datasets']): DataRights['datasets'] {
  if (one === 'all') return other
  return other === 'all' ? one : one.filter((id) => other.includes(id))
}

const nameOf = ({ dataset, column }: Field): string => `${dataset} ${column}`

/** Of a value that each sees another part of, nothing is left. */
function sharedMasks(masked: DataRights['masked']): DataRights['masked'] {
  const byField = Map.groupBy(masked, ({ field }) => nameOf(field))
  return [...byField.values()].flatMap(([first, ...more]) => {
    if (!first) return []
    const mask: ColumnMask = more.every((each) => each.mask === first.mask) ? first.mask : 'empty'
    return [{ ...first, mask }]
  })
}
