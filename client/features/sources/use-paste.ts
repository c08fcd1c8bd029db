import { useEffect } from 'react'
import { filesFromPaste } from './pasted-table'

const isField = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || target.closest('input, textarea, select') !== null)

/** Takes files and cells that are pasted anywhere on the page but into a field. */
export function usePaste(onFiles: (files: File[]) => void): void {
  useEffect(() => {
    const handlePaste = (event: ClipboardEvent) => {
      if (isField(event.target) || !event.clipboardData) return
      const files = filesFromPaste(event.clipboardData, Date.now())
      if (files.length === 0) return
      event.preventDefault()
      onFiles(files)
    }
    document.addEventListener('paste', handlePaste)
    return () => document.removeEventListener('paste', handlePaste)
  }, [onFiles])
}
