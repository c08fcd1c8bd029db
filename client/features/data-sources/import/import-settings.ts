import { DATE_ORDERS, DECIMAL_MARKS, DELIMITERS, ENCODINGS } from '../../../../src/shared/data-sources/files'
import type { ColumnRole, ColumnType, CsvSettings } from '../../../../src/shared/data-sources/files'

export interface SelectOption {
  value: string
  label: string
}

const toOptions = <T extends string>(values: readonly T[], labels: Record<T, string>): SelectOption[] =>
  values.map((value) => ({ value, label: labels[value] }))

/** One way of reading a delimited file that a person may correct. */
export interface ImportSettingField {
  key: 'encoding' | 'delimiter' | 'quote' | 'decimalMark' | 'dateOrder' | 'header' | 'skipLines' | 'leaveOutTotals'
  label: string
  /** The precise term or consequence, for the tooltip. */
  hint: string
  choices: SelectOption[]
  read: (settings: CsvSettings) => string
  write: (value: string) => Partial<CsvSettings>
}

export const DECIMAL_SEPARATOR_OPTIONS = toOptions(DECIMAL_MARKS, { ',': 'Comma, 1,5', '.': 'Point, 1.5' })
export const DATE_ORDER_OPTIONS = toOptions(DATE_ORDERS, { ymd: '2026-01-31', dmy: '31/01/2026', mdy: '01/31/2026' })

const findOption = <T extends string>(values: readonly T[], text: string): T | undefined =>
  values.find((value) => value === text)

export const IMPORT_SETTING_FIELDS: readonly ImportSettingField[] = [
  {
    key: 'decimalMark',
    label: 'Decimals',
    hint: 'The sign between whole numbers and decimals.',
    choices: DECIMAL_SEPARATOR_OPTIONS,
    read: ({ decimalMark }) => decimalMark,
    write: (text) => ({ decimalMark: findOption(DECIMAL_MARKS, text) ?? '.' }),
  },
  {
    key: 'dateOrder',
    label: 'Dates',
    hint: 'The order of day, month and year where the file leaves it open.',
    choices: DATE_ORDER_OPTIONS,
    read: ({ dateOrder }) => dateOrder,
    write: (text) => ({ dateOrder: findOption(DATE_ORDERS, text) ?? 'ymd' }),
  },
  {
    key: 'delimiter',
    label: 'Columns split by',
    hint: 'The separator (delimiter) between cells.',
    choices: toOptions(DELIMITERS, { ',': 'Comma  ,', ';': 'Semicolon  ;', '\t': 'Tab', '|': 'Bar  |' }),
    read: ({ delimiter }) => delimiter,
    write: (text) => ({ delimiter: findOption(DELIMITERS, text) ?? ',' }),
  },
  {
    key: 'encoding',
    label: 'Letters',
    hint: 'The character encoding. Wrong, when å, ä and ö look strange.',
    choices: toOptions(ENCODINGS, {
      'utf-8': 'UTF-8',
      'utf-16le': 'UTF-16 LE',
      'utf-16be': 'UTF-16 BE',
      'windows-1252': 'Windows-1252',
      cp437: 'DOS, CP437',
      cp850: 'DOS, CP850',
    }),
    read: ({ encoding }) => encoding,
    write: (text) => ({ encoding: findOption(ENCODINGS, text) ?? 'utf-8' }),
  },
  {
    key: 'header',
    label: 'First row',
    hint: 'Whether the first row names the columns or is data already.',
    choices: [
      { value: 'names', label: 'Column names' },
      { value: 'data', label: 'Data' },
    ],
    read: ({ header }) => (header ? 'names' : 'data'),
    write: (text) => ({ header: text === 'names' }),
  },
  {
    key: 'quote',
    label: 'Quotes',
    hint: 'The sign around cells that contain the separator.',
    choices: [
      { value: '"', label: 'Double  "' },
      { value: "'", label: "Single  '" },
      { value: 'none', label: 'None' },
    ],
    read: ({ quote }) => (quote === '' ? 'none' : quote),
    write: (text) => ({ quote: text === '"' || text === "'" ? text : '' }),
  },
  {
    key: 'skipLines',
    label: 'Skip lines',
    hint: 'Lines above the table that are no data: a title, a print date.',
    choices: Array.from({ length: 21 }, (_, lines) => ({
      value: String(lines),
      label: lines === 0 ? 'None' : lines === 1 ? 'First line' : `First ${lines} lines`,
    })),
    read: ({ skipLines }) => String(skipLines),
    write: (text) => ({ skipLines: Number.parseInt(text, 10) || 0 }),
  },
  {
    key: 'leaveOutTotals',
    label: 'Total rows',
    hint: 'Rows that begin with Summa, Total or the like add up other rows: counted, they double the sums.',
    choices: [
      { value: 'keep', label: 'Count them' },
      { value: 'leave', label: 'Leave out' },
    ],
    read: ({ leaveOutTotals }) => (leaveOutTotals ? 'leave' : 'keep'),
    write: (text) => ({ leaveOutTotals: text === 'leave' }),
  },
]

export const COLUMN_TYPE_LABELS: Record<ColumnType, string> = {
  text: 'Text',
  integer: 'Whole number',
  number: 'Decimal number',
  boolean: 'Yes or no',
  date: 'Date',
  datetime: 'Date and time',
}

export const COLUMN_ROLE_LABELS: Record<ColumnRole, { label: string; hint: string }> = {
  measure: { label: 'Figure', hint: 'A measure: summed, averaged and compared.' },
  dimension: { label: 'Split by', hint: 'A dimension: figures are split and filtered by it.' },
  time: { label: 'Time', hint: 'Places each row on the calendar.' },
  id: { label: 'Identifier', hint: 'Tells rows apart; never summed.' },
  currency: { label: 'Currency', hint: 'Names the currency of an amount.' },
}

/** A source name from a file name: without its ending, with spaces for signs. */
export function nameFromFile(fileName: string): string {
  const base = fileName
    .replace(/^.*[\\/]/, '')
    .replace(/\.(csv|tsv|txt|tab|dat|skv|xlsx|xlsm|ods|json|ndjson|jsonl|parquet|se|si|sie|zip)$/i, '')
    .replaceAll(/[_\s]+/g, ' ')
    .trim()
  return (base.charAt(0).toUpperCase() + base.slice(1)).slice(0, 80) || 'New source'
}
