import type { ExportQuery } from '../../../src/shared/insights'

/** A download names its workspace in the address: a link carries no headers. */
export function exportAddress(id: string, ask: { format: ExportQuery['format']; workspace: string }): string {
  const search = new URLSearchParams({ format: ask.format, w: ask.workspace })
  return `/files/insights/${encodeURIComponent(id)}/export?${search.toString()}`
}

/** A name that every file system takes. */
export const fileName = (name: string): string => name.replace(/[^\p{L}\p{N}.,_-]+/gu, ' ').trim() || 'insight'

/** Hands a data address to the person as a file. */
function saveAs(address: string, name: string): void {
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
}

/** Hands a picture to the person as a file. */
export function savePicture(picture: Blob, name: string): void {
  const address = URL.createObjectURL(picture)
  saveAs(address, name)
  // The download has its own hold on the bytes once it has begun.
  setTimeout(() => URL.revokeObjectURL(address), 10_000)
}
