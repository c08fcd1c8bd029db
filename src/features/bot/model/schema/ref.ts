import type { ColumnKey } from '../../../../shared/data-sources/files'
import type { GlossaryEntry, VocabularyThing } from '../contract'

/** What a phrase of a question may name. */
export type Ref =
  | { kind: 'dataset'; dataset: string }
  | { kind: 'column'; dataset: string; column: ColumnKey }
  | { kind: 'metric'; id: string }
  | { kind: 'grouping'; id: string; level: number | null }
  | { kind: 'group'; grouping: string; group: string; level: number }
  | { kind: 'term'; entry: GlossaryEntry }
  | { kind: 'thing'; thing: VocabularyThing }

/** Enters words into the lexicon as a name of something. */
export type Put = (words: readonly string[], ref: Ref, score: number) => void
