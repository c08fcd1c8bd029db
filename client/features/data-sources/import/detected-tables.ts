import { nameFromFile } from './import-settings'
import type { OpenedFile } from '../upload/upload-queue'
import { NAME_MAX_CHARS } from '../../../../src/shared/limits'
import { nameKey } from '../../../../src/shared/field-schemas'
import { LEDGER_TABLE_LABELS, type FileWarning, type UploadTable } from '../../../../src/shared/data-sources/files'

/** One table of the files in hand, and the file it came from. */
export interface DetectedTable {
  table: UploadTable
  /** The file it stood in; of a zip, the one inside. */
  fileName: string
  /** What there is to say of the file as a whole. */
  fileWarnings: FileWarning[]
  /** Books beside those of the first file: their years go into the tables of the first. */
  later: boolean
}

const LEDGER_ORDER = Object.keys(LEDGER_TABLE_LABELS)
const ledgerRank = ({ ledger }: UploadTable): number => (ledger === undefined ? 0 : LEDGER_ORDER.indexOf(ledger))

/** The tables of all files, in the order of the files. */
export function toDetectedTables(files: readonly OpenedFile[]): DetectedTable[] {
  const found = files.flatMap(({ file, opened }) =>
    opened.tables
      .toSorted((a, b) => ledgerRank(a) - ledgerRank(b))
      .map((table) => ({ table, fileName: table.entry ?? file.name, fileWarnings: opened.warnings })),
  )
  const books = found.find(({ table }) => table.ledger !== undefined)?.fileName
  return found.map((one) => ({ ...one, later: one.table.ledger !== undefined && one.fileName !== books }))
}

const truncateName = (name: string): string => name.slice(0, NAME_MAX_CHARS).trim()
/** What a sheet is called when nobody gave it a name. */
const DEFAULT_SHEET_NAME = /^(sheet|blad|ark|tabelle|feuil|hoja|taul)\s*\d*$/i

/** `alone`: the only table of its file. */
function suggestTableName({ kind, name, ledger }: UploadTable, fileName: string, alone: boolean): string {
  if (ledger) return LEDGER_TABLE_LABELS[ledger]
  const own = name.trim()
  if (alone && (DEFAULT_SHEET_NAME.test(own) || nameKey(fileName).startsWith(nameKey(own))))
    return nameFromFile(fileName)
  return kind === 'csv' ? nameFromFile(own) : own
}

/** A dataset name for each table: its own, with its file's where two are alike, and a number where that is not enough. `held`: names that are taken. */
export function suggestTableNames(
  found: readonly Pick<DetectedTable, 'table' | 'fileName'>[],
  held: readonly string[] = [],
): string[] {
  const alone = (fileName: string): boolean => found.filter((other) => other.fileName === fileName).length === 1
  const own = found.map(
    ({ table, fileName }) => suggestTableName(table, fileName, alone(fileName)) || nameFromFile(fileName),
  )
  const often = (names: readonly string[], name: string): boolean =>
    names.filter((other) => nameKey(other) === nameKey(name)).length > 1
  const qualified = own.map((name, at) => {
    const file = nameFromFile(found[at]?.fileName ?? '')
    return often(own, name) && nameKey(file) !== nameKey(name) ? `${file} ${name}` : name
  })
  const taken = new Set(held.map(nameKey))
  return qualified.map((name) => {
    let unique = truncateName(name)
    for (let number = 2; taken.has(nameKey(unique)); number++)
      unique = `${truncateName(name.slice(0, NAME_MAX_CHARS - 4))} ${number}`
    taken.add(nameKey(unique))
    return unique
  })
}

/** A source name for the files of one drop. */
export function suggestSourceName(fileNames: readonly string[]): string {
  const names = [...new Set(fileNames.map(nameFromFile))]
  const joined = names.slice(0, 3).join(', ')
  if (names.length <= 1) return joined
  return joined.length <= NAME_MAX_CHARS && names.length <= 3
    ? joined
    : truncateName(`${truncateName((names[0] ?? '').slice(0, 60))} and ${names.length - 1} more`)
}

/** Bookkeeping files beside the first one: their years go into the same tables, one file after the other. */
export const additionalLedgerFiles = (files: readonly OpenedFile[]): string[] => [
  ...new Set(toDetectedTables(files).flatMap(({ later, fileName }) => (later ? [fileName] : []))),
]

/** Whether a table is chosen until the person says otherwise. */
export const isSelectedByDefault = ({ table }: Pick<DetectedTable, 'table'>): boolean => !table.optional
