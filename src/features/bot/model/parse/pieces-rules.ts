import { V } from './encoded'
import { rule, type Rule } from './over-time-rules'
import { saysHowMany } from '../schema/quantity'
import type { SchemaColumn, SchemaDataset } from '../schema/schema'

export const quantityOf = ({ columns }: SchemaDataset): SchemaColumn | undefined => columns.find(saysHowMany)
export const hasQuantity = (dataset: SchemaDataset): boolean => quantityOf(dataset) !== undefined

const VERB =
  'sold|sell|sells|bought|buy|purchased|ordered|delivered|shipped|used|use|consumed|salt|salde|saljer|saldes|salts|kopt|kopte|bestallt|levererat|anvant|anvande|anvands|forbrukat|forbrukade|atgatt'
export const SOLD = new RegExp(`(?:^| )(?:${VERB})(?= |$)`)
/** "How many hammers did we sell": the pieces of what is named by a value. */
export const PIECES: readonly Rule[] = [
  rule(
    `(?:how many|hur manga|number of|antal(?:et)?)(?= (?:of the )?(?:${V} )+(?:[a-z]+ ){0,4}?(?<verb>${VERB})(?![a-z]))`,
    ({ groups = {} }) => ({ kind: 'pieces', verb: groups['verb'] ?? '' }),
  ),
  // "Number of sold desserts": what was done to them stands before them.
  rule(
    `(?:how many|hur manga|number of|antal(?:et)?) (?<verb>sold|ordered|salda|bestallda)(?= ${V})`,
    ({ groups = {} }) => ({
      kind: 'pieces',
      verb: groups['verb'] ?? '',
    }),
  ),
  // "How many metres of decking": what a piece is.
  rule(
    `(?:how many|hur manga|antal) (?:metres|meters|kilos?|kg|litres|liters|boxes|bottles|bags|pallets|meter|lopmeter|kilo|liter|lador|flaskor|sackar|pallar|paket|st|stycken)(?: of| av)?(?= (?:${V} )+(?:[a-z]+ ){0,4}?(?<verb>${VERB})(?![a-z]))`,
    ({ groups = {} }) => ({ kind: 'pieces', verb: groups['verb'] ?? '' }),
  ),
]
