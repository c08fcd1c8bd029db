import type { ExportReportInput } from '../../../src/shared/reports/tiles'
import { apiFetch } from '../../lib/api'
import { downloadAnswer } from '../../ui/buttons/download-file'

/** Downloads a report as it is now, or a block of it, by `POST`, under its name. */
export async function downloadReport(id: string, name: string, input: ExportReportInput): Promise<void> {
  const response = await apiFetch(`/api/reports/${id}/export`, { method: 'POST', body: JSON.stringify(input) })
  await downloadAnswer(response, `${name}.${input.format}`)
}
