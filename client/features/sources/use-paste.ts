import { useEffect } from 'react'
import { pastedFiles } from './pasted-table'

const isField = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || target.closest('input, textarea, select') !== null)

/** Takes files and cells that are pasted anywhere on the page but into a field. */
export function usePaste(onFiles: (files: File[]) => void): void {
  useEffect(() => {
    const take = (event: ClipboardEvent) => {
      if (isField(event.target) || !event.clipboardData) return
      const files = pastedFiles(event.clipboardData, Date.now())
      if (files.length === 0) return
      event.preventDefault()
      onFiles(files)
    }
    document.addEventListener('paste', take)
    return () => document.removeEventListener('paste', take)
  }, [onFiles])
}
