/** A table that is looked up by words of people and files: it has no names of its own that objects have by birth (`constructor`). */
export function wordTable<T>(entries: Readonly<Record<string, T>>): Readonly<Record<string, T>> {
  const table = { ...entries }
  Reflect.setPrototypeOf(table, null)
  return table
}
