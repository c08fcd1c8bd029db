import { deedRoot, isSameDeed } from '../language/deed-roots'
import { stemOf } from '../language/words'
import type { Ref } from './ref'
import type { SchemaDataset } from './schema'

/** A column that a phrase calls, with how surely. */
interface NamedColumn {
  ref: Ref
  score: number
}
/** "Publication year" of `published_year`, "hiring date" of `hired_on`: called by the noun of what was done. */
export function namedByDeed(datasets: readonly SchemaDataset[], words: readonly string[]): NamedColumn[] {
  const [deed, kind, more] = words
  if (deed === undefined || kind === undefined || more !== undefined || !/(?:ing|ion|ment|al|ery|ure)$/.test(deed))
    return []
  return datasets.flatMap(({ columns }) =>
    columns.flatMap((column): NamedColumn[] => {
      const [first, ...rest] = column.words
      const last = rest.at(-1) ?? ''
      const isKind =
        stemOf(last) === stemOf(kind) ||
        (column.isDate && /^(?:date|day|on|at)$/.test(last) && /^(?:date|day)$/.test(kind))
      const isCalled = first !== undefined && rest.length <= 1 && isKind && isDeed(deed, first)
      return isCalled ? [{ ref: { kind: 'column', dataset: column.dataset, column: column.key }, score: 0.96 }] : []
    }),
  )
}
const isDeed = (noun: string, done: string): boolean => isSameDeed(noun, done) || deedRoot(noun) === deedRoot(done)
