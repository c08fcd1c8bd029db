/** A stored row with the columns of JSON parsed, and those of 0 and 1 as booleans. */
export function parseRow<Row>(
  stored: Record<string, unknown>,
  { json = [], flags = [] }: { json?: readonly (keyof Row & string)[]; flags?: readonly (keyof Row & string)[] },
): Row {
  const parsed = { ...stored }
  for (const column of json) {
    const text = stored[column]
    if (typeof text === 'string') parsed[column] = JSON.parse(text)
  }
  for (const column of flags) parsed[column] = stored[column] === 1
  const entries: unknown[][] = Object.entries(parsed)
  return Object.fromEntries(entries)
}
