import type { Scope } from '../../access/scope'
import type { Deps } from '../../deps'
import type { Finding } from '../../shared/finding-feed'
import type { Calendar } from '../../warehouse/contract'

/** Whose digest is written: they are told what they may see. */
export interface ReadContext {
  deps: Deps
  scope: Scope
  calendar: Calendar
}

/** Values of a grouping's column that belong to none of its groups. */
export interface UngroupedValues {
  groupingId: string
  name: string
  values: number
  rows: number
}

/** What a digest tells beside what its reader follows. */
export interface DigestSources {
  /** First found since then (epoch milliseconds) and not hidden by the reader, the most telling first. */
  findings(at: ReadContext, ask: { since: number; most: number }): Promise<Finding[]>
  ungroupedValues(at: ReadContext): Promise<UngroupedValues[]>
}
