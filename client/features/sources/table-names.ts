import { nameFromFile } from './format-words'
import type { OpenedFile } from './upload-queue'
import { NAME_MAX_CHARS } from '../../../src/shared/limits'
import { nameKey } from '../../../src/shared/names'
import type { FileWarning, LedgerTable, UploadTable } from '../../../src/shared/files'

/** One table of the files in hand, and the file it came from. */
export interface FoundTable {
  table: UploadTable
  /** The file it stood in; of a zip, the one inside. */
  fileName: string
  /** What there is to say of the file as a whole. */
  fileWarnings: FileWarning[]
  /** Books beside those of the first file: their years go into the tables of the first. */
  later: boolean
}

/** The tables of books, those that most is asked of first, as a person calls them. */
export const LEDGER_WORDS: Record<LedgerTable, string> = {
  entries: 'Ledger entries',
  vouchers: 'Vouchers',
  accounts: 'Accounts',
  balances: 'Balances',
  period_balances: 'Period balances',
  budgets: 'Budgets',
  companies: 'Companies',
  fiscal_years: 'Fiscal years',
  dimensions: 'Dimensions',
  objects: 'Objects',
}
const LEDGER_ORDER = Object.keys(LEDGER_WORDS)
const placeOf = ({ ledger }: UploadTable): number => (ledger === undefined ? 0 : LEDGER_ORDER.indexOf(ledger))

/** The tables of all files, in the order of the files. */
export function tablesOf(files: readonly OpenedFile[]): FoundTable[] {
  const found = files.flatMap(({ file, opened }) =>
    opened.tables
      .toSorted((a, b) => placeOf(a) - placeOf(b))
      .map((table) => ({ table, fileName: table.entry ?? file.name, fileWarnings: opened.warnings })),
  )
  const books = found.find(({ table }) => table.ledger !== undefined)?.fileName
  return found.map((one) => ({ ...one, later: one.table.ledger !== undefined && one.fileName !== books }))
}

const cut = (name: string): string => name.slice(0, NAME_MAX_CHARS).trim()
/** What a sheet is called when nobody gave it a name. */
const NAMELESS = /^(sheet|blad|ark|tabelle|feuil|hoja|taul)\s*\d*$/i

/** `alone`: the only table of its file. */
function textOf({ kind, name, ledger }: UploadTable, fileName: string, alone: boolean): string {
  if (ledger) return LEDGER_WORDS[ledger]
  const own = name.trim()
  if (alone && (NAMELESS.test(own) || nameKey(fileName).startsWith(nameKey(own)))) return nameFromFile(fileName)
  return kind === 'csv' ? nameFromFile(own) : own
}

/** A dataset name for each table: its own, with its file's where two are alike, and a number where that is not enough. `held`: names that are taken. */
export function proposeNames(
  found: readonly Pick<FoundTable, 'table' | 'fileName'>[],
  held: readonly string[] = [],
): string[] {
  const alone = (fileName: string): boolean => found.filter((other) => other.fileName === fileName).length === 1
  const own = found.map(({ table, fileName }) => textOf(table, fileName, alone(fileName)) || nameFromFile(fileName))
  const often = (names: readonly string[], name: string): boolean =>
    names.filter((other) => nameKey(other) === nameKey(name)).length > 1
  const told = own.map((name, at) => {
    const file = nameFromFile(found[at]?.fileName ?? '')
    return often(own, name) && nameKey(file) !== nameKey(name) ? `${file} ${name}` : name
  })
  const taken = new Set(held.map(nameKey))
  return told.map((name) => {
    let unique = cut(name)
    for (let number = 2; taken.has(nameKey(unique)); number++)
      unique = `${cut(name.slice(0, NAME_MAX_CHARS - 4))} ${number}`
    taken.add(nameKey(unique))
    return unique
  })
}

/** A source name for the files of one drop. */
export function sourceName(fileNames: readonly string[]): string {
  const names = [...new Set(fileNames.map(nameFromFile))]
  const joined = names.slice(0, 3).join(', ')
  if (names.length <= 1) return joined
  return joined.length <= NAME_MAX_CHARS && names.length <= 3
    ? joined
    : cut(`${cut((names[0] ?? '').slice(0, 60))} and ${names.length - 1} more`)
}
