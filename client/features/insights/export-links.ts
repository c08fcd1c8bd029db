import type { ExportQuery } from '../../../src/shared/insights'

/** A download names its workspace in the address: a link carries no headers. */
export function exportAddress(id: string, ask: { format: ExportQuery['format']; workspace: string }): string {
  const search = new URLSearchParams({ format: ask.format, w: ask.workspace })
  return `/files/insights/${encodeURIComponent(id)}/export?${search.toString()}`
}

/** A name that every file system takes. */
export const fileName = (name: string): string => name.replace(/[^\p{L}\p{N}.,_-]+/gu, ' ').trim() || 'insight'
