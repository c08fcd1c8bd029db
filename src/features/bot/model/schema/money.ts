import type { SchemaColumn, SchemaDataset } from './schema'

const TAX_NOTE =
  /\b(?:excl?|exkl|excluding|exklusive|ex|incl|inkl|including|inklusive|without|utan|before|fore|after|efter|net of) (?:vat|moms|tax|skatt)\b/
/** A heading without the note whether tax is in it: "Belopp exkl moms" is an amount, and no tax. */
export const withoutTaxNote = (heading: string): string => heading.replace(TAX_NOTE, ' ')

/** The amount of money that rows of a dataset are mostly about. */
export function moneyColumn({ columns }: SchemaDataset): SchemaColumn | undefined {
  const rank = ({ words }: SchemaColumn): number => {
    const text = withoutTaxNote(words.join(' '))
    if (/cost|tax|fee|discount|discounted|commission|kostnad|moms|rabatt|budget|limit/.test(text)) return -1
    if (/\b(total|amount|revenue|belopp|summa|sales|net|gross|netto)\b/.test(text)) return 3
    return /price|value|paid|payment/.test(text) ? 2 : 1
  }
  return columns
    .filter(({ isMoney, isNumeric }) => isMoney && isNumeric)
    .map((column) => ({ column, rank: rank(column) }))
    .filter((each) => each.rank > 0)
    .toSorted((a, b) => b.rank - a.rank)[0]?.column
}

/** Of "total sales" an amount is meant; of "total customers" their number. */
export const isMoneyTable = ({ words }: SchemaDataset): boolean =>
  words.some((word) =>
    /^(sales?|payments?|orders?|transactions?|invoices?|purchases?|forsaljning|betalningar|revenue|expenses?|costs?|donations?|salaries|budgets?|fakturor)$/.test(
      word,
    ),
  )
