import { stemOf } from './words'
import { otherWordsOf } from './word-groups'

/** What headings say in English and in Swedish, folded and in the singular: each line is one thing. */
const TRANSLATIONS: readonly string[][] = [
  ['customer', 'kund'],
  ['order', 'ordrar', 'bestallning'],
  ['invoice', 'faktura', 'fakturor'],
  ['product', 'produkt', 'artikel', 'artiklar', 'vara', 'varor', 'item', 'article'],
  ['product group', 'product category', 'produktgrupp', 'varugrupp', 'artikelgrupp', 'produktkategori'],
  ['category', 'kategori'],
  ['city', 'town', 'ort', 'stad', 'stader'],
  ['country', 'land', 'lander'],
  ['region', 'omrade'],
  ['county', 'lan'],
  ['supplier', 'vendor', 'leverantor'],
  ['salesperson', 'sales rep', 'saljare'],
  ['employee', 'anstalld', 'medarbetare'],
  ['project', 'projekt'],
  ['department', 'avdelning'],
  ['cost centre', 'cost center', 'kostnadsstalle'],
  ['account', 'konto', 'konton'],
  ['store', 'shop', 'butik'],
  ['warehouse', 'lager'],
  ['quantity', 'antal', 'kvantitet', 'unit', 'enhet', 'enheter', 'volume', 'volym'],
  ['unit price', 'styckpris', 'a pris'],
  ['price', 'pris', 'priser'],
  ['amount', 'belopp'],
  ['cost', 'kostnad'],
  ['order date', 'orderdatum'],
  ['invoice date', 'fakturadatum'],
  ['job', 'jobb', 'jobben', 'work order', 'arbetsorder', 'uppdrag'],
  ['due date', 'forfallodatum', 'forfallodag'],
]
/** The same thing in the other language, of a word or words without spaces. */
export const translationsOf = otherWordsOf(TRANSLATIONS)
/** Whether two words of headings name one thing, in whichever language. */
export const isSameThing = (one: string, two: string): boolean =>
  stemOf(one) === stemOf(two) || translationsOf(stemOf(two)).includes(stemOf(one))
