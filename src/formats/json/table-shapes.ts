import { DATASET_MAX_COLUMNS } from '../../shared/limits'
import { NULL, type NestedList, type NestedObject, type NestedScalar, type NestedValue } from '../nested/nested-value'

/*
 * Tables that a file's one object writes otherwise than as a list of objects: rows as lists with their names beside them,
 * columns as lists, columns as objects by row, and rows by a name of their own.
 */

/** Objects as deep as their members are columns. */
const LEVELS_MAX = 4
const ROWS_MIN = 3
/** Lists that have nothing to do with each other are seldom of one length from here on. */
const CHANCE_MAX_LENGTH = 10
const MAP_MIN_OVERLAP = 0.5
/** The column of the names that rows had in their object. */
const KEY = 'key'
/** What names of columns are called where each is described by an object. */
const NAME_KEYS = ['name', 'label', 'title', 'text', 'display_name', 'header', 'field', 'code', 'id']
const INDEX = 'index'
/** What lists are called that name columns, by the last word of their key. */
const NAMES_COLUMNS =
  /^(column|field|header)?(cols?|columns?|heads?|headers?|headings?|fields?|names?|labels?|legends?|titles?|keys?|attributes?|variables?|dimensions?|measures?|metrics?|features?|schema|properties|kolumner|rubriker|fält|namn)$/
/** A year, a month, a day or a moment. */
const DATED = /^\d{4}(-\d{2}(-\d{2}([T ]\d{2}:\d{2}.*)?)?)?$/
const WHOLE = /^\d+$/
const FIGURE = /^[-+]?\d+([.,:]\d+)*$/

const isScalar = (value: NestedValue): value is NestedScalar => value.kind !== 'object' && value.kind !== 'list'
const isObject = (value: NestedValue): value is NestedObject => value.kind === 'object'
const isScalarList = (value: NestedValue): value is NestedList => value.kind === 'list' && value.items.every(isScalar)
const memberOf = ({ keys, values }: NestedObject, key: string): NestedValue | undefined => values[keys.indexOf(key)]
const textOf = (text: string): NestedScalar => ({ kind: 'string', text })
/** A name that is not taken. */
export function freeName(name: string, taken: readonly string[]): string {
  return taken.includes(name) ? freeName(`_${name}`, taken) : name
}
const isDistinct = (texts: readonly string[]): boolean =>
  texts.every((text) => text !== '') && new Set(texts).size === texts.length

const holdsValue = ({ values }: NestedObject): boolean =>
  values.some((value) => isScalar(value) && value.kind !== 'null')

/** Several objects with much the same keys. */
export function haveSimilarKeys(values: readonly NestedValue[]): boolean {
  const all = new Set<string>()
  let sum = 0
  for (const value of values) {
    if (value.kind !== 'object' || value.keys.length === 0) return false
    sum += value.keys.length
    for (const key of value.keys) all.add(key)
  }
  return values.length >= ROWS_MIN && sum / values.length >= all.size * MAP_MIN_OVERLAP
}

/** The object with its tables as lists of objects; itself such a list where it is nothing but one table. */
export const toTables = (object: NestedObject): NestedValue => tableOf(object) ?? withTables(object, LEVELS_MAX)

function withTables(object: NestedObject, levels: number): NestedValue {
  const values = object.values.map((value) => (isObject(value) && levels > 1 ? nestedTable(value, levels - 1) : value))
  return withListsOfRows(withParallelLists({ ...object, values }))
}

const nestedTable = (object: NestedObject, levels: number): NestedValue =>
  tableOf(object) ?? rowsByKey(object) ?? withTables(object, levels)

/** The rows of an object that is one table. */
function tableOf(object: NestedObject): NestedList | null {
  return columnsByRow(object) ?? valuesByDate(object) ?? onlyParallelLists(object)
}

/** `{"id": {"0": 1, "1": 2}, "name": {"0": "a", "1": "b"}}`: a column each, its cells by row, of which one is a value at least. */
function columnsByRow({ keys, values }: NestedObject): NestedList | null {
  const [first] = values
  if (!first || !isObject(first) || first.keys.length < 2 || values.length > DATASET_MAX_COLUMNS) return null
  const rows = first.keys
  const isRowName = (name: string): boolean => WHOLE.test(name) || DATED.test(name)
  if (!rows.every(isRowName) || keys.some(isRowName)) return null
  const isAlike = (value: NestedValue): boolean =>
    isObject(value) && value.keys.length === rows.length && value.keys.every((key, at) => key === rows[at])
  if (!values.every(isAlike) || !values.filter(isObject).some(holdsValue)) return null
  const isCounted = rows.every((row, at) => row === String(at))
  const names = isCounted ? keys : [freeName(INDEX, keys), ...keys]
  const items = rows.map((row, at): NestedObject => {
    const cells = values.map((value) => (isObject(value) ? (value.values[at] ?? NULL) : NULL))
    return { kind: 'object', keys: names, values: isCounted ? cells : [textOf(row), ...cells] }
  })
  return { kind: 'list', items }
}

/** `{"2024-01-01": 5, "2024-01-02": 6}`, or a list each. */
function valuesByDate({ keys, values }: NestedObject): NestedList | null {
  if (keys.length < ROWS_MIN || !keys.every((key) => DATED.test(key))) return null
  const lists = values.filter(isScalarList)
  if (lists.length !== values.length && !values.every(isScalar)) return null
  const widest = lists.reduce((most, { items }) => Math.max(most, items.length), 1)
  if (widest >= DATASET_MAX_COLUMNS) return null
  const names = [KEY, ...(lists.length > 0 ? columnNames(widest) : ['value'])]
  return {
    kind: 'list',
    items: values.map((value, at) => {
      const cells = value.kind === 'list' ? value.items : [value]
      return rowOf(names, [textOf(keys[at] ?? ''), ...cells])
    }),
  }
}

/** `{"a": {"x": 1}, "b": {"x": 2}, "c": {"x": 3}}`: rows, each by its name, of which one holds a value at least. */
function rowsByKey({ keys, values }: NestedObject): NestedList | null {
  if (!haveSimilarKeys(values)) return null
  const rows = values.filter(isObject)
  if (!rows.some(holdsValue)) return null
  // One column for all rows, also of those that have no member of this name.
  const name = freeName(KEY, [...new Set(rows.flatMap((row) => row.keys))])
  const items = rows.map((row, at): NestedObject => {
    return { kind: 'object', keys: [name, ...row.keys], values: [textOf(keys[at] ?? ''), ...row.values] }
  })
  return { kind: 'list', items }
}

/**
 * Lists of single values that are columns of one table: the length that most lists have; 0 where there are no two, or where
 * nothing but a short length that they share says that they belong together.
 */
function parallelLength({ values }: NestedObject): number {
  const counts = new Map<number, number>()
  for (const value of values)
    if (isScalarList(value) && value.items.length >= ROWS_MIN)
      counts.set(value.items.length, (counts.get(value.items.length) ?? 0) + 1)
  const [length, count] = [...counts].reduce((most, one) => (one[1] > most[1] ? one : most), [0, 1])
  if (count <= 1 || count > DATASET_MAX_COLUMNS) return 0
  return length >= CHANCE_MAX_LENGTH || areColumns(values.filter((value) => isOfLength(value, length))) ? length : 0
}

/**
 * Whether short lists of one length are columns. Where all hold different words they may be names of things that have nothing
 * to do with each other; figures, days, an empty value and one that stands twice are those of rows.
 */
const areColumns = (lists: readonly NestedList[]): boolean =>
  lists.some(({ items }) => !items.every(isWord) || !isDistinct(items.map((item) => (isScalar(item) ? item.text : ''))))

const isWord = (value: NestedValue): boolean =>
  value.kind === 'string' && !DATED.test(value.text) && !FIGURE.test(value.text)

const isOfLength = (value: NestedValue, length: number): value is NestedList =>
  isScalarList(value) && value.items.length === length

function parallelRows({ keys, values }: NestedObject, length: number): NestedList {
  const columns = keys.flatMap((key, at) => {
    const value = values[at]
    return value && isOfLength(value, length) ? [{ key, items: value.items }] : []
  })
  const names = columns.map(({ key }) => key)
  const items = Array.from({ length }, (_, row) =>
    rowOf(
      names,
      columns.map((column) => column.items[row] ?? NULL),
    ),
  )
  return { kind: 'list', items }
}

function onlyParallelLists(object: NestedObject): NestedList | null {
  const length = parallelLength(object)
  return length > 0 && object.values.every((value) => isOfLength(value, length)) ? parallelRows(object, length) : null
}

/** `{"unit": "C", "time": [1, 2, 3], "temperature": [4, 5, 6]}`: the lists are columns of `rows`. */
function withParallelLists(object: NestedObject): NestedObject {
  const length = object.values.some((value) => isRowList(value)) ? 0 : parallelLength(object)
  if (length === 0) return object
  const rest = membersBut(object, (_, value) => isOfLength(value, length))
  return {
    kind: 'object',
    keys: [...rest.keys, freeName('rows', rest.keys)],
    values: [...rest.values, parallelRows(object, length)],
  }
}

const isRowList = (value: NestedValue): value is NestedList =>
  value.kind === 'list' &&
  value.items.length > 0 &&
  value.items.every((item) => isScalarList(item) && item.items.length <= DATASET_MAX_COLUMNS)

const widthOf = ({ items }: NestedList): number =>
  items.reduce((most, item) => (item.kind === 'list' ? Math.max(most, item.items.length) : most), 0)

/** `{"columns": ["id", "name"], "data": [[1, "a"], [2, "b"]]}`: the names need not stand in a list of this name. */
function withListsOfRows(object: NestedObject): NestedObject {
  const rows = object.values.find(isRowList)
  const width = rows ? widthOf(rows) : 0
  const found = findColumnNames(object, width)
  const names = found?.names ?? null
  if (!rows || width === 0 || (!names && rows.items.length < 2)) return object
  const index = memberOf(object, INDEX)
  const isIndex = index !== undefined && isOfLength(index, rows.items.length)
  const table = rowsOfLists(rows, { names, index: isIndex ? index : null })
  const used = (key: string, value: NestedValue): boolean =>
    (isIndex && value === index && key === INDEX) || (value === found?.list && isScalarList(value))
  const rest = membersBut(object, used)
  return { ...rest, values: rest.values.map((value) => (value === rows ? table : value)) }
}

/** A list beside rows that names as many columns as they have: it says so itself, or describes each with its type. */
export function findColumnNames(
  { keys, values }: NestedObject,
  width: number,
): { list: NestedValue; names: string[] } | undefined {
  for (const [at, list] of values.entries()) {
    const names =
      NAMES_COLUMNS.test(lastWordOf(keys[at] ?? '')) || describesTypes(list) ? columnNamesIn(list, width) : null
    if (names) return { list, names }
  }
  return undefined
}

const lastWordOf = (key: string): string =>
  key
    .replaceAll(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ')
    .toLowerCase()
    .split(/[^\p{L}]+/u)
    .findLast((word) => word !== '') ?? ''
const describesTypes = (value: NestedValue): boolean =>
  value.kind === 'list' && value.items.every((item) => isObject(item) && item.keys.some((key) => /type/i.test(key)))

/** Names of so many columns, each a text or described by an object. */
function columnNamesIn(value: NestedValue | undefined, width: number): string[] | null {
  if (value?.kind !== 'list' || width === 0 || value.items.length !== width) return null
  const { items } = value
  const named = (texts: (string | null)[]): string[] | null => {
    const all = texts.filter((text) => text !== null)
    return all.length === width && isDistinct(all) ? all : null
  }
  if (items.every(isScalar)) return named(items.map(({ kind, text }) => (kind === 'string' ? text : null)))
  for (const key of NAME_KEYS) {
    const members = items.map((item) => (isObject(item) ? memberOf(item, key) : undefined))
    const names = named(members.map((member) => (member?.kind === 'string' ? member.text : null)))
    if (names) return names
  }
  return null
}

function rowsOfLists(
  list: NestedList,
  { names, index }: { names: string[] | null; index: NestedList | null },
): NestedList {
  const rows = list.items.map((item) => (item.kind === 'list' ? item.items : []))
  const [first = [], second = []] = rows
  const head = first.flatMap((cell) => (cell.kind === 'string' ? [cell.text] : []))
  const hasHead =
    !names && head.length === first.length && isDistinct(head) && second.some(({ kind }) => kind !== 'string')
  const columns = names ?? columnNames(widthOf(list), hasHead ? head : [])
  // Numbers from 0 on say nothing of their rows.
  const isCounted = !index || index.items.every((item, at) => isScalar(item) && item.text === String(at))
  const cells = hasHead ? rows.slice(1) : rows
  return {
    kind: 'list',
    items: cells.map((row, at) =>
      isCounted
        ? rowOf(columns, row)
        : rowOf([freeName(INDEX, columns), ...columns], [index.items[at] ?? NULL, ...row]),
    ),
  }
}

/** Names of so many columns, of which the first may have their own. */
export const columnNames = (count: number, own: readonly string[] = []): string[] =>
  Array.from({ length: count }, (_, at) => own[at] ?? freeName(`Column ${at + 1}`, own))
export const rowOf = (keys: string[], values: NestedValue[]): NestedObject => ({
  kind: 'object',
  keys: values.length < keys.length ? keys.slice(0, values.length) : keys,
  values,
})

function membersBut(
  { keys, values }: NestedObject,
  isLeftOut: (key: string, value: NestedValue) => boolean,
): NestedObject {
  const kept = keys.map((key, at) => [key, values[at] ?? NULL] as const).filter((member) => !isLeftOut(...member))
  return { kind: 'object', keys: kept.map(([key]) => key), values: kept.map(([, value]) => value) }
}
