import { DropArea } from './drop-area'
import type { ImportTarget } from './import-files'

const WORDS = {
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
export function FirstStep({ onFiles, target }: { onFiles: (files: File[]) => void; target: ImportTarget }) {
  return <DropArea onFiles={onFiles} several={target.kind !== 'dataset'} {...WORDS[target.kind]} />
}
