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
export interface NestedList {
  kind: 'list'
  items: NestedValue[]
}

export const NULL: NestedScalar = { kind: 'null', text: '' }
export const TRUE: NestedScalar = { kind: 'boolean', text: 'true' }
export const FALSE: NestedScalar = { kind: 'boolean', text: 'false' }

/**
 * A value as JSON, on one line. One that is longer than `maxChars` is cut off somewhere behind them: its parts may be one
 * text many times over, and together more than fits in memory.
 */
export function toJsonText(value: NestedValue, maxChars: number): string {
  const text = { json: '', maxChars }
  appendJson(text, value)
  return text.json
}

function appendJson(to: { json: string; maxChars: number }, value: NestedValue): void {
  if (value.kind !== 'object' && value.kind !== 'list') {
    to.json += value.kind === 'string' ? JSON.stringify(value.text) : value.kind === 'null' ? 'null' : value.text
    return
  }
  const [open, close] = value.kind === 'object' ? '{}' : '[]'
  to.json += open
  const items = value.kind === 'object' ? value.values : value.items
  for (let i = 0; i < items.length && to.json.length <= to.maxChars; i++) {
    if (i > 0) to.json += ','
    if (value.kind === 'object') to.json += `${JSON.stringify(value.keys[i] ?? '')}:`
    appendJson(to, items[i] ?? NULL)
  }
  to.json += close
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

/** Single values of a list on one line; what is null is left out. Cut off somewhere behind `maxChars` when longer. */
export function joinScalars(items: NestedValue[], maxChars: number): string {
  let text = ''
  let some = false
  for (const item of items) {
    if (item.kind === 'object' || item.kind === 'list' || item.kind === 'null') continue
    text += some ? `, ${item.text}` : item.text
    some = true
    if (text.length > maxChars) break
  }
  return text
}
