import { isKeyColumn, isNameColumn, nameStem } from '../../../src/shared/data-sources/key-columns'
import type { Column } from '../../../src/shared/data-sources/data-sources'
import {
  fieldOptions,
  parseFieldKey,
  findColumn,
  type BuilderDataset,
  type FieldKey,
  type FieldOption,
} from './catalogue'

/** Keys by which equal names are kept apart: which columns can be one, and which one is taken unless a person says otherwise. */

const isInTable = (key: FieldKey, other: FieldKey): boolean => {
  const [one, two] = [parseFieldKey(key), parseFieldKey(other)]
  return one.dataset === two.dataset && one.via.join() === two.via.join()
}

/** Whether every row of the table has a value of its own in the column: a relation or the table itself says so. */
function isUniqueKey(dataset: BuilderDataset, { key, column }: FieldOption): boolean {
  const { dataset: linkedId, via } = parseFieldKey(key)
  if (linkedId === null) {
    const pointed = (dataset.linked ?? []).some(({ use, pointsAt }) => use === 'exists' && pointsAt === column.key)
    const [only, second] = dataset.keyColumns ?? []
    return pointed || (second === undefined && only === column.key)
  }
  const linked = (dataset.linked ?? []).filter(({ use, id }) => use === 'splits' && id === linkedId)
  return linked.some((one) => one.via.join() === via.join() && one.pointsAt === column.key)
}

const isPossibleKey = ({ type }: Column): boolean => type === 'text' || type === 'integer'

/** Columns beside a text that may be its key, those that are unique first. */
export function keyOptions(dataset: BuilderDataset, name: FieldKey | null): FieldOption[] {
  const text = findColumn(dataset, name)
  if (name === null || text?.type !== 'text') return []
  const beside = fieldOptions(dataset, 'splits', isPossibleKey).filter(
    (option) => option.key !== name && isInTable(option.key, name),
  )
  const unique = beside.filter((option) => isUniqueKey(dataset, option))
  const others = beside.filter((option) => !unique.includes(option) && isKeyColumn(option.column))
  return [...unique, ...others]
}

/** Whether the rows of a table are what its names are of: Name or Customer name in Customers, not Salesperson name. */
function isOfRows(dataset: BuilderDataset, name: FieldKey, stem: string): boolean {
  const { dataset: id } = parseFieldKey(name)
  const table = id === null ? dataset : dataset.linked?.find((linked) => linked.id === id)
  return table?.name.toLowerCase().startsWith(stem) === true
}

/**
 * The key of a column of names: that of the same thing, as Customer no is of Customer name, or what tells the rows of its
 * table apart where these are what is named. Null for other texts: countries and segments are groups, not names.
 */
export function defaultKey(dataset: BuilderDataset, name: FieldKey | null): FieldKey | null {
  const text = findColumn(dataset, name)
  if (name === null || !text || !isNameColumn(text)) return null
  const options = keyOptions(dataset, name)
  const stem = nameStem(text.label)
  const found =
    options.find(({ column }) => stem !== '' && nameStem(column.label) === stem) ??
    options.find((option) => isOfRows(dataset, name, stem) && isUniqueKey(dataset, option))
  return found?.key ?? null
}
