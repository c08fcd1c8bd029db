/** A value of a nested file. Numbers and strings keep their text, so nothing is rounded on the way. */
export type NestedValue = NestedScalar | NestedObject | NestedList

export interface NestedScalar {
  kind: 'null' | 'boolean' | 'number' | 'string'
  /** As written; strings without quotes and escapes. */
  text: string
}
/** Members in the order of the file. Keys are plain data, never names of properties; each stands once. */
export interface NestedObject {
  kind: 'object'
  keys: string[]
  values: NestedValue[]
}
interface NestedList {
  kind: 'list'
  items: NestedValue[]
}

export const NULL: NestedScalar = { kind: 'null', text: '' }
export const TRUE: NestedScalar = { kind: 'boolean', text: 'true' }
export const FALSE: NestedScalar = { kind: 'boolean', text: 'false' }

/** A value as JSON, on one line. */
export function toJsonText(value: NestedValue): string {
  switch (value.kind) {
    case 'object':
      return `{${value.keys.map((key, i) => `${JSON.stringify(key)}:${toJsonText(value.values[i] ?? NULL)}`).join(',')}}`
    case 'list':
      return `[${value.items.map(toJsonText).join(',')}]`
    case 'string':
      return JSON.stringify(value.text)
    case 'null':
      return 'null'
    case 'number':
    case 'boolean':
      return value.text
  }
}

/** What a list holds: single values, rows (objects among them), or further lists. */
export function listKind(items: NestedValue[]): 'empty' | 'scalars' | 'rows' | 'lists' {
  let kind: 'empty' | 'scalars' | 'rows' = items.length > 0 ? 'scalars' : 'empty'
  for (const item of items) {
    if (item.kind === 'list') return 'lists'
    if (item.kind === 'object') kind = 'rows'
  }
  return kind
}

/** Single values of a list on one line; what is null is left out. */
export function joinScalars(items: NestedValue[]): string {
  const texts: string[] = []
  for (const item of items) {
    if (item.kind !== 'object' && item.kind !== 'list' && item.kind !== 'null') texts.push(item.text)
  }
  return texts.join(', ')
}
