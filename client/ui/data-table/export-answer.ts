import type { ExportAnswerInput } from '../../../src/shared/query/export-answer'
import { apiFetch } from '../../lib/api'
import { downloadFile } from '../buttons/download-file'

/** The file's name as the server gives it, by RFC 5987. */
function fileNameOf(header: string | null, otherwise: string): string {
  const encoded = /filename\*=UTF-8''([^;]+)/.exec(header ?? '')?.[1]
  try {
    return encoded === undefined ? otherwise : decodeURIComponent(encoded)
  } catch {
    return otherwise
  }
}

/** Downloads the answer to a plan as a table shows it: sorted, filtered, every row. */
export async function exportAnswer(input: ExportAnswerInput): Promise<void> {
  const response = await apiFetch('/api/query/export', { method: 'POST', body: JSON.stringify(input) })
  const name = fileNameOf(response.headers.get('content-disposition'), `${input.name}.${input.format}`)
  downloadFile(await response.blob(), name)
}
