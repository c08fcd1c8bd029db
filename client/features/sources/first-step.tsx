import { DropZone } from './drop-area'
import type { ImportTarget } from './import-files'

const DROP_ZONE_TEXT = {
  new: {
    title: 'Drop files here',
    sentence:
      'A workbook, an export of orders or invoices, your bookkeeping. You see how dates and decimals were read before anything is loaded.',
  },
  source: {
    title: 'Drop more files here',
    sentence: 'Each table stands beside those that are here. Another year of the same books goes into the books.',
  },
  dataset: {
    title: 'Drop the newer file here',
    sentence:
      'Its columns are matched with those that are there. You decide whether rows are added, replaced or updated.',
  },
} as const

/** The place for the first files, with the sentence that fits where they go. */
export function ImportDropZone({ onFiles, target }: { onFiles: (files: File[]) => void; target: ImportTarget }) {
  return <DropZone onFiles={onFiles} multiple={target.kind !== 'dataset'} {...DROP_ZONE_TEXT[target.kind]} />
}
