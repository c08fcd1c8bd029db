import { apiFetch } from '../../lib/api'
import { downloadAnswer } from '../../ui/buttons/download-file'

/** Downloads a report as it is now, by `POST`, under its name. */
export async function downloadReport(path: string, name: string, format: 'pdf' | 'xlsx'): Promise<void> {
  const response = await apiFetch(path, { method: 'POST', body: JSON.stringify({ format }) })
  await downloadAnswer(response, `${name}.${format}`)
}
