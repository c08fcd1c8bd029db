import { NAME_MAX_CHARS } from '../../../shared/limits'
import { nameKey } from '../../../shared/names'

/** “Sales copy”, then “Sales copy 2” …; a copy of a copy is the next copy. `taken`: names in the form they are unique in. */
export function copyName(name: string, taken: ReadonlySet<string>): string {
  const base = name.replace(/ copy( \d+)?$/, '')
  for (let n = 1; ; n += 1) {
    const tail = n === 1 ? ' copy' : ` copy ${n}`
    const copy = `${base
      .slice(0, NAME_MAX_CHARS - tail.length)
      .toWellFormed()
      .trimEnd()}${tail}`
    if (!taken.has(nameKey(copy))) return copy
  }
}
