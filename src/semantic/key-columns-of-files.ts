import { nameOfKey } from '../shared/query/dimension-text'
import type { Cell, ResultColumn } from '../shared/query/result'

/** A file has both: what keys are called, as the table shows it, and beside it the key itself in a column of its own. */

const keyColumn = ({ key, names }: ResultColumn): ResultColumn => ({
  ...{ key: `${key}.key`, label: names?.key ?? '', kind: 'dimension', type: 'text', format: { style: 'plain' } },
  role: 'id',
})

export const columnsWithKeys = (columns: readonly ResultColumn[]): ResultColumn[] =>
  columns.flatMap((column) => {
    const { names, ...named } = column
    return names ? [named, keyColumn(column)] : [column]
  })

/** The heading of each column, those of keys included. */
export const headsWithKeys = (heads: readonly string[], columns: readonly ResultColumn[]): string[] =>
  heads.flatMap((head, at) => (columns[at]?.names ? [head, columns[at].names.key] : [head]))

/** A row of an answer with those columns; *Other* and empty cells have no key. */
export const rowWithKeys = (row: readonly Cell[], columns: readonly ResultColumn[]): Cell[] =>
  row.flatMap((cell, at) => {
    const names = columns[at]?.names
    if (!names) return [cell]
    const name = nameOfKey(cell, names)
    return name === null ? [cell, null] : [name, cell]
  })
