import { analyzeDatasets, analyzeAffectedDatasets } from '../features/findings/run'
import type { ReadContext } from '../features/findings/look'

/** New rows: what is measured over them is looked at. Tables of the sample company come in one after the other: later. */
export async function analyzeAfterLoad(at: ReadContext & { swapped: { datasetId: string } }): Promise<void> {
  const { datasetId } = at.swapped
  const coming = await at.deps.db.d1
    .prepare(
      `SELECT 1 FROM datasets d JOIN data_sources s ON s.id = d.source_id AND s.sample = 1
       JOIN samples p ON p.workspace_id = s.workspace_id AND p.state = 'loading' WHERE d.id = ?`,
    )
    .bind(datasetId)
    .first()
  if (!coming) await analyzeAffectedDatasets(at, datasetId)
}

/** Once the sample company stands: everything in it is looked at. */
export async function analyzeSample(at: ReadContext): Promise<void> {
  const { results } = await at.deps.db.d1
    .prepare(
      'SELECT d.id FROM datasets d JOIN data_sources s ON s.id = d.source_id WHERE s.workspace_id = ? AND s.sample = 1',
    )
    .bind(at.scope.workspaceId)
    .all<{ id: string }>()
  await analyzeDatasets(at, new Set(results.map(({ id }) => id)))
}
