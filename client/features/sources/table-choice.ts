import type { FoundTable } from './table-names'
import type { OpenedFile } from './upload-queue'

/** Whether a table is chosen until the person says otherwise: not what is optional, and of several ledgers only the first. */
export function isChosenIn(files: readonly OpenedFile[]): (found: FoundTable) => boolean {
  const firstLedger = files.find(({ opened }) => opened.tables.some(({ ledger }) => ledger !== undefined))
  const own = new Set(firstLedger?.opened.tables.map(({ uploadId }) => uploadId))
  return ({ table }) => !table.optional && (table.ledger === undefined || own.has(table.uploadId))
}

/** Bookkeeping files beside the first: their years are added to the same tables once those are loaded. */
export const laterLedgers = (files: readonly OpenedFile[]): string[] =>
  files
    .filter(({ opened }) => opened.tables.some(({ ledger }) => ledger !== undefined))
    .slice(1)
    .map(({ file }) => file.name)
