import { CELL_MAX_BYTES } from '../../shared/limits'
import { utf8Length } from '../csv-faults'
import type { TableRowWriter, TableSink } from '../contract'
import type { TableLayout } from './plan'
import { JOINED_MAX_CHARS } from './shape'
import type { InferredField } from './shape'
import { joinScalars, listKind, toJsonText } from './value'
import type { NestedObject, NestedValue } from './value'

/** What a row says of where it comes from. */
interface RowOrigin {
  /** Key of the parent's row. */
  parent?: string
  /** Name of the member that the row was. */
  name?: string
}

/** Writes the rows of one planned table, and those of the tables below it. */
export class NestedTableWriter {
  /** None for an object that only holds lists: a row without cells says nothing. */
  private readonly rows: TableRowWriter | null = null
  private readonly children = new Map<InferredField, NestedTableWriter>()
  private written = 0
  /** Texts of objects and lists that no cell can hold. */
  private tooLong = 0
  private readonly idKey: string | null

  constructor(
    private readonly plan: TableLayout,
    sink: TableSink,
  ) {
    if (plan.labels.length > 0 || plan.children.size === 0) {
      this.rows = sink.table({ name: plan.name, ...(plan.optional ? { optional: true } : {}) })
    }
    this.idKey = plan.shape.id?.key ?? null
    for (const [at, child] of plan.children) this.children.set(at, new NestedTableWriter(child, sink))
  }

  /** Writes one record. */
  write(value: NestedValue, line: number, rowOrigin: RowOrigin = {}): void {
    const { labels, ownKey, parentKey, nameColumn, shape } = this.plan
    const cells = new Array<string | null>(labels.length).fill(null)
    const number = String(++this.written)
    if (ownKey !== null) cells[ownKey] = number
    if (parentKey) cells[parentKey.column] = rowOrigin.parent ?? null
    if (nameColumn !== null) cells[nameColumn] = rowOrigin.name ?? null
    const key = this.idKey === null ? number : idText(value, this.idKey)
    if (value.kind === 'object') this.writeMembers(shape.record, value, { cells, line, key })
    else this.writeAt(shape.record, value, { cells, line, key })
    this.rows?.add(cells, line)
  }

  /** All rows were written: says what is known of the columns. */
  finish(): void {
    const { hints, warnings, optional } = this.plan
    if (this.tooLong > 0)
      warnings.push({
        code: 'nested_values',
        message: `Objects and lists of more than ${CELL_MAX_BYTES / 1024} kB of text were left empty: ${this.tooLong}.`,
      })
    this.rows?.describe({ hints, warnings, optional })
    for (const child of this.children.values()) child.finish()
  }

  /** The writer of the rows at a path of keys, for rows that come without their record. */
  at(path: readonly string[]): NestedTableWriter | null {
    let at: InferredField | undefined = this.plan.shape.record
    for (const key of path) at = at?.members.get(key)
    return (at && this.children.get(at)) ?? null
  }

  private writeAt(at: InferredField, value: NestedValue, row: PendingRow): void {
    if (value.kind === 'object') {
      if (at.collapsed) this.setNestedText(at, value, row)
      else this.writeMembers(at, value, row)
    } else if (value.kind === 'list') this.writeList(at, value.items, row)
    else setCell(at, row, value.kind === 'null' ? null : value.text)
  }

  private writeMembers(at: InferredField, { keys, values }: NestedObject, row: PendingRow): void {
    for (let i = 0; i < keys.length; i++) {
      const key = keys[i] ?? ''
      const member = at.members.get(key)
      const value = values[i]
      if (member && value) this.writeAt(member, value, row)
    }
  }

  private writeList(at: InferredField, items: NestedValue[], row: PendingRow): void {
    const kind = listKind(items)
    if (kind === 'empty') return
    const child = this.children.get(at)
    if (kind === 'lists' || (!child && kind === 'rows')) return this.setNestedText(at, { kind: 'list', items }, row)
    if (kind === 'scalars') {
      const text = joinScalars(items)
      if (!child || text.length <= JOINED_MAX_CHARS) setCell(at, row, text)
    }
    for (const item of items) child?.write(item, row.line, { parent: row.key })
  }

  private setNestedText(at: InferredField, value: NestedValue, row: PendingRow): void {
    const text = toJsonText(value)
    const fits = utf8Length(text) <= CELL_MAX_BYTES
    if (!fits) this.tooLong++
    setCell(at, row, fits ? text : null)
  }
}

/** A row while its cells are filled. */
interface PendingRow {
  cells: (string | null)[]
  line: number
  /** How rows below name this one. */
  key: string
}

function setCell(at: InferredField, row: PendingRow, text: string | null): void {
  if (at.column >= 0) row.cells[at.column] = text
}

function idText(value: NestedValue, key: string): string {
  if (value.kind !== 'object') return ''
  const found = value.values[value.keys.lastIndexOf(key)]
  return found && found.kind !== 'object' && found.kind !== 'list' ? found.text : ''
}
