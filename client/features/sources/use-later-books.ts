import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { faultOf } from './fault-words'
import { isVouchersOnly, ledgerHome } from './ledger-match'
import type { Placed } from './ledger-match'
import { readSource } from './queries'
import { isActive, isBroken } from './run-words'
import { addTables } from './use-add-tables'
import type { ImportTable } from './use-tables'
import { useFormat } from '../../lib/format'
import { sourcesChanged } from '../../lib/query-client'
import type { DataSource, Dataset } from '../../../src/shared/sources'

const LOOK_MS = 700

/** Where a table goes in a source: into the books that are there, or beside them. `tables`: all that are in hand. */
export const placeIn = (
  table: ImportTable,
  { tables, datasets }: { tables: readonly ImportTable[]; datasets: readonly Dataset[] },
): Placed => ({
  table,
  home: ledgerHome(table, datasets),
  vouchersOnly: isVouchersOnly(tables, table.fileName),
})

/** The source once no load of it is under way: one load at a time goes into a table. */
async function idleSource(id: string): Promise<DataSource> {
  for (;;) {
    const source = await readSource(id)
    if (!source.lastRuns.some(({ state }) => isActive(state))) return source
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
  }
}

/**
 * Brings the years of further bookkeeping files into the books of a source, one file after the other. Of a file that could
 * not be added it says why; the others go on. `file`: the one whose turn it is.
 */
export function useLaterBooks() {
  const client = useQueryClient()
  const format = useFormat()
  const [file, setFile] = useState<string | null>(null)
  const complain = (fileName: string, message: string) =>
    notifications.show({ color: 'red', autoClose: false, title: `${fileName} was not added`, message })

  const load = async (sourceId: string, tables: readonly ImportTable[]): Promise<void> => {
    const later = tables.filter((table) => table.chosen && table.later)
    for (const fileName of new Set(later.map((table) => table.fileName))) {
      setFile(fileName)
      try {
        const source = await idleSource(sourceId)
        const own = later.filter((table) => table.fileName === fileName)
        if (source.lastRuns.some(({ state }) => isBroken(state)))
          complain(fileName, 'A load before it failed. Mend that one, then add this file on the page of the source.')
        else
          await addTables(
            sourceId,
            own.map((table) => placeIn(table, { tables, datasets: source.datasets })),
          )
      } catch (error) {
        complain(fileName, faultOf(error, format).title)
      }
    }
    setFile(null)
    await sourcesChanged(client)
  }
  return { file, load }
}
