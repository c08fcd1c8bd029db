import { csvLine, type CsvCell, type CsvNotation } from '../shared/csv-line'

const NAME_MAX_CHARS = 200
/** A name that is too long keeps its ending: what opens the file goes by it. */
function shortened(fileName: string): string {
  if (fileName.length <= NAME_MAX_CHARS) return fileName
  const [ending = ''] = /\.[a-z\d]{1,8}$/i.exec(fileName) ?? []
  return fileName.slice(0, NAME_MAX_CHARS - ending.length) + ending
}

/** The header of a download: a plain name for old readers, the real one encoded, so that no name can add a header. */
export function attachmentHeader(fileName: string): string {
  const whole = shortened(fileName).toWellFormed()
  const plain = whole.replace(/[^A-Za-z0-9 ._-]/g, '_')
  const encoded = encodeURIComponent(whole).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`
}

/** So that spreadsheets read the text as UTF-8. */
const BOM = '\ufeff'
/** Lines become chunks: one chunk a line would cost more than the line. */
const CHUNK_CHARS = 64 * 1024

/** Records as the bytes of a CSV file, written while they are read. No cell of text can be a formula. */
export function streamCsv(
  lines: AsyncGenerator<(CsvCell | boolean)[]>,
  notation?: CsvNotation,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  let started = false
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      let text = started ? '' : BOM
      started = true
      while (text.length < CHUNK_CHARS) {
        const next = await lines.next()
        if (next.done === true) {
          controller.enqueue(encoder.encode(text))
          return controller.close()
        }
        const cells = next.value.map((cell) => (typeof cell === 'boolean' ? String(cell) : cell))
        text += csvLine(cells, notation)
      }
      controller.enqueue(encoder.encode(text))
    },
    async cancel() {
      await lines.return(undefined)
    },
  })
}
