/** What of an object is not undefined: an absent key leaves what it is spread over as it was. */
export function definedOnly<T extends object>(values: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const entries: unknown[][] = Object.entries(values).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries)
}
