import { toDetectedTables } from './table-names'
import type { DetectedTable } from './table-names'
import type { OpenedFile } from './upload-queue'

/** Bookkeeping files beside the first one: their years go into the same tables, one file after the other. */
export const additionalLedgerFiles = (files: readonly OpenedFile[]): string[] => [
  ...new Set(toDetectedTables(files).flatMap(({ later, fileName }) => (later ? [fileName] : []))),
]

/** Whether a table is chosen until the person says otherwise. */
export const isSelectedByDefault = ({ table }: Pick<DetectedTable, 'table'>): boolean => !table.optional
