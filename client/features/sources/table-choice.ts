import { tablesOf } from './table-names'
import type { FoundTable } from './table-names'
import type { OpenedFile } from './upload-queue'

/** Bookkeeping files beside the first one: their years go into the same tables, one file after the other. */
export const laterLedgers = (files: readonly OpenedFile[]): string[] => [
  ...new Set(tablesOf(files).flatMap(({ later, fileName }) => (later ? [fileName] : []))),
]

/** Whether a table is chosen until the person says otherwise. */
export const isChosenByItself = ({ table }: Pick<FoundTable, 'table'>): boolean => !table.optional
