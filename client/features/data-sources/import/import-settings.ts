import { endingPattern, FILE_ENDINGS } from '../../../../src/shared/data-sources/file-endings'
import { TERMS } from '../../../../src/shared/terms'
import {
  DATE_ORDERS,
  DECIMAL_MARKS,
  DELIMITERS,
  ENCODING_LABELS,
  ENCODINGS,
} from '../../../../src/shared/data-sources/files'
import type { ColumnRole, CsvSettings, DecimalMark } from '../../../../src/shared/data-sources/files'
import type { ImportSettingKey } from '../../../../src/shared/data-sources/import-choices'

export interface SelectOption {
  value: string
  label: string
}

const toOptions = <T extends string>(values: readonly T[], labels: Readonly<Record<T, string>>): SelectOption[] =>
  values.map((value) => ({ value, label: labels[value] }))

/** One way of reading a delimited file that a person may correct. */
export interface ImportSettingField {
  key: ImportSettingKey
  label: string
  /** The precise term or consequence, for the tooltip. */
  hint: string
  choices: SelectOption[]
  read: (settings: CsvSettings) => string
  write: (value: string) => Partial<CsvSettings>
}

export const DECIMAL_MARK_LABELS: Readonly<Record<DecimalMark, string>> = { ',': 'Comma (1,5)', '.': 'Point (1.5)' }
export const DECIMAL_SEPARATOR_OPTIONS = toOptions(DECIMAL_MARKS, DECIMAL_MARK_LABELS)
export const DATE_ORDER_OPTIONS = toOptions(DATE_ORDERS, { ymd: '2026-01-31', dmy: '31/01/2026', mdy: '01/31/2026' })

const findOption = <T extends string>(values: readonly T[], text: string): T | undefined =>
  values.find((value) => value === text)

export const IMPORT_SETTING_FIELDS: readonly ImportSettingField[] = [
  {
    key: 'decimalMark',
    label: 'Decimal separator',
    hint: 'Between whole numbers and decimals',
    choices: DECIMAL_SEPARATOR_OPTIONS,
    read: ({ decimalMark }) => decimalMark,
    write: (text) => ({ decimalMark: findOption(DECIMAL_MARKS, text) ?? '.' }),
  },
  {
    key: 'dateOrder',
    label: 'Date format',
    hint: 'Order of day, month and year',
    choices: DATE_ORDER_OPTIONS,
    read: ({ dateOrder }) => dateOrder,
    write: (text) => ({ dateOrder: findOption(DATE_ORDERS, text) ?? 'ymd' }),
  },
  {
    key: 'delimiter',
    label: 'Delimiter',
    hint: 'Character between cells',
    choices: toOptions(DELIMITERS, {
      ...{ ',': 'Comma ,', ';': 'Semicolon ;', '\t': 'Tab', '|': 'Pipe |', ' ': 'Space' },
      ...{ '~': 'Tilde ~', '^': 'Caret ^', ':': 'Colon :', '\u001f': 'Unit separator', '\u0001': 'Control-A' },
    }),
    read: ({ delimiter }) => delimiter,
    write: (text) => ({ delimiter: findOption(DELIMITERS, text) ?? ',' }),
  },
  {
    key: 'encoding',
    label: 'Encoding',
    hint: 'Change if å, ä, ö look wrong.',
    choices: toOptions(ENCODINGS, ENCODING_LABELS),
    read: ({ encoding }) => encoding,
    write: (text) => ({ encoding: findOption(ENCODINGS, text) ?? 'utf-8' }),
  },
  {
    key: 'header',
    label: 'Header row',
    hint: 'Whether the first row holds column names',
    choices: [
      { value: 'names', label: 'Yes' },
      { value: 'data', label: 'No' },
    ],
    read: ({ header }) => (header ? 'names' : 'data'),
    write: (text) => ({ header: text === 'names' }),
  },
  {
    key: 'quote',
    label: 'Quote character',
    hint: 'Around cells that contain the delimiter',
    choices: [
      { value: '"', label: 'Double "' },
      { value: "'", label: "Single '" },
      { value: 'none', label: 'None' },
    ],
    read: ({ quote }) => (quote === '' ? 'none' : quote),
    write: (text) => ({ quote: text === '"' || text === "'" ? text : '' }),
  },
  {
    key: 'skipLines',
    label: 'Skip lines',
    hint: 'Lines above the table, e.g. a title',
    choices: Array.from({ length: 21 }, (_, lines) => ({
      value: String(lines),
      label: lines === 0 ? 'None' : lines === 1 ? 'First line' : `First ${lines} lines`,
    })),
    read: ({ skipLines }) => String(skipLines),
    write: (text) => ({ skipLines: Number.parseInt(text, 10) || 0 }),
  },
]

export const COLUMN_ROLE_LABELS: Record<ColumnRole, { label: string; hint: string }> = {
  measure: { label: TERMS.measure, hint: 'Summed, averaged and compared' },
  dimension: { label: TERMS.dimension, hint: 'Used to break down and filter' },
  time: { label: TERMS.dateColumn, hint: 'When each row happened' },
  id: { label: 'Identifier', hint: 'Identifies rows; never summed' },
  currency: { label: 'Currency', hint: 'Currency of an amount' },
}

const KNOWN_ENDING = endingPattern(['dat', ...Object.values(FILE_ENDINGS).flat()])
/** A source name from a file name: without its ending, with spaces for signs. */
export function nameFromFile(fileName: string): string {
  const base = fileName
    .replace(/^.*[\\/]/, '')
    .replace(KNOWN_ENDING, '')
    .replaceAll(/[_\s]+/g, ' ')
    .trim()
  return (base.charAt(0).toUpperCase() + base.slice(1)).slice(0, 80) || 'New source'
}
