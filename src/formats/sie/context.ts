import type { BalanceChecks } from './checks'
import type { Field } from './fields'
import type { FiscalYears } from './fiscal-years'
import type { Survey } from './survey'
import type { LedgerTables } from './tables'
import { readAmount } from './values'
import type { Amount } from './values'
import type { Warnings } from './warnings'

/** What the readers of records share. */
export interface Ledger {
  survey: Survey
  tables: LedgerTables
  years: FiscalYears
  checks: BalanceChecks
  warnings: Warnings
}

export const textAt = (fields: Field[], at: number): string => {
  const field = fields[at]
  return typeof field === 'string' ? field.trim() : ''
}
export const orNull = (text: string): string | null => (text === '' ? null : text)

/** A list of objects in braces, and the fields after it; some programs leave the empty list out. */
export function splitObjects(fields: Field[], at: number): { objects: string[]; rest: Field[] } {
  const list = fields[at]
  if (list === undefined || typeof list === 'string') return { objects: [], rest: fields.slice(at) }
  return { objects: list, rest: fields.slice(at + 1) }
}

/** Pairs of dimension and object. */
export function pairsOf(objects: string[]): { dimension: string; object: string }[] {
  const pairs: { dimension: string; object: string }[] = []
  for (let i = 0; i + 1 < objects.length; i += 2) {
    const [dimension = '', object = ''] = [objects[i], objects[i + 1]]
    if (dimension !== '') pairs.push({ dimension, object })
  }
  return pairs
}

/** Objects of a balance in one text: `1:10 6:P1`; null for the account as a whole. */
export function objectText(objects: string[]): string | null {
  const pairs = pairsOf(objects)
  return pairs.length === 0 ? null : pairs.map(({ dimension, object }) => `${dimension}:${object}`).join(' ')
}

/** An amount; one that cannot be read is told, and its row stays without it. */
export function amountOf(ledger: Ledger, field: string, line: number): Amount | null {
  const amount = readAmount(field)
  if (amount === null)
    ledger.warnings.add(
      'skipped_entry',
      `Line ${line}: “${field.slice(0, 40)}” is no amount. The row is kept without one.`,
      line,
    )
  return amount
}

/** A quantity; most rows have none. */
export const quantityOf = (field: string): Amount | null => (field === '' ? null : readAmount(field))
