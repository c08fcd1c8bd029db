import type { SchemaDataset } from './schema'

const LINES = /^(?:\p{L}*rad(?:er)?|\p{L}*lines?|\p{L}*items?|\p{L}*poster|positions?)$/u
/** Whether rows are parts of something larger: lines of orders, `fakturarader`. */
export const isOfLines = ({ words }: SchemaDataset): boolean => words.some((word) => LINES.test(word))
/** Whether words name lines: `orderrader`, "order lines". */
export const SAYS_LINES = /\p{L}(?:rad|rader|raderna| lines?| rows?)$/u
