import { printablePictures } from '../../features/reports/paper/printable-pictures'
import { writeWorkbook } from '../../features/reports/paper/write-workbook'
import type { ReadContext } from '../../deps'
import { XLSX_TYPE, type Download } from '../../http/files/table-download'
import { readPicture } from '../../http/picture-upload'
import type { ReportDocument } from '../../shared/reports/editions'

const fileNameOf = ({ report, period, n }: ReportDocument, ending: string): string => {
  const parts = [report.name, period, n > 0 ? `edition ${n}` : null].filter((part) => part !== null)
  return `${parts.join(' ').replaceAll('/', '–')}.${ending}`
}

/** A report with its figures as a file. */
export async function reportDownload(
  { deps }: ReadContext,
  document: ReportDocument,
  format: 'pdf' | 'xlsx',
): Promise<Download> {
  if (format === 'xlsx')
    return { fileName: fileNameOf(document, 'xlsx'), contentType: XLSX_TYPE, body: writeWorkbook(document) }
  // Large, and seldom asked for: read when it is.
  const [{ writePaper }, { readFonts }] = await Promise.all([
    import('../../features/reports/paper/write-paper'),
    import('../../formats/pdf/fonts'),
  ])
  const bytes = await writePaper(document, { fonts: readFonts(), pictures: await readPictures({ deps }, document) })
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(bytes)
      controller.close()
    },
  })
  return { fileName: fileNameOf(document, 'pdf'), contentType: 'application/pdf', body }
}

async function readPictures(
  { deps }: Pick<ReadContext, 'deps'>,
  { pages }: ReportDocument,
): Promise<Map<string, Uint8Array>> {
  const keys = new Set(
    pages.flatMap(({ blocks }) =>
      blocks.flatMap(({ block }) => (block.kind === 'image' && block.picture ? [block.picture] : [])),
    ),
  )
  return printablePictures(keys, async (key) => {
    const stored = await readPicture(deps, key)
    return stored && new Uint8Array(await stored.arrayBuffer())
  })
}
