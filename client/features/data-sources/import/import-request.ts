import { validateColumns } from '../columns/file-column-edits'
import { SETTINGS_LEVEL_BY_KIND } from '../upload/file-kinds'
import type { ImportTable } from './use-import-tables'
import { columnChoices, settingChoices } from './import-choices'
import type { ImportChoicesInput } from '../../../../src/shared/data-sources/import-choices'
import { nameSchema } from '../../../../src/shared/field-schemas'
import { SOURCE_MAX_DATASETS } from '../../../../src/shared/limits'
import type { ColumnRole, FileInspection, FileWarning } from '../../../../src/shared/data-sources/files'
import type { UploadInspection } from '../../../../src/shared/data-sources/inspection'
import type { LoadCleaning, NewTableInput } from '../../../../src/shared/data-sources/data-sources'

type RowCount = FileInspection['rows']

interface CountedTable {
  found: Pick<ImportTable['found'], 'inspection' | 'cleaning'>
  table: Pick<ImportTable['table'], 'kind' | 'rowCount' | 'columnCount'>
}

/** Rows of a table: counted when it was taken out of its file; of text, as it was read with the person's corrections. */
export function tableRowCount({ found, table }: CountedTable): RowCount {
  const isGiven = SETTINGS_LEVEL_BY_KIND[table.kind] === 'given'
  if (found.inspection && (!isGiven || found.cleaning.length > 0)) return found.inspection.rows
  // Headings and titles are among the rows of a sheet until it was looked at.
  return { count: table.rowCount, exact: isGiven }
}

/** Columns of a table as they will be loaded; those of its file until it was looked at. */
export const tableColumnCount = ({ found, table }: CountedTable): number =>
  found.inspection?.columns.filter(({ include }) => include).length ?? table.columnCount

export const totalTableRows = (tables: readonly ImportTable[]): RowCount =>
  tables.map(tableRowCount).reduce((sum, rows) => ({ count: sum.count + rows.count, exact: sum.exact && rows.exact }), {
    count: 0,
    exact: true,
  })

function uniqueWarnings(warnings: readonly FileWarning[]): FileWarning[] {
  const seen = new Set<string>()
  return warnings.filter(({ message }) => !seen.has(message) && seen.add(message))
}

/** What the opening and the reading of a table have to say, each once; not of columns that were settled since. */
export const tableWarnings = ({ table, found }: Pick<ImportTable, 'found' | 'table'>): FileWarning[] => {
  const settled = new Set(
    found.inspection?.columns.flatMap(({ label }, at) => {
      const now = found.columns[at]
      return now?.include === false || now?.type === 'text' ? [label] : []
    }),
  )
  const isOpen = ({ fix, column }: FileWarning): boolean => fix !== 'text' || !settled.has(column ?? '')
  return uniqueWarnings([...table.warnings, ...(found.inspection?.warnings ?? [])]).filter(isOpen)
}

/** What there is to say of whole files, each once. */
export const fileWarningsOf = (tables: readonly Pick<ImportTable, 'fileWarnings'>[]): FileWarning[] =>
  uniqueWarnings(tables.flatMap(({ fileWarnings }) => fileWarnings))

/** Why this table cannot be loaded as it stands, or null. */
export function validateTable(table: ImportTable): string | null {
  const { found, name } = table
  const named = nameSchema.safeParse(name).error?.issues[0]?.message
  if (named !== undefined) return named
  if (found.error !== null) return 'Not readable with these settings.'
  const problem = found.inspection?.cleaning.problem
  if (problem) return `Cleaning step ${problem.step + 1}: ${problem.message}`
  const { count, exact } = tableRowCount(table)
  if (exact && count === 0) return 'No rows to import.'
  return validateColumns(found.columns, found.bad, found.cells.length)
}

/** Why the chosen tables cannot be loaded, or null. `room`: how many the source can still take. */
export function validateTables(
  chosen: readonly ImportTable[],
  several: boolean,
  room = SOURCE_MAX_DATASETS,
): string | null {
  if (chosen.length === 0) return 'Choose at least one table.'
  if (chosen.length > room)
    return room === 0
      ? `Limit: ${SOURCE_MAX_DATASETS} tables per source. Create another source.`
      : `Limit: ${room} more tables. Exclude ${chosen.length - room}.`
  for (const table of chosen) {
    const fault = validateTable(table)
    if (fault !== null) return several ? `${table.name}: ${fault}` : fault
  }
  return null
}

/** Rows of books belong to a company's fiscal year: loading a year again takes the place of that year. */
export const LEDGER_KEY_LABELS = ['org_number', 'fiscal_year']

interface KeyCandidate {
  label: string
  role: ColumnRole
}
/** What tells rows of the books apart: whose year they belong to, else (a company, a cost centre) their own number. */
export function ledgerKeyColumns<Column extends KeyCandidate>(
  columns: readonly Column[],
): { keys: Column[]; byYear: boolean } {
  const part = columns.filter(({ label }) => LEDGER_KEY_LABELS.includes(label))
  const byYear = part.length === LEDGER_KEY_LABELS.length
  return { byYear, keys: byYear ? part : columns.filter(({ role }) => role === 'id') }
}

const keyColumnIndexes = ({ table, found }: ImportTable): number[] =>
  table.ledger === undefined
    ? []
    : ledgerKeyColumns(found.columns.filter(({ include }) => include)).keys.map(({ index }) => index)

/** The recipe that an inspection went through, as a load takes it; nothing where there is none. */
export const toLoadCleaning = ({ cleaning }: UploadInspection): { cleaning?: LoadCleaning } =>
  cleaning.steps.length === 0 ? {} : { cleaning: { header: cleaning.columns[0] ?? [], steps: cleaning.steps } }

/**
 * What was decided about a table, for the next file like it; nothing of books, which are always read in the same way.
 * `tables`: all that are in hand.
 */
export function toImportChoices(one: ImportTable, tables: readonly ImportTable[]): { choices?: ImportChoicesInput } {
  const { detected, inspection, corrected, edits } = one.found
  if (!detected || !inspection || one.table.ledger !== undefined) return {}
  const beside = tables.filter(({ id, fileName }) => id !== one.id && fileName === one.fileName)
  const choices: ImportChoicesInput = {
    shape: detected.shape,
    omitted: beside
      .filter(({ chosen, table }) => !chosen && !table.optional)
      .map(({ table }) => table.name)
      .slice(0, SOURCE_MAX_DATASETS),
    settings: settingChoices(detected.settings, inspection.settings, corrected),
    columns: columnChoices(inspection.columns, edits),
  }
  return { choices: beside.length === 0 ? choices : { ...choices, table: one.table.name } }
}

/** The request's part for each table; null while one of them is not read yet. `tables`: all that are in hand. */
export function toNewTableInputs(
  chosen: readonly ImportTable[],
  tables: readonly ImportTable[] = chosen,
): NewTableInput[] | null {
  const inputs = chosen.flatMap((table): NewTableInput[] => {
    const { inspection, columns } = table.found
    if (!inspection) return []
    const { settings } = inspection
    const decided = { ...toLoadCleaning(inspection), ...toImportChoices(table, tables) }
    return [
      { name: table.name, uploadId: table.id, settings, columns, keyColumns: keyColumnIndexes(table), ...decided },
    ]
  })
  return inputs.length === chosen.length ? inputs : null
}
