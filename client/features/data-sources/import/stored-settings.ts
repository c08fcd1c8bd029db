import { useEffect, useRef } from 'react'
import { IMPORT_SETTING_FIELDS } from './import-settings'
import type { ImportTable } from './use-import-tables'
import type { CsvSettings } from '../../../../src/shared/data-sources/files'

/** What a person corrected of a file's settings: those that are read otherwise now. */
export function correctedSettings(detected: CsvSettings, stored: CsvSettings): Partial<CsvSettings> {
  return Object.assign(
    {},
    ...IMPORT_SETTING_FIELDS.map(({ read, write }) => (read(detected) === read(stored) ? {} : write(read(stored)))),
  )
}

/** Reads a file that was imported before as it was read then, once it is known how it would be read now. */
export function useStoredSettings(table: ImportTable | null, stored: CsvSettings | undefined): void {
  const done = useRef(false)
  useEffect(() => {
    const found = table?.found
    if (!stored || !found?.inspection || found.reading || done.current) return
    done.current = true
    const corrected = correctedSettings(found.inspection.settings, stored)
    if (Object.keys(corrected).length > 0 && Object.keys(found.corrected).length === 0) found.correct(corrected)
  }, [table, stored])
}
