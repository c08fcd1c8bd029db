import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { yearsInto } from './ledger-match'
import type { Placed } from './ledger-match'
import { addDatasets, createLoad } from './queries'
import { newTables } from './table-facts'
import { sourcesChanged } from '../../lib/query-client'

/**
 * Brings tables into a source: new ones in one call, years of books into their own datasets one by one. What has begun is
 * noted in `begun`, by upload, and not begun again.
 */
export async function addTables(
  sourceId: string,
  placed: readonly Placed[],
  begun: Set<string> = new Set(),
): Promise<void> {
  const left = placed.filter(({ table }) => !begun.has(table.id))
  const fresh = left.flatMap(({ table, home }) => (home === null ? [table] : []))
  const tables = newTables(fresh)
  if (tables && tables.length > 0) {
    await addDatasets({ id: sourceId, input: { tables } })
    fresh.forEach(({ id }) => begun.add(id))
  }
  for (const each of left) {
    const { table, home } = each
    const input = yearsInto(each)
    if (!home || !input) continue
    await createLoad({ datasetId: home.id, input })
    begun.add(table.id)
  }
}

/** {@link addTables} for a screen: what has begun is not begun again when the rest is tried once more. */
export function useAddTables(sourceId: string) {
  const client = useQueryClient()
  const begun = useRef(new Set<string>())
  return useMutation({
    mutationFn: (placed: readonly Placed[]) => addTables(sourceId, placed, begun.current),
    onSettled: () => sourcesChanged(client),
  })
}
