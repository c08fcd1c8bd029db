import type { Scope } from '../../access/scope'
import type { Deps } from '../../deps'
import { csvLine } from '../../shared/csv-line'
import { ProductError } from '../../shared/errors'
import { runStore } from '../../sync/store'

const PAGE_ROWS = 1000
/** So that spreadsheets read the text as UTF-8. */
const BOM = '\ufeff'

/** The rows a load could not read, as a CSV that is written while it is sent. */
export async function rejectedRowsCsv(deps: Deps, scope: Scope, runId: string): Promise<ReadableStream<Uint8Array>> {
  const run = await runStore(deps.db, scope).get(runId)
  if (!run) throw new ProductError('not_found')
  const warehouse = deps.warehouse(scope)
  const encoder = new TextEncoder()
  let after = 0
  return new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(encoder.encode(BOM + csvLine(['line', 'reason', 'text'])))
    },
    async pull(controller) {
      const rows = await warehouse.rejects({ runId, after, limit: PAGE_ROWS })
      if (rows.length > 0)
        controller.enqueue(encoder.encode(rows.map(({ line, reason, text }) => csvLine([line, reason, text])).join('')))
      after = rows.at(-1)?.line ?? after
      if (rows.length < PAGE_ROWS) controller.close()
    },
  })
}
