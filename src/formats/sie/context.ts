import type { BalanceChecks, WarningCollector } from './validation'
import type { SieField } from './tokenizer'
import type { FiscalYearResolver } from './fiscal-years'
import type { LedgerMetadata } from './metadata'
import type { LedgerTableWriter } from './ledger-tables'
import { parseSieAmount, type SieAmount } from './values'

/** What the readers of records share. */
export interface SieContext {
  survey: LedgerMetadata
  tables: LedgerTableWriter
  years: FiscalYearResolver
  checks: BalanceChecks
  warnings: WarningCollector
}

export const fieldText = (fields: SieField[], at: number): string => {
  const field = fields[at]
  return typeof field === 'string' ? field.trim() : ''
}
export const emptyToNull = (text: string): string | null => (text === '' ? null : text)

/** A list of objects in braces, and the fields after it; some programs leave the empty list out. */
export function splitObjects(fields: SieField[], at: number): { objects: string[]; rest: SieField[] } {
  const list = fields[at]
  if (list === undefined || typeof list === 'string') return { objects: [], rest: fields.slice(at) }
  return { objects: list, rest: fields.slice(at + 1) }
}

/** Pairs of dimension and object. */
export function objectPairs(objects: string[]): { dimension: string; object: string }[] {
  const pairs: { dimension: string; object: string }[] = []
  for (let i = 0; i + 1 < objects.length; i += 2) {
    const [dimension = '', object = ''] = [objects[i], objects[i + 1]]
    if (dimension !== '') pairs.push({ dimension, object })
  }
  return pairs
}

/** Objects of a balance in one text: `1:10 6:P1`; null for the account as a whole. */
export function formatObjects(objects: string[]): string | null {
  const pairs = objectPairs(objects)
  return pairs.length === 0 ? null : pairs.map(({ dimension, object }) => `${dimension}:${object}`).join(' ')
}

/** An amount; one that cannot be read is told, and its row stays without it. */
export function parseAmountOrWarn(sieContext: SieContext, field: string, line: number): SieAmount | null {
  const amount = parseSieAmount(field)
  if (amount === null)
    sieContext.warnings.add(
      'skipped_entry',
      `Line ${line}: “${field.slice(0, 40)}” isn’t an amount. The row is kept without one.`,
      line,
    )
  return amount
}

/** A quantity; most rows have none. */
export const parseQuantity = (field: string): SieAmount | null => (field === '' ? null : parseSieAmount(field))
