import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { describeSourceError } from './fault-words'
import { isVouchersOnly, findLedgerDataset } from './ledger-match'
import type { TablePlacement } from './ledger-match'
import { fetchSource } from './queries'
import { isActiveRun, isFailedRun } from './run-words'
import { addTables } from './use-add-tables'
import type { ImportTable } from './use-tables'
import { useFormat } from '../../lib/format'
import { invalidateSources } from '../../lib/query-client'
import type { DataSource, Dataset } from '../../../src/shared/sources'

const POLL_INTERVAL_MS = 700

/** Where a table goes in a source: into the books that are there, or beside them. `tables`: all that are in hand. */
export const placeTable = (
  table: ImportTable,
  { tables, datasets }: { tables: readonly ImportTable[]; datasets: readonly Dataset[] },
): TablePlacement => ({
  table,
  home: findLedgerDataset(table, datasets),
  vouchersOnly: isVouchersOnly(tables, table.fileName),
})

/** The source once no load of it is under way: one load at a time goes into a table. */
async function waitUntilIdle(id: string): Promise<DataSource> {
  for (;;) {
    const source = await fetchSource(id)
    if (!source.lastRuns.some(({ state }) => isActiveRun(state))) return source
    await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS))
  }
}

/**
 * Brings the years of further bookkeeping files into the books of a source, one file after the other. Of a file that could
 * not be added it says why; the others go on. `file`: the one whose turn it is.
 */
export function useAdditionalLedgers() {
  const client = useQueryClient()
  const format = useFormat()
  const [file, setFile] = useState<string | null>(null)
  const showError = (fileName: string, message: string) =>
    notifications.show({ color: 'red', autoClose: false, title: `${fileName} was not added`, message })

  const load = async (sourceId: string, tables: readonly ImportTable[]): Promise<void> => {
    const later = tables.filter((table) => table.chosen && table.later)
    for (const fileName of new Set(later.map((table) => table.fileName))) {
      setFile(fileName)
      try {
        const source = await waitUntilIdle(sourceId)
        const own = later.filter((table) => table.fileName === fileName)
        if (source.lastRuns.some(({ state }) => isFailedRun(state)))
          showError(fileName, 'A load before it failed. Mend that one, then add this file on the page of the source.')
        else
          await addTables(
            sourceId,
            own.map((table) => placeTable(table, { tables, datasets: source.datasets })),
          )
      } catch (error) {
        showError(fileName, describeSourceError(error, format).title)
      }
    }
    setFile(null)
    await invalidateSources(client)
  }
  return { file, load }
}
