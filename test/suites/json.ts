import { z } from 'zod'
import type { FormatReader } from '../../src/formats/contract'
import { jsonReader, ndjsonReader } from '../../src/formats/json/json-reader'
import { ProductError } from '../../src/shared/errors'
import { labelsOf, openFile, recordsOf, type CollectedTable } from './open-file'
import { fileSuite, type SuiteFile } from './suite'

const expectedSchema = z.object({
  files: z.array(
    z.object({
      file: z.string(),
      outcome: z.enum(['ok', 'ok_with_warning', 'error_or_warning', 'error']),
      shape: z.string().optional(),
      records: z.number().optional(),
      keys: z.array(z.string()).optional(),
      first: z.unknown().optional(),
      bad_lines: z.array(z.number()).optional(),
    }),
  ),
})
type Expected = z.infer<typeof expectedSchema>['files'][number]

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A key of the records is a column, the beginning of dotted ones, a table of its own, or the name of a row. */
function hasKey(tables: CollectedTable[], key: string): boolean {
  const label = key.trim() || '(empty)'
  return tables.some((table) => {
    if (table.name.endsWith(`.${label}`) || table.name.includes(`.${label}.`)) return true
    if (labelsOf(table).some((known) => known === label || known.startsWith(`${label}.`))) return true
    return recordsOf(table).some((row) => row['key'] === key)
  })
}

/** What differs between a record and its row: single values by path; the rest stands in other tables. */
function cellFaults(want: unknown, row: Record<string, string | null>, path: string[] = []): string[] {
  if (isObject(want)) return Object.entries(want).flatMap(([key, value]) => cellFaults(value, row, [...path, key]))
  const label = path.join('.') || 'value'
  const wanted = typeof want === 'string' ? want : JSON.stringify(want)
  if (Array.isArray(want) || !(label in row)) return []
  const got = row[label]
  if (got === null || got === undefined) return want === null ? [] : [`${label}: wanted ${wanted}, got nothing`]
  const same = typeof want === 'number' ? Number(got) === want : got === wanted
  return same ? [] : [`${label}: wanted ${wanted}, got ${got}`]
}

/** Paths of the single values of a record, outside lists. */
function leaves(want: unknown, path: string[] = []): string[] {
  if (isObject(want)) return Object.entries(want).flatMap(([key, value]) => leaves(value, [...path, key]))
  return Array.isArray(want) ? [] : [path.join('.') || 'value']
}

function tableFaults(want: Expected, tables: CollectedTable[]): string[] {
  const faults: string[] = []
  const [first] = tables
  if (!first) return ['no table']
  // An object that only holds lists or named objects has no row of its own.
  const whole = want.shape !== 'object' || !first.name.includes('.')
  if (whole && want.records !== undefined && first.rows.length !== want.records)
    faults.push(`records: wanted ${want.records}, got ${first.rows.length}`)
  for (const key of want.keys ?? []) if (!hasKey(tables, key)) faults.push(`no column or table for ${key}`)
  const [row] = recordsOf(first)
  if (row && whole && isObject(want.first)) {
    faults.push(...cellFaults(want.first, row))
    const paths = leaves(want.first)
    if (paths.length > 0 && tables.length === 1 && !paths.some((path) => path in row))
      faults.push('no value of the first record has a cell')
  }
  return faults
}

const readers: FormatReader[] = [jsonReader, ndjsonReader]

async function faultsOf(file: SuiteFile, want: Expected): Promise<string[]> {
  const reader = readers.find((known) => known.recognises(file.bytes.subarray(0, 65_536), file.name))
  if (!reader) return ['is not recognised as JSON']
  try {
    const { tables, warnings } = await openFile(reader, file)
    const warned = [...warnings, ...tables.flatMap((table) => table.warnings)]
    if (want.outcome === 'error') return ['should be refused']
    if (want.outcome === 'error_or_warning')
      return warned.some(({ line }) => line !== undefined && want.bad_lines?.includes(line) !== false)
        ? []
        : ['neither refused nor warned about']
    return tableFaults(want, tables)
  } catch (error) {
    if (!(error instanceof ProductError)) throw error
    if (!want.outcome.startsWith('error')) return [`refused: ${error.message}`]
    const line = error.details['line']
    const named = typeof line === 'number' && (want.bad_lines?.includes(line) ?? true)
    return named ? [] : [`refused without the right line: ${error.message}`]
  }
}

/** JSON and NDJSON: records, keys, first values, and the line of what is broken. */
export const jsonSuite = fileSuite(19, expectedSchema, faultsOf)
