import type { CsvCell } from '../../../src/shared/csv-line'
import { useMay } from '../../lib/gate'
import { useSession } from '../../lib/session'
import { downloadCsv } from '../buttons/download-csv'

/** Hands lines to the person as a file of this name; nothing where somebody may not take figures along. */
export function useCsvDownload(name: string): ((lines: readonly CsvCell[][]) => void) | undefined {
  const may = useMay('export:data')
  const locale = useSession().workspace?.settings.numberLocale ?? 'sv-SE'
  return may ? (lines) => downloadCsv(lines, { name, locale }) : undefined
}
