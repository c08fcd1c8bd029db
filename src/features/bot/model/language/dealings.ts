import { isPurchased } from '../schema/money-names'
import { sellingTables } from '../schema/business-terms'
import { labelWords } from './words'
import { isYesNo } from '../schema/schema'
import type { Schema, SchemaDataset } from '../schema/schema'

/** Names of the tables that tell of a company's dealings with its customers; null where nothing tells of them. */
export interface Dealings {
  /** What was sold to them. */
  sold: string | null
  /** What they have to pay, of which it is said when they did. */
  payable: string | null
}
const PAID = /^(?:paid|payment|betal\w*|settled|reglerad\w*)$/
const saysPaid = ({ columns }: SchemaDataset): boolean =>
  columns.some(
    (column) =>
      ((column.isDate || isYesNo(column)) && column.words.some((word) => PAID.test(word))) ||
      (column.isText && column.source.values?.some((value) => UNPAID.test(String(value))) === true),
  )
/** How a bill stands that nobody has paid. */
const UNPAID = /^(?:unpaid|not paid|obetald|ej betald|inte betald)$/i

const known = new WeakMap<Schema, Dealings>()
export function dealingsOf(schema: Schema): Dealings {
  const before = known.get(schema)
  if (before) return before
  const [sold] = sellingTables(schema).filter((table) => !isPurchased(table))
  const [payable, other] = schema.datasets.filter(
    (table) => saysPaid(table) && !isPurchased(table) && table.columns.some(({ isMoney }) => isMoney),
  )
  const nameOf = (table: SchemaDataset | undefined): string | null =>
    table ? labelWords(table.source.name).join(' ') : null
  const dealings = { sold: nameOf(sold), payable: other ? null : nameOf(payable) }
  known.set(schema, dealings)
  return dealings
}

const END = String.raw`(?=\s*(?:[?.!,]|$)| (?:in|during|this|last|since|i|under|förra|just nu|right now|today|idag)(?: |$|[?.]))`
const [US, OSS] = [String.raw`(?: us| to us)?`, String.raw`(?: till)?(?: oss)?`]
const NOBODY =
  /^(?:customers?|clients?|people|they|everybody|everyone|(?:våra )?(?:kunder|kunderna|patienter|patienterna|medlemmar|medlemmarna|hyresgäster|hyresgästerna)|patients|members|tenants|folk|de)$/iu
const unpaidOf = (payable: string, who: string): string =>
  `total amount of unpaid ${payable}${NOBODY.test(who.replace(/^(?:our|the|all) /iu, '')) ? '' : ` for ${who}`}`
const obetaltAv = (payable: string, who: string): string =>
  `totalt belopp för obetalda ${payable}${NOBODY.test(who) ? '' : ` för ${who}`}`

/** "Which customers owe us the most", "which customers owe us money". */
const saidOfDebtors = (question: string, payable: string): string =>
  question
    .replace(
      new RegExp(
        String.raw`(?<=^\s*(?:which|what|who) ?[^?]{0,30})\b(?:owes?|are owing|is owing)${US} (?:the )?(most|least)(?: money)?${END}`,
        'iu',
      ),
      (_, way: string) => `has the ${/most/iu.test(way) ? 'highest' : 'lowest'} total amount of unpaid ${payable}`,
    )
    .replace(
      new RegExp(
        String.raw`(?<=^\s*(?:vilka|vilken|vem|vilket) ?[^?]{0,30})(?:är|ar) skyldiga? ?${OSS} mest(?: pengar)?${END}`,
        'iu',
      ),
      `har högst totalt belopp för obetalda ${payable}`,
    )
    .replace(
      new RegExp(String.raw`^\s*(?:which|what) ([^?]{2,40}?) (?:still )?owes?${US}(?: any)? money${END}`, 'iu'),
      (_, who: string) => `total amount of unpaid ${payable} per ${who}`,
    )
    .replace(
      new RegExp(String.raw`^\s*(?:vilka|vilket|vilken) ([^?]{2,40}?) är skyldiga? ?${OSS} pengar${END}`, 'iu'),
      (_, who: string) => `totalt belopp för obetalda ${payable} per ${who}`,
    )

/** "How much does Ann owe us", "how much are we owed". */
const saidOfDebts = (question: string, payable: string): string =>
  question
    .replace(
      new RegExp(
        String.raw`^\s*(?:how much(?: money)?|what) (?:do|does) ([^?]{2,50}?) owe${US}(?: in total)?${END}`,
        'iu',
      ),
      (_, who: string) => unpaidOf(payable, who),
    )
    .replace(
      new RegExp(
        String.raw`^\s*(?:how much|what) (?:do|does) ([^?]{2,50}?) (?:still )?(?:have left to pay|have to pay)(?: us)?${END}`,
        'iu',
      ),
      (_, who: string) => unpaidOf(payable, who),
    )
    .replace(
      new RegExp(String.raw`^\s*(?:hur mycket|vad) har ([^?]{2,50}?) kvar att betala(?: oss)?${END}`, 'iu'),
      (_, who: string) => obetaltAv(payable, who),
    )
    .replace(
      new RegExp(
        String.raw`^\s*how much(?: money)? (?:are|is) (?:we|the company) owed(?: in total| by customers)?${END}`,
        'iu',
      ),
      `total amount of unpaid ${payable}`,
    )
    .replace(
      new RegExp(
        String.raw`^\s*(?:hur mycket(?: pengar)?|vad) är ([^?]{2,50}?) skyldiga? ?${OSS}(?: totalt)?${END}`,
        'iu',
      ),
      (_, who: string) => obetaltAv(payable, who),
    )

/** "When did Ann last buy from us". */
const saidOfLastSales = (question: string, sold: string): string =>
  question
    .replace(
      /^\s*when did (?!we |you |i )([^?]{2,60}?) (last|first) (?:order|buy|purchase|shop)(?: anything| something)?(?: from us| with us)?\s*\??\s*$/iu,
      (_, who: string, end: string) =>
        `when was the ${end.toLowerCase() === 'first' ? 'first' : 'latest'} ${sold} for ${who}`,
    )
    .replace(
      /^\s*när (?:beställde|köpte|handlade) (?!vi |ni |du |jag )([^?]{2,60}?) (?:(?:hos|av|från) oss )?(senast|sist|först)(?: (?:hos|av|från) oss)?\s*\??\s*$/iu,
      (_, who: string, end: string) => `när var ${/^först/iu.test(end) ? 'första' : 'senaste'} ${sold} för ${who}`,
    )

/** What people say of their customers, said by the names of the tables that tell it. */
export function withDealings(question: string, { sold, payable }: Dealings): string {
  const owed = payable === null ? question : saidOfDebts(saidOfDebtors(question, payable), payable)
  return sold === null ? owed : saidOfLastSales(owed, sold)
}
