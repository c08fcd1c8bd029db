import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { notifications } from '@mantine/notifications'
import { Alert, Loader, Text } from '@mantine/core'
import { toLedgerLoadInput, isVouchersOnly, findLedgerDataset, type TablePlacement } from './ledger-match'
import { addDatasets, createLoad, fetchSource } from '../queries'
import { toNewTableInputs } from './import-request'
import { invalidateSources } from '../../../lib/queries/query-client'
import { describeSourceError } from '../source-error-notice'
import { isActiveRun, isFailedRun } from '../load-status'
import type { ImportTable } from './use-import-tables'
import { useFormat } from '../../../lib/format'
import type { DataSource, Dataset } from '../../../../src/shared/data-sources/data-sources'

/**
 * Brings tables, of all that are in hand, into a source: new ones in one call, years of books into their own datasets one by one. What has begun is
 * noted in `begun`, by upload, and not begun again.
 */
async function addTables(
  sourceId: string,
  { placed, tables: all }: { placed: readonly TablePlacement[]; tables: readonly ImportTable[] },
  startedIds: Set<string> = new Set(),
): Promise<void> {
  const left = placed.filter(({ table }) => !startedIds.has(table.id))
  const fresh = left.flatMap(({ table, home }) => (home === null ? [table] : []))
  const tables = toNewTableInputs(fresh, all)
  if (tables && tables.length > 0) {
    await addDatasets({ id: sourceId, input: { tables } })
    fresh.forEach(({ id }) => startedIds.add(id))
  }
  for (const each of left) {
    const { table, home } = each
    const input = toLedgerLoadInput(each)
    if (!home || !input) continue
    await createLoad({ datasetId: home.id, input })
    startedIds.add(table.id)
  }
}

/** {@link addTables} for a screen: what has begun is not begun again when the rest is tried once more. */
export function useAddTables(sourceId: string, tables: readonly ImportTable[]) {
  const client = useQueryClient()
  const begun = useRef(new Set<string>())
  return useMutation({
    mutationFn: (placed: readonly TablePlacement[]) => addTables(sourceId, { placed, tables }, begun.current),
    onSettled: () => invalidateSources(client),
  })
}

const POLL_INTERVAL_MS = 700

/** Where a table goes in a source: into the books that are there, or beside them. `tables`: all that are in hand. */
export const placeTable = (
  table: ImportTable,
  to: { tables: readonly ImportTable[]; datasets: readonly Dataset[]; replacesComparison: boolean },
): TablePlacement => ({
  table,
  home: findLedgerDataset(table, to.datasets),
  vouchersOnly: isVouchersOnly(to.tables, table.fileName),
  replacesComparison: to.replacesComparison,
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
    notifications.show({ color: 'red', autoClose: false, title: `Couldn’t import ${fileName}`, message })

  const load = async (
    sourceId: string,
    { tables, replacesComparison }: { tables: readonly ImportTable[]; replacesComparison: boolean },
  ): Promise<void> => {
    const later = tables.filter((table) => table.chosen && table.later)
    for (const fileName of new Set(later.map((table) => table.fileName))) {
      setFile(fileName)
      try {
        const source = await waitUntilIdle(sourceId)
        const own = later.filter((table) => table.fileName === fileName)
        if (source.lastRuns.some(({ state }) => isFailedRun(state)))
          showError(fileName, 'An earlier import failed. Fix it, then add this file on the source page.')
        else
          await addTables(sourceId, {
            placed: own.map((table) => placeTable(table, { tables, datasets: source.datasets, replacesComparison })),
            tables,
          })
      } catch (error) {
        showError(fileName, describeSourceError(error, format).title)
      }
    }
    setFile(null)
    await invalidateSources(client)
  }
  return { file, load }
}

/** Which bookkeeping file is being added, when there are several. */
export function LedgerImportProgress({ file }: { file: string | null }) {
  if (file === null) return null
  return (
    <Alert color="accent" role="status" icon={<Loader size={18} aria-hidden />} title={`Importing ${file}`}>
      <Text size="sm">Files are imported one at a time. Keep this page open.</Text>
    </Alert>
  )
}
