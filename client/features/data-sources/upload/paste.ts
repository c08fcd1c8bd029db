import { useEffect } from 'react'

const PASTED_FILE_NAME = 'Pasted table'

/** Cells copied out of a spreadsheet are text with tabs; anything with lines may be a table too. */
const looksLikeTable = (text: string): boolean => /[\t\n\r]/.test(text.trim())

/**
 * What was pasted, as files: files themselves, or cells as a text file. Empty when it is neither, so that an ordinary
 * paste goes on as usual. `at` (epoch ms) tells one paste from the next.
 */
export function filesFromPaste(data: Pick<DataTransfer, 'files' | 'getData'>, at: number): File[] {
  // A spreadsheet also offers a picture of the cells: their text is what is meant.
  const text = data.getData('text/plain')
  if (looksLikeTable(text))
    return [new File([text], `${PASTED_FILE_NAME}.txt`, { type: 'text/plain', lastModified: at })]
  return [...data.files]
}

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
