import type { ExportQuery } from '../../../../src/shared/insights'

/** A download names its workspace in the address: a link carries no headers. */
export function exportUrl(id: string, options: { format: ExportQuery['format']; workspace: string }): string {
  const search = new URLSearchParams({ format: options.format, w: options.workspace })
  return `/files/insights/${encodeURIComponent(id)}/export?${search.toString()}`
}

/** A name that every file system takes. */
export const safeFileName = (name: string): string => name.replace(/[^\p{L}\p{N}.,_-]+/gu, ' ').trim() || 'insight'
