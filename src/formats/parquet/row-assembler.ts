import { NULL, type NestedObject, type NestedScalar, type NestedValue } from '../nested/nested-value'
import type { ColumnCursor } from './column-cursor'
import { parquetDamagedError, parquetUnsafeError } from './parquet-errors'
import { variantValue } from './variant'
import { groupKind, listItemNode, leavesOf, type SchemaNode } from './parquet-metadata'

/** Values in the lists of one row: a few bytes can stand for millions. */
const ROW_MAX_ITEMS = 1_000_000

/** Builds one row out of the columns' entries, by their levels. */
export class RowAssembler {
  private itemsLeft = ROW_MAX_ITEMS
  private readonly leaves = new Map<SchemaNode, ColumnCursor[]>()

  constructor(
    private readonly root: SchemaNode,
    private readonly cursors: readonly ColumnCursor[],
    private readonly kinds: readonly NestedScalar['kind'][],
  ) {}

  /** The next row; one has to be ready in every column. */
  nextRow(): NestedValue {
    this.itemsLeft = ROW_MAX_ITEMS
    const keys = this.root.children.map(({ name }) => name)
    return { kind: 'object', keys, values: this.root.children.map((child) => this.value(child)) }
  }

  private value(node: SchemaNode): NestedValue {
    if (node.repeated) return this.list(node, node)
    if (node.optional && this.firstCursor(node).def < node.maxDef) {
      this.skip(node)
      return NULL
    }
    return this.content(node)
  }

  private content(node: SchemaNode): NestedValue {
    if (node.leaf >= 0) {
      const text = this.firstCursor(node).take()
      return text === null ? NULL : { kind: this.kinds[node.leaf] ?? 'string', text }
    }
    const [only] = node.children
    const kind = groupKind(node)
    if (only && kind !== 'struct') return this.list(only, kind === 'list' ? listItemNode(only) : only)
    const keys = node.children.map(({ name }) => name)
    const group: NestedObject = { kind: 'object', keys, values: node.children.map((child) => this.value(child)) }
    return node.variant === 'value' ? variantValue(group) : group
  }

  private list(repeated: SchemaNode, item: SchemaNode): NestedValue {
    const first = this.firstCursor(repeated)
    const items: NestedValue[] = []
    if (first.def < repeated.maxDef) {
      this.skip(repeated)
      return { kind: 'list', items }
    }
    do {
      if (this.itemsLeft-- <= 0) throw parquetUnsafeError('A row of the Parquet file holds too many values.')
      items.push(item === repeated ? this.content(item) : this.value(item))
    } while (first.rep === repeated.maxRep)
    return { kind: 'list', items }
  }

  /** Steps over a group that is not there: each of its columns has one entry for it. */
  private skip(node: SchemaNode): void {
    for (const cursor of this.leafCursors(node)) cursor.take()
  }

  private firstCursor(node: SchemaNode): ColumnCursor {
    const [cursor] = this.leafCursors(node)
    if (!cursor) throw parquetDamagedError('its schema is not complete')
    return cursor
  }

  private leafCursors(node: SchemaNode): ColumnCursor[] {
    const known = this.leaves.get(node)
    if (known) return known
    const found = leavesOf(node).flatMap(({ leaf }) => this.cursors[leaf] ?? [])
    this.leaves.set(node, found)
    return found
  }
}
