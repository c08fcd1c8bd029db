import type { Column } from './data-sources'
import type { ColumnKey } from './files'
import { rateHeadings, rateOrder } from './currency-codes'
import { keyEndsOf, type FollowedRelation } from '../query/relation-paths'

/** Which columns of a table a business would look at first, judged by their type, role and name. */
const MEASURES_MAX = 3
const DIMENSIONS_MAX = 5

/** Words of a heading between spaces: `ShipVia`, `net_amount`, `À-pris` → ` ship via `, ` net amount `, ` à pris `. */
const paddedWords = (label: string): string =>
  ` ${label
    .replaceAll(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .replaceAll(/[^\p{L}\d%]+/gu, ' ')
    .trim()} `

/** Figures that do not add up: prices for one piece, shares, ages, places. Swedish writes them in one word. */
const NON_ADDITIVE_NAMES =
  / (\p{L}*pris|price|prices|msrp|rrp|\p{L}*kurs|rate|\p{L}*procent|percent|pct|%|share|\p{L}*andel|\p{L}*rabatt|discount|unit|per|average|avg|\p{L}*snitt|medel|lat|latitude|lon|lng|longitude|\p{L}*år|year|age|ålder|score|betyg|temperature|margin|\p{L}*marginal|tg|\p{L}+grad|ratio|kvot|\p{L}*saldo|balance|row|rad) /u
/** Of amounts, Swedish writes in one word what they are of: `Radbelopp`, `Ordersumma`, `Nettoomsättning`; not `Rabattbelopp`. */
const TOTAL_NAMES =
  / (amount|sum|total|totalt|sales|revenue|net|netto|value|turnover|(rad|order|orderrad|faktura|försäljnings|netto|brutto|total)?(belopp|summa|värde)|(netto|brutto|total|varu)?(försäljning|omsättning)) /
const COST_NAMES = / (cost|costs|kostnad|kostnader|inköp|inköpspris|varukostnad|cogs) /

/** What is earned by serving somebody: a cost by its name alone, the amount where a cost stands beside it. */
const EARNED_NAMES =
  / (fees?|arvode|arvoden|avgift|avgifter|premiums?|premie|premier|charges?|rent|hyra|hyror|tuition|fare|fares|mrr|arr|billed|invoiced|fakturerat|intäkt|intäkter|income) /u

/** What is left of amounts. */
const RESULT_NAMES =
  / (profit|profits|earnings|ebitda?|ebit|\p{L}*vinst|\p{L}*resultat|result|contribution|täckningsbidrag|tb\d?) /u

/** By its name, what is left of an amount after its costs. */
export const isResultAmount = ({ label }: Pick<Column, 'label'>): boolean => RESULT_NAMES.test(paddedWords(label))
/** By its name, what was paid or earned as a whole. */
export const isTotalAmount = ({ label }: Pick<Column, 'label'>): boolean => TOTAL_NAMES.test(paddedWords(label))
/** By its name, what something cost. */
export const isCostAmount = ({ label }: Pick<Column, 'label'>): boolean => COST_NAMES.test(paddedWords(label))

/** Sizes, durations and extents: what a machine measures of a thing, which no business is run by. */
const TECHNICAL_NAMES =
  / (bytes?|kb|mb|gb|bits?|milliseconds?|millis|ms|microseconds?|nanoseconds?|seconds?|secs?|sekunder|duration|\p{L}*längd|length|width|\p{L}*bredd|height|\p{L}*höjd|depth|\p{L}*djup|pixels?|pixlar|size|\p{L}*storlek|resolution|upplösning|latency|\p{L}*byte) /u
/** What one piece costs. */
const UNIT_PRICE_NAMES = / (\p{L}*pris|price) /u
/** How many pieces. */
const QUANTITY_NAMES = / (quantity|qty|antal|kvantitet|mängd|units|pieces|volume) /

/** By its name, a measure of a machine: `Milliseconds`, `File size`, `Filstorlek`. */
export const isTechnicalMeasure = ({ label }: Pick<Column, 'label'>): boolean =>
  TECHNICAL_NAMES.test(paddedWords(label))

/** By its format or name, an amount of money. What may cost or be counted is money where it has decimals. */
export const isMoney = (column: Pick<Column, 'label' | 'format' | 'scale'>): boolean =>
  column.format.style === 'currency' ||
  isTotalAmount(column) ||
  isCostAmount(column) ||
  UNIT_PRICE_NAMES.test(paddedWords(column.label)) ||
  ((column.scale ?? 0) > 0 && expectedDirection(column.label) !== null)

/** A figure that is money, what is left of it, or a ratio of such. */
export const isMoneyFigure = (of: { label: string; format: Column['format']; scale: number | null }): boolean =>
  of.format.style === 'percent' ||
  of.label.includes(' × ') ||
  isResultAmount(of) ||
  isMoney({ ...of, scale: of.scale ?? 0 })

/** The last word of the name of a number, a code or a place in a list, in English and Swedish. */
const KEY_NAME =
  / (id|uuid|guid|key|\p{L}*nyckel|no|nr|num|number|\p{L}*nummer|\p{L}{3,}nr|ref|reference|referens|code|\p{L}*kod|via|zip|postal|postcode|phone|tel|telefon|extension|ext|fax|ean|gtin|upc|sku|isbn|ocr|iban|type|typ|status|level|nivå|rank|index|sequence|version|batch|serial|parent|zone|\p{L}*konto|account|to|by|year|month|week|weekday|quarter|år|månad|vecka|veckodag|kvartal|period) $/u
/** Words that make a figure of what stands beside them: "Number of orders", "Kontobelopp". */
const FIGURE_NAMES = / (antal|count|qty|quantity|sum|summa|total|totals|totalt|amount|belopp|value|värde|of|av|per) /

/** Periods that figures are of: "Sales this year", "Förra året". */
const COMPARED_PERIODS =
  / (this|last|previous|prior|i|denna|detta|förra|föregående) (year|month|week|quarter|period|år|året|månad|månaden|vecka|veckan|kvartal|kvartalet) /u

/** By its name, figures of a period that is compared with another: `Sales this year`; not `Year`, `Fiscal year`. */
export const isOfComparedPeriod = (label: string): boolean => COMPARED_PERIODS.test(paddedWords(label))

/** By its name, a number, code or place in a list: `ShipVia`, `Order no`, `Kundnummer`; not `Number of orders`. */
export function isKeyName(label: string): boolean {
  const words = paddedWords(label)
  return KEY_NAME.test(words) && !FIGURE_NAMES.test(words) && !COMPARED_PERIODS.test(words)
}

/** Columns that relations join by: key and foreign key. */
export type JoinColumns = ReadonlySet<ColumnKey>
const NO_JOINS: JoinColumns = new Set()

/** Words of the headings of names, and of keys beside them, in English and Swedish. */
const NAME_WORDS = / (name|names|namn|\p{L}+namn|title|titel|benämning) $/u
const STEM_ENDINGS = /(namn|nummer|nr|kod|id)?( (name|names|title|id|uuid|guid|key|no|nr|num|number|ref|code))?$/u

/** By its heading, what things are called: `Name`, `Customer name`, `Kundnamn`. */
export const isNameColumn = ({ label, type }: Pick<Column, 'label' | 'type'>): boolean =>
  type === 'text' && NAME_WORDS.test(paddedWords(label))
/** What a name or a key is of: `Customer name`, `Customer no` → `customer`; '' where its heading does not say. */
export const nameStem = (label: string): string => paddedWords(label).trimEnd().replace(STEM_ENDINGS, '').trim()

/** Whether its values only name things, so that adding them up means nothing: by role, by name, by being joined by. */
export const isKeyColumn = ({ key, role, label }: Column, joins: JoinColumns = NO_JOINS): boolean =>
  role === 'id' || joins.has(key) || isKeyName(label)

/** A relation as columns are judged by it. */
type KeyRelation = Pick<FollowedRelation, 'from' | 'to' | 'further'>
/** The columns of a dataset that relations join by, at either end. */
export const joinColumnsOf = (dataset: string, relations: readonly KeyRelation[]): JoinColumns =>
  new Set(relations.flatMap(keyEndsOf).flatMap((end) => (end.dataset === dataset ? [end.key] : [])))

/** When somebody was born says nothing of when anything happened. */
const BIRTH_NAMES = / (birth|birthday|birthdate|born|dob|född|födelse\p{L}*) /u

/** The column that says when. */
export const primaryDateColumn = (columns: readonly Column[]): Column | undefined =>
  columns.find(
    ({ type, role, hidden, label }) =>
      !hidden && role === 'time' && (type === 'date' || type === 'datetime') && !BIRTH_NAMES.test(paddedWords(label)),
  )

const SETTLED_NAMES = / (paid|received|collected|settled|betalt|betald|inbetalt|inbetald) /u
const SETTLED_DATES =
  / (paid|payment|received|receipt|settled|settlement|betald|\p{L}*betaldatum|\p{L}*betaldag|\p{L}*betalningsdatum|\p{L}*betalningsdag) /u
/** By its name, what has been paid of an amount so far: of the newest documents little has, whatever the business does. */
export const isSettledAmount = ({ label }: Pick<Column, 'label'>): boolean => SETTLED_NAMES.test(paddedWords(label))
/** When that was. */
export const settlementDateColumn = (columns: readonly Column[]): Column | undefined =>
  columns.find(
    ({ type, role, hidden, label }) =>
      !hidden && role === 'time' && (type === 'date' || type === 'datetime') && SETTLED_DATES.test(paddedWords(label)),
  )

/** Amounts before something is taken off them. */
const GROSS_NAMES = / (gross|brutto|brutto(belopp|summa|värde|försäljning|omsättning)) /

/** A price of one piece, or of a list. */
const LISTED_PRICES = / (unit|per|each|list|listed|base|retail|styck|st|à|listpris|styckpris|enhetspris) /u
/** What the things of a list are called. */
const isNameOfThings = (column: Column): boolean =>
  isNameColumn(column) && /^(|product|item|article|artikel|produkt)$/u.test(nameStem(column.label))

/**
 * What was asked for the whole of a row: the price of a shipment, a trip, a repair. Its rows happened some day, name what they cost
 * and no number of pieces, and are no list of things; where one is billed otherwise, that is the amount. Such prices add up.
 */
function chargedPrice(columns: readonly Column[], joins: JoinColumns): Column | undefined {
  if (!primaryDateColumn(columns) || quantityColumn(columns, joins) || columns.some(isNameOfThings)) return undefined
  const figures = measureColumns(columns).filter((column) => !isKeyColumn(column, joins))
  const plain = figures.filter(({ label }) => !NON_ADDITIVE_NAMES.test(paddedWords(label)))
  const [price, ...others] = unitPriceColumns(columns).filter(({ label }) => !LISTED_PRICES.test(paddedWords(label)))
  const isBilled = plain.some((column) => (isTotalAmount(column) && !isLowerBetter(column)) || isEarned(column))
  return price && others.length === 0 && !isBilled && plain.some(isCostAmount) ? price : undefined
}

/** Figures that can be added up, what a business would look at first standing first. */
export function additiveMeasureColumns(columns: readonly Column[], joins: JoinColumns = NO_JOINS): Column[] {
  const charged = chargedPrice(columns, joins)
  const rank = (column: Column): number =>
    (isTotalAmount(column) || column === charged ? 2 : isResultAmount(column) ? 1.5 : 0) -
    // What was sold before anything was taken off it says less than what is left.
    (GROSS_NAMES.test(paddedWords(column.label)) ? 0.6 : 0) +
    (column.format.style === 'currency' ? 1 : 0) -
    (isCostAmount(column) || expectedDirection(column.label) === 'down' ? 4 : 0) -
    (isTechnicalMeasure(column) ? 8 : 0)
  const rates = rateHeadings(columns.map(({ label }) => label))
  return measureColumns(columns)
    .filter(({ format }) => format.style !== 'percent')
    .filter((column) => column === charged || !NON_ADDITIVE_NAMES.test(paddedWords(column.label)))
    .filter((column) => !isKeyColumn(column, joins) && !rates.has(column.label))
    .toSorted((a, b) => rank(b) - rank(a))
    .slice(0, MEASURES_MAX)
}

/** Exchange rates, those most asked for first: their sum means nothing, their average and their latest value do. */
export function rateColumns(columns: readonly Column[]): Column[] {
  const rates = rateHeadings(columns.map(({ label }) => label))
  return measureColumns(columns)
    .filter(({ label }) => rates.has(label))
    .toSorted((a, b) => rateOrder(a.label) - rateOrder(b.label))
    .slice(0, MEASURES_MAX)
}

const measureColumns = (columns: readonly Column[]): Column[] =>
  columns.filter(({ type, role, hidden }) => !hidden && role === 'measure' && (type === 'number' || type === 'integer'))

/** An amount, and what is left of it or what it cost; null where the columns do not name both. */
export function marginColumns(
  columns: readonly Column[],
  joins: JoinColumns = NO_JOINS,
): { amount: Column; result: Column; cost?: undefined } | { amount: Column; result?: undefined; cost: Column } | null {
  const figures = measureColumns(columns)
    .filter((column) => column.format.style !== 'percent' && !isKeyColumn(column, joins))
    .filter((column) => !NON_ADDITIVE_NAMES.test(paddedWords(column.label)))
  const isSold = (column: Column): boolean =>
    isTotalAmount(column) && !isResultAmount(column) && !isLowerBetter(column) && !isTechnicalMeasure(column)
  const isAlike = (a: Column, b: Column): boolean => JSON.stringify(a.format) === JSON.stringify(b.format)
  const named = figures.filter(isSold)
  const earned = named.length > 0 ? named : figures.filter(isEarned)
  const charged = chargedPrice(columns, joins)
  const amounts = earned.length === 0 && charged ? [charged] : earned
  const amount = amounts.find(({ label }) => !GROSS_NAMES.test(paddedWords(label))) ?? amounts[0]
  if (!amount) return null
  const result = figures.find((column) => isResultAmount(column) && isAlike(column, amount))
  if (result) return { amount, result }
  const cost = figures.find((column) => isCostAmount(column) && isAlike(column, amount))
  return cost ? { amount, cost } : null
}

/** A fee, a rent or a premium, unless another word of its name says that it is paid: "Freight fees". */
const isEarned = (column: Column): boolean =>
  EARNED_NAMES.test(paddedWords(column.label)) &&
  !isTechnicalMeasure(column) &&
  !isCostAmount(column) &&
  paddedWords(column.label)
    .trim()
    .split(' ')
    .every((word) => EARNED_NAMES.test(` ${word} `) || !LOWER_IS_BETTER.test(word))

/**
 * Which way a measure of a table is better: what is earned by serving somebody is an amount where its cost stands beside it.
 * A fee or a rent that is the only money of its table may be earned or paid: null.
 */
export function directionAmong(
  column: Column,
  columns: readonly Column[],
  joins: JoinColumns = NO_JOINS,
): 'up' | 'down' | null {
  if (marginColumns(columns, joins)?.amount.key === column.key) return 'up'
  const isAlone = additiveMeasureColumns(columns, joins).every((other) => other.key === column.key || !isMoney(other))
  return isAlone && isEarned(column) && expectedDirection(column.label) === 'down'
    ? null
    : expectedDirection(column.label)
}

/** By its name, when somebody was engaged or joined, not when anything happened. */
export const isEngagementDate = ({ label }: Pick<Column, 'label'>): boolean => ENGAGEMENT_NAMES.test(paddedWords(label))
const ENGAGEMENT_NAMES =
  / (hire|hired|hiring|joined|joining|signup|sign up|registered|anställd|\p{L}*anställning\p{L}*) /u

/** What an agreement brings each month or year as long as it runs. */
const RECURRING_NAMES = / (mrr|arr|recurring|återkommande) /
/** When an agreement began. */
const BEGINNING_NAMES =
  / (start|starts|started|starting|begin|begins|began|signup|signups|signed|sign up|subscribed|activated|activation|created|joined|startdatum|startdag|tecknad|tecknat|tecknades|påbörjad) /

/**
 * What the sum of a column is called by the date of its table: what agreements bring each month, by when they began, is what is
 * new that month and not what is running.
 */
export function summedName(column: Pick<Column, 'label'>, columns: readonly Column[]): string {
  const date = primaryDateColumn(columns)
  const isNew =
    date !== undefined &&
    RECURRING_NAMES.test(paddedWords(column.label)) &&
    BEGINNING_NAMES.test(paddedWords(date.label))
  return isNew ? `New ${column.label}` : column.label
}

/** The column that says how many pieces a row is about. */
export const quantityColumn = (columns: readonly Column[], joins: JoinColumns = NO_JOINS): Column | undefined =>
  measureColumns(columns).find(
    (column) => !isKeyColumn(column, joins) && QUANTITY_NAMES.test(paddedWords(column.label)),
  )
/** The columns that say what one piece is sold for. */
export const unitPriceColumns = (columns: readonly Column[]): Column[] =>
  measureColumns(columns).filter(
    (column) => UNIT_PRICE_NAMES.test(paddedWords(column.label)) && !isCostAmount(column) && !isKeyColumn(column),
  )
/** An amount of money that a business wants more of. */
export const isEarnedAmount = (column: Column): boolean => isMoney(column) && !isLowerBetter(column)

/** Lines of documents that name a quantity and the price of one, and no amount: the columns whose product is one. */
export function lineAmountColumns(
  columns: readonly Column[],
  joins: JoinColumns = NO_JOINS,
): { quantity: Column; price: Column } | null {
  const figures = measureColumns(columns).filter((column) => !isKeyColumn(column, joins))
  const quantity = quantityColumn(columns, joins)
  const price = figures.find(({ label }) => UNIT_PRICE_NAMES.test(paddedWords(label)))
  const hasAmount = additiveMeasureColumns(columns, joins).some(isEarnedAmount)
  return quantity && price && quantity !== price && !hasAmount ? { quantity, price } : null
}
const isLowerBetter = (column: Column): boolean => isCostAmount(column) || expectedDirection(column.label) === 'down'

/**
 * What a business looks at first: 0 money, 1 quantity times price, 2 counts of documents, 3 other quantities, 4 counts of
 * what is only listed, 5 measures of machines.
 */
export const BUSINESS_RANKS = { money: 0, lineAmount: 1, documents: 2, quantity: 3, register: 4, technical: 5 } as const
export type BusinessRank = (typeof BUSINESS_RANKS)[keyof typeof BUSINESS_RANKS]

/** The rank of a column that is added up. */
export const measureRank = (column: Column): BusinessRank =>
  isTechnicalMeasure(column)
    ? BUSINESS_RANKS.technical
    : isMoney(column)
      ? BUSINESS_RANKS.money
      : BUSINESS_RANKS.quantity

/** The rank of the best that a table has to measure; `isDocument`: its rows happened some day, so that they can be counted. */
export function tableRank(
  columns: readonly Column[],
  isDocument: boolean,
  joins: JoinColumns = NO_JOINS,
): BusinessRank {
  const ranks: BusinessRank[] = [
    ...(isDocument ? [BUSINESS_RANKS.documents] : []),
    ...(lineAmountColumns(columns, joins) ? [BUSINESS_RANKS.lineAmount] : []),
    ...additiveMeasureColumns(columns, joins).map(measureRank),
  ]
  return ranks.toSorted((a, b) => a - b)[0] ?? BUSINESS_RANKS.register
}

/** Words for reaching or describing one: groups of nothing. */
const CONTACT_NAMES =
  / (contact|address|street|\p{L}*adress|gata|email|mail|epost|e post|phone|telefon|fax|mobil|url|website|image|photo|picture|foto|bild|logo|path|filename|zip|postal|postcode|postnummer|postnr|comment|comments|kommentar|note|notes|description|beskrivning) /u

/** What a business is organised by, in English and Swedish. */
const BUSINESS_GROUPS =
  / (\p{L}*category|\p{L}*product|products|segment|region|country|state|province|county|city|town|market|territory|customer|company|client|channel|brand|department|division|team|store|shop|branch|supplier|vendor|carrier|airline|publisher|platform|line|genre|employee|last name|surname|efternamn|rep|salesperson|payment|clinic|practice|site|location|facility|venue|club|gym|restaurant|hotel|warehouse|depot|plant|office|practitioner|doctor|dentist|therapist|trainer|instructor|course|treatment|service|plan|membership|\p{L}*kategori|\p{L}*produkt|artikel|(?!moms|skatt|konto|valuta|åtkomst|användar)\p{L}*grupp|klinik|mottagning|anläggning|lokal|restaurang|hotell|lager|depå|kontor|behandlare|läkare|tandläkare|tränare|instruktör|kurs|behandling|tjänst|\p{L}*abonnemang|medlemskap|land|län|kommun|stad|ort|marknad|kund|\p{L}*kanal|märke|avdelning|butik|leverantör|distrikt|säljare) /u
/** By its name, what a business is organised by: products, customers, places, people who sell. */
export const isBusinessGroup = (label: string): boolean => BUSINESS_GROUPS.test(paddedWords(label))

/** By its name, a kind of what is bought and sold: `Category`, `Genre`, `Varugrupp`. */
export const isCategory = (label: string): boolean => CATEGORY_NAMES.test(paddedWords(label))
const CATEGORY_NAMES = / (\p{L}*category|genre|brand|\p{L}*kategori|(varu|produkt|artikel|sortiments)grupp|märke) /u

/** By its name, a property of rows, whose values say nothing without it: `Parcel size` of "Large", `Kundtyp` of "Privat". */
export const isAttributeColumn = (label: string): boolean => ATTRIBUTE_NAMES.test(paddedWords(label))
const ATTRIBUTE_NAMES =
  / (size|class|grade|tier|level|priority|status|stage|type|kind|mode|method|terms|condition|colou?r|material|shift|gender|sex|segment|\p{L}*(storlek|klass|nivå|prioritet|typ|sort|metod|villkor|skick|färg|skift|kön|segment)) $/u

/** By its name, a way to reach or describe one, or a part of a name: groups of nothing. */
export const isContactColumn = ({ label }: Pick<Column, 'label'>): boolean =>
  CONTACT_NAMES.test(paddedWords(label)) || NAME_PARTS.test(paddedWords(label))
const NAME_PARTS = / (first|middle|given) name |(förnamn) /u

/** Columns that may tell groups apart. */
export const dimensionColumns = (columns: readonly Column[]): Column[] =>
  columns
    .filter(({ type, role, hidden }) => !hidden && role === 'dimension' && (type === 'text' || type === 'boolean'))
    .filter(({ label }) => !CONTACT_NAMES.test(paddedWords(label)))
    .slice(0, DIMENSIONS_MAX)

/** What costs: less of it is better. Swedish compounds end (or, of freight and returns, begin) in the word. */
const LOWER_IS_BETTER = new RegExp(
  `^(${[
    'costs?|cogs|expenses?|expenditures?|spend|spending|freight|shipping|postage|fees?|tax|taxes|fines?|penalt(y|ies)',
    'discounts?|rebates?|returns|returned|refunds?|refunded|chargebacks?|credit ?notes?|complaints?|claims?|tickets|incidents?',
    'overdue|damaged?|damages|breakages?|defective|faulty|rejected|rejections?|disputed?|disputes|missed|failed|late|lateness|delays?|delayed|arrears|churn|churned|cancellations?|cancelled|canceled|unsubscribes?',
    'wages?|salary|salaries|payroll|rent|depreciation|waste|scrap|loss|losses|shrinkage|defects?|errors?|failures?|bugs',
    'downtime|outages?|absences?|absenteeism|debts?|liabilit(y|ies)|backlog|shortages?|stockouts?|emissions?',
    '\\p{L}*(kostnad|kostnader|kostnaden|utgift|utgifter|avgift|avgifter|rabatt|rabatter|reklamation|reklamationer|klagomål|förlust|förluster)',
    '\\p{L}*(försening|förseningar|dröjsmål|svinn|kassation|kassationer|skuld|skulder|frånvaro|avskrivning|avskrivningar|lön|löner|hyra|hyror)',
    'frakt\\p{L}*|porto|retur\\p{L}*|försenad\\p{L}*|reklamerad\\p{L}*|skada|skador|skadad\\p{L}*|inköp|inköpspris|ränta|räntor|skatt|skatter|spill|avhopp|uppsägningar|avbokningar|fel|utsläpp',
  ].join('|')})$`,
  'u',
)
const HIGHER_IS_BETTER =
  /^(sales|revenues?|income|turnover|profit|profits|margin|earnings|ebitda?|bookings?|growth|gain|gains|\p{L}*(försäljning|omsättning|intäkt|intäkter|vinst|resultat|marginal|lönsamhet)|täckningsbidrag|täckningsgrad|tb\d?|tg)$/u
/** What follows one of these says more of what came before: "Cost of sales", "Revenue after discounts". */
const NAME_BREAK =
  / (of|after|before|less|net of|excl|excluding|incl|including|with|without|minus|for|av|efter|före|exkl|inkl|utan|med|minus|för) /

/**
 * Which way a measure is better, guessed from the word that its name is about: `Freight`, `Sales returns`, `Personalkostnad`
 * are better low, `Revenue after discounts` high. Null where the name says nothing.
 */
export function expectedDirection(label: string): 'up' | 'down' | null {
  const words = paddedWords(label)
  const [head = '', ...rest] = words.split(NAME_BREAK).filter((_, at) => at % 2 === 0)
  return directionOfWords(head) ?? directionOfWords(rest.join(' '))
}

/** Who did not come: told by two words. */
const ABSENT_NAMES = /(^| )(no shows?|did not attend|uteblev|uteblivna?|uteblivet|utebliven)( |$)/u

function directionOfWords(text: string): 'up' | 'down' | null {
  if (ABSENT_NAMES.test(text)) return 'down'
  const words = text.trim().split(' ')
  for (const word of words.toReversed()) {
    if (LOWER_IS_BETTER.test(word)) return 'down'
    if (HIGHER_IS_BETTER.test(word)) return 'up'
  }
  return null
}
