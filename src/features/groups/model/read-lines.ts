import { createCsvReader } from '../../../formats/csv-reader'
import { detectDialect } from '../../../formats/dialect'
import { ProductError } from '../../../shared/errors'

/** One line of a list of members, as it was written. */
export interface ParsedLine {
  line: number
  group: string
  email: string
}
/** So many people in so many groups are a file's worth; more is another file. */
export const LINES_MAX = 2_000
const SEP_LINE = /^\ufeff?"?sep=.\r?\n/i
const HEADINGS = /^(e-?mail|mail|address|e-?mail address|member|person|user|user name|e-?post|e-?postadress|adress)$/i

/** Reads `group;address` with any separator and quotes. A first line of headings is no line of the list. */
export function parseMemberList(csv: string): ParsedLine[] {
  const head = new TextEncoder().encode(csv)
  const skipLines = SEP_LINE.test(csv) ? 1 : 0
  const encoding = 'utf-8'
  const dialect = detectDialect({ head, whole: true, encoding }, skipLines === 1 ? {} : { skipLines })
  const { delimiter, quote, escape, blanksBeforeQuotes } = dialect
  const reading = { delimiter, quote, escape, ...(blanksBeforeQuotes ? { blanksBeforeQuotes } : {}) }
  const lines: ParsedLine[] = []
  const reader = createCsvReader({
    settings: { ...reading, encoding, skipLines, header: false },
    startByte: 0,
    startLine: 1,
    onRecord: ([group = '', email = ''], line) => {
      if (group.trim() === '' && email.trim() === '') return
      if (lines.length === 0 && HEADINGS.test(email.trim())) return
      if (lines.length === LINES_MAX) throw new ProductError('too_large', { what: 'lines', max: LINES_MAX })
      lines.push({ line, group: group.normalize('NFC').trim().slice(0, 200), email: email.trim().slice(0, 320) })
    },
  })
  reader.push(head)
  reader.end()
  return lines
}
