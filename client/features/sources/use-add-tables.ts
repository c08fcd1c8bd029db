import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { toLedgerLoadInput } from './ledger-match'
import type { TablePlacement } from './ledger-match'
import { addDatasets, createLoad } from './queries'
import { toNewTableInputs } from './table-facts'
import { invalidateSources } from '../../lib/query-client'

/**
 * Brings tables into a source: new ones in one call, years of books into their own datasets one by one. What has begun is
 * noted in `begun`, by upload, and not begun again.
 */
export async function addTables(
  sourceId: string,
  placed: readonly TablePlacement[],
  startedIds: Set<string> = new Set(),
): Promise<void> {
  const left = placed.filter(({ table }) => !startedIds.has(table.id))
  const fresh = left.flatMap(({ table, home }) => (home === null ? [table] : []))
  const tables = toNewTableInputs(fresh)
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
export function useAddTables(sourceId: string) {
  const client = useQueryClient()
  const begun = useRef(new Set<string>())
  return useMutation({
    mutationFn: (placed: readonly TablePlacement[]) => addTables(sourceId, placed, begun.current),
    onSettled: () => invalidateSources(client),
  })
}
