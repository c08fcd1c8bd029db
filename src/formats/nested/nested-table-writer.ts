import type { ColumnHint, FileWarning } from '../../shared/data-sources/files'
import {
  DATASET_MAX_COLUMNS,
  HEADER_MAX_CHARS,
  NAME_MAX_CHARS,
  SOURCE_MAX_DATASETS,
  CELL_MAX_BYTES,
} from '../../shared/limits'
import { tooManyKeysError, JOINED_MAX_CHARS, type InferredField, type InferredTable } from './infer-tables'
import { utf8Length } from '../csv/csv-errors'
import type { TableRowWriter, TableSink } from '../contract'
import { joinScalars, listKind, toJsonText, type NestedObject, type NestedValue } from './nested-value'

/** Key columns of one table at most: its own, and its parent's. */
const KEY_COLUMNS = 3
const BARE_ID = /^_?(id|uuid|guid)$/i
const NAMED_LABELS = 5

/** How the rows of a table name their parent: by its number among the parents, or by the parent's own id. */
interface ParentKey {
  column: number
  by: 'row' | 'id'
}

/** One table as it will be written. Positions are of the cells in a row. */
export interface TableLayout {
  name: string
  shape: InferredTable
  labels: string[]
  hints: ColumnHint[]
  /** Where the row's own number goes; null when nothing refers to it. */
  ownKey: number | null
  parentKey: ParentKey | null
  /** Where the member's name goes, for members read as rows. */
  nameColumn: number | null
  optional: boolean
  children: Map<InferredField, TableLayout>
  warnings: FileWarning[]
}

/**
 * Turns what was seen into tables: paths become columns, lists become tables of their own. Too many tables or columns
 * stay text in the cell of their parent.
 * @throws ProductError `too_large` when the records alone have more keys than a dataset has columns.
 */
export function layoutTables(root: InferredTable, name: string, lookup: TypeHintLookup = () => undefined): TableLayout {
  collapseWidest(root)
  limitTableCount(root)
  const plan = layoutTable(root, { name, parent: null, root: name, hintOf: lookup })
  if (root.isSingleRow && [...plan.children.values()].some(({ shape }) => shape.rowCount > 1)) plan.optional = true
  return plan
}

function* fieldTree(at: InferredField): Generator<InferredField> {
  yield at
  for (const member of at.members.values()) yield* fieldTree(member)
}
const cellFields = (at: InferredField): InferredField[] => [...fieldTree(at)].filter(({ hasCell }) => hasCell)

/** Makes the widest objects text until the columns are few enough. */
function collapseWidest(table: InferredTable): void {
  const { record } = table
  const max = DATASET_MAX_COLUMNS - KEY_COLUMNS
  while (cellFields(record).length > max) {
    let widest: InferredField | null = null
    let width = 1
    for (const at of fieldTree(record)) {
      const cells = at.depth > 0 && at.members.size > 0 ? cellFields(at).length : 0
      if (cells > width || (cells === width && widest && at.depth > widest.depth)) [widest, width] = [at, cells]
    }
    if (!widest) throw tooManyKeysError(table.rowCount)
    widest.collapse()
  }
  for (const { childTable } of fieldTree(record)) if (childTable) collapseWidest(childTable)
}

/** The first tables in the order of the file; lists beyond them stay text. */
function limitTableCount(root: InferredTable): void {
  let waiting = [root]
  let left = SOURCE_MAX_DATASETS - 1
  while (waiting.length > 0) {
    const next: InferredTable[] = []
    for (const at of waiting.flatMap(({ record }) => [...fieldTree(record)])) {
      if (!at.childTable) continue
      if (left-- > 0) next.push(at.childTable)
      else {
        at.childTable = null
        if (!at.joined) at.isText = true
      }
    }
    waiting = next
  }
}

/** What is known of a path of keys beforehand. */
type TypeHintLookup = (path: readonly string[]) => Pick<ColumnHint, 'type' | 'scale' | 'zoned'> | undefined

interface LayoutContext {
  hintOf: TypeHintLookup
  name: string
  root: string
  parent: { plan: TableLayout; at: InferredField } | null
}

function layoutTable(shape: InferredTable, context: LayoutContext): TableLayout {
  const { name, parent } = context
  const plan: TableLayout = {
    name,
    shape,
    labels: [],
    hints: [],
    ownKey: null,
    parentKey: null,
    nameColumn: null,
    optional: parent !== null && isScalarListTable(parent),
    children: new Map(),
    warnings: [],
  }
  addKeyColumns(plan, context)
  const texts = addValueColumns(plan, context.hintOf)
  if (texts.length > 0) plan.warnings.push(nestedWarning(texts))
  for (const at of fieldTree(shape.record)) {
    if (!at.childTable) continue
    const childName = tableNameOf([context.root, ...(at.childTable.path.length > 0 ? at.childTable.path : ['records'])])
    plan.children.set(at, layoutTable(at.childTable, { ...context, name: childName, parent: { plan, at } }))
  }
  return plan
}

/** A list of single values that its parent shows whole. */
function isScalarListTable({ plan, at }: NonNullable<LayoutContext['parent']>): boolean {
  return at.joined && !at.tooLong && at.childTable?.record.members.size === 0 && !plan.shape.isSingleRow
}

const tableNameOf = (path: string[]): string => path.join('.').slice(0, NAME_MAX_CHARS)

function addKeyColumns(plan: TableLayout, { parent, root }: LayoutContext): void {
  const { shape } = plan
  if (parent && !parent.plan.shape.isSingleRow) {
    const { id } = parent.plan.shape
    const label = id ? foreignKeyLabel(parent.plan.shape, { root, id: id.key }) : rowIdLabel(parent.plan.shape, root)
    const column = addColumn(plan, label, id ? id.scalars.typeHint() : { type: 'integer', role: 'id' })
    plan.parentKey = { column, by: id ? 'id' : 'row' }
  }
  const referred = !shape.isSingleRow && [...fieldTree(shape.record)].some(({ childTable }) => childTable !== null)
  if (referred && !shape.id) plan.ownKey = addColumn(plan, rowIdLabel(shape, root), { type: 'integer', role: 'id' })
  if (shape.isKeyed) plan.nameColumn = addColumn(plan, 'key', {})
}

/** What one row of a table is called: `order` for the table `orders`, or for a file `orders-2026-01`. */
function singularName({ path }: InferredTable, root: string): string {
  const words = (path.at(-1) ?? root).split(/[^\p{L}\p{N}]+/u).filter((word) => /\p{L}/u.test(word))
  return words.length > 0 ? words.join('_').replace(/(?<=\p{L}{2})s$/iu, '') : 'parent'
}

/** The same in a table and in those below it, so that the relation is found: `item_row_id`. */
const rowIdLabel = (shape: InferredTable, root: string): string => `${singularName(shape, root)}_row_id`

/** The parent's id as a child calls it: `order_id` for `id` of `orders`. */
function foreignKeyLabel(shape: InferredTable, { root, id }: { root: string; id: string }): string {
  return BARE_ID.test(id) ? `${singularName(shape, root)}_${id.replace(/^_/, '')}` : id
}

/** @returns labels of the columns that hold text made of objects or lists. */
function addValueColumns(plan: TableLayout, lookup: TypeHintLookup): string[] {
  const texts: string[] = []
  const { record, rowCount, path } = plan.shape
  for (const at of cellFields(record)) {
    if (rowCount === 0) continue
    const label = at.depth === 0 ? 'value' : at.keys.map((key) => key.trim() || '(empty)').join('.')
    const hint =
      at.isText || at.joined ? { type: 'text' as const } : (lookup([...path, ...at.keys]) ?? at.scalars.typeHint())
    at.column = addColumn(plan, label, hint)
    if (at.isText) texts.push(plan.labels[at.column] ?? '')
  }
  return texts
}

function addColumn(
  plan: TableLayout,
  label: string,
  hint: Pick<ColumnHint, 'type' | 'scale' | 'zoned' | 'role'>,
): number {
  const short = label.slice(0, HEADER_MAX_CHARS - 8)
  let unique = short
  for (let n = 2; plan.labels.includes(unique); n++) unique = `${short} (${n})`
  const index = plan.labels.push(unique) - 1
  plan.hints.push({ index, label: unique, ...hint })
  return index
}

function nestedWarning(labels: string[]): FileWarning {
  const more = labels.length - NAMED_LABELS
  const named = labels.slice(0, NAMED_LABELS).join(', ') + (more > 0 ? ` and ${more} more` : '')
  return {
    code: 'nested_values',
    message: `Nested objects and lists are kept as text: ${named}.`,
  }
}

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
        message: `Objects and lists of more than ${CELL_MAX_BYTES / 1024} kB were left empty: ${this.tooLong}.`,
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
      const text = joinScalars(items, child ? JOINED_MAX_CHARS : CELL_MAX_BYTES)
      if (!child || text.length <= JOINED_MAX_CHARS) setCell(at, row, text)
    }
    for (const item of items) child?.write(item, row.line, { parent: row.key })
  }

  private setNestedText(at: InferredField, value: NestedValue, row: PendingRow): void {
    const text = toJsonText(value, CELL_MAX_BYTES)
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
