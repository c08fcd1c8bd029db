import type { ExportAnswerInput } from '../../../src/shared/query/export-answer'
import { apiFetch } from '../../lib/api'
import { downloadAnswer } from '../buttons/download-file'

/** Downloads the answer to a plan as a table shows it: sorted, filtered, every row. */
export async function exportAnswer(input: ExportAnswerInput): Promise<void> {
  const response = await apiFetch('/api/query/export', { method: 'POST', body: JSON.stringify(input) })
  await downloadAnswer(response, `${input.name}.${input.format}`)
}
