import { otherWordsOf } from './word-groups'
import { wordTable } from '../../../../lib/word-table'

/** Words of headings that are short for others. */
export const ABBREVIATIONS: Readonly<Record<string, string>> = wordTable({
  cust: 'customer',
  acct: 'account',
  acc: 'account',
  addr: 'address',
  amt: 'amount',
  avg: 'average',
  bal: 'balance',
  cat: 'category',
  cnt: 'count',
  crtd: 'created',
  ctry: 'country',
  curr: 'currency',
  dept: 'department',
  desc: 'description',
  diag: 'diagnosis',
  dob: 'birth date',
  doc: 'doctor',
  dt: 'date',
  emp: 'employee',
  exch: 'exchange',
  fname: 'first name',
  lname: 'last name',
  hosp: 'hospital',
  inst: 'institution',
  inv: 'invoice',
  loc: 'location',
  mfr: 'manufacturer',
  mgr: 'manager',
  mod: 'modified',
  msg: 'message',
  mtd: 'method',
  nbr: 'number',
  no: 'number',
  nr: 'number',
  num: 'number',
  org: 'organization',
  pct: 'percent',
  pref: 'preferred',
  prod: 'product',
  prof: 'professor',
  pub: 'publication',
  qty: 'quantity',
  reg: 'registration',
  rep: 'representative',
  spec: 'specialty',
  stat: 'status',
  tel: 'phone',
  temp: 'temperature',
  trans: 'transaction',
  ts: 'timestamp',
  tx: 'transaction',
  txn: 'transaction',
  univ: 'university',
  upd: 'updated',
  val: 'value',
  ver: 'verifikation',
  lev: 'leverantor',
  fakt: 'faktura',
  kst: 'kostnadsstalle',
  vol: 'volume',
  wt: 'weight',
  yr: 'year',
})

/** Words for one thing, in English and Swedish, in the singular. The first one is what it is called mostly. */
const GROUPS: readonly string[][] = [
  ['customer', 'client', 'buyer', 'shopper', 'consumer', 'kund', 'purchaser'],
  ['assignee', 'assigned to', 'assigned', 'handler', 'handlaggare', 'ansvarig', 'tilldelad', 'responsible'],
  ['employee', 'staff', 'worker', 'anstalld', 'medarbetare', 'personal', 'personnel', 'colleague'],
  [
    'salesperson',
    'sales representative',
    'sales rep',
    'salesman',
    'sales person',
    'seller',
    'saljare',
    'sales agent',
    'sold by',
  ],
  ['vendor', 'supplier', 'leverantor'],
  ['product', 'item', 'article', 'good', 'produkt', 'artikel', 'vara', 'merchandise', 'dish', 'ratt', 'matratt'],
  ['order', 'purchase', 'bestallning', 'kop', 'ordrar'],
  ['sale', 'forsaljning', 'deal', 'purchase'],
  ['revenue', 'turnover', 'omsattning', 'intakt', 'income', 'earning'],
  ['cost', 'expense', 'kostnad', 'expenditure', 'spend', 'spending', 'utgift'],
  ['price', 'pris', 'selling price'],
  ['amount', 'belopp', 'value', 'sum', 'summa'],
  ['quantity', 'unit', 'antal', 'volume', 'kvantitet', 'pieces', 'number'],
  ['store', 'shop', 'butik', 'outlet', 'branch'],
  ['city', 'town', 'stad', 'ort'],
  ['country', 'land', 'nation'],
  ['region', 'area', 'omrade', 'district', 'distrikt'],
  ['category', 'kategori', 'kind', 'class', 'type', 'group', 'typ', 'slag'],
  ['doctor', 'physician', 'clinician', 'lakare'],
  ['patient', 'case'],
  ['drug', 'medicine', 'medication', 'lakemedel'],
  ['treatment', 'therapy', 'behandling'],
  ['disease', 'diagnosis', 'condition', 'illness', 'diagnos', 'sjukdom'],
  ['payment', 'betalning', 'payout', 'inbetalning'],
  ['invoice', 'bill', 'faktura'],
  ['receipt', 'kvitto', 'kvitton', 'kop', 'purchase'],
  ['date', 'datum', 'day', 'dag', 'when', 'time'],
  ['name', 'namn', 'title', 'titel', 'benamning'],
  ['author', 'writer', 'researcher', 'forfattare'],
  ['paper', 'publication', 'article', 'artikel'],
  ['movie', 'film'],
  ['song', 'track', 'lat'],
  ['university', 'college', 'school', 'universitet', 'skola', 'institution'],
  ['student', 'pupil', 'elev'],
  ['teacher', 'instructor', 'professor', 'lecturer', 'larare', 'tutor'],
  ['course', 'class', 'kurs', 'subject'],
  ['department', 'avdelning', 'division', 'faculty'],
  ['rating', 'score', 'betyg', 'stars', 'grade'],
  ['salary', 'wage', 'lon', 'pay'],
  ['user', 'member', 'anvandare', 'medlem', 'subscriber'],
  ['car', 'vehicle', 'automobile', 'bil', 'fordon'],
  ['message', 'notification', 'meddelande'],
  [
    'phone',
    'telephone',
    'telefon',
    'phone number',
    'telefonnummer',
    'mobilnummer',
    'mobil',
    'mobile',
    'cell phone',
    'contact number',
  ],
  ['email', 'mail', 'e post', 'epost', 'email address', 'e mail'],
  ['address', 'adress'],
  ['property', 'building', 'fastighet', 'hus'],
  ['zip code', 'postal code', 'postcode', 'zip', 'postnummer'],
  ['status', 'state', 'stage'],
  ['warehouse', 'lager', 'depot'],
  ['project', 'projekt'],
  ['job', 'jobb', 'work order', 'arbetsorder', 'uppdrag', 'assignment', 'task'],
  ['account', 'konto'],
  ['employer', 'company', 'firm', 'business', 'foretag', 'bolag', 'merchant'],
  ['stock', 'share', 'security', 'ticker', 'aktie'],
  ['trade', 'transaction', 'transaktion', 'affar'],
  ['coupon', 'voucher', 'rabattkod', 'discount code'],
  ['discount', 'rabatt', 'rebate'],
  ['tax', 'vat', 'moms', 'skatt'],
  ['profit', 'vinst', 'resultat', 'gain'],
  ['commission', 'provision'],
  ['fee', 'avgift', 'charge'],
  ['population', 'inhabitant', 'folkmangd', 'people'],
  ['area', 'yta', 'surface', 'size'],
  ['m2', 'kvm', 'kvadratmeter', 'sqm', 'square meters', 'square metres'],
  ['length', 'langd'],
  ['height', 'elevation', 'altitude', 'hojd'],
  ['abstract', 'summary'],
  ['conference', 'venue', 'konferens'],
  ['keyword', 'topic', 'nyckelord'],
  ['organization', 'organisation', 'affiliation'],
  ['claim', 'skada', 'skadeanmalan'],
  ['policy', 'forsakring', 'policies'],
  ['policyholder', 'policy holder', 'insured'],
  ['premium', 'premie'],
  ['agent', 'broker', 'maklare'],
  ['credit', 'credit hour', 'poang'],
  ['term', 'semester', 'termin'],
  ['enrollment', 'registration', 'signup', 'sign up', 'registrering'],
  ['visit', 'appointment', 'besok', 'consultation', 'booking', 'bokning'],
  ['session', 'login', 'log in'],
  ['delivery', 'shipment', 'leverans', 'shipping'],
  ['return', 'retur', 'refund'],
  ['comment', 'remark', 'kommentar', 'feedback'],
  ['gender', 'sex', 'kon'],
  ['manager', 'chef', 'boss', 'head', 'supervisor'],
  ['year', 'ar'],
  ['month', 'manad'],
  ['week', 'vecka'],
  ['weight', 'vikt'],
  ['age', 'alder'],
  ['hire date', 'hired', 'start date', 'employment date', 'hiring date', 'anstallningsdatum'],
  ['termination date', 'fired', 'terminated', 'end date', 'left date', 'leaving date', 'termination'],
]

/** Other words for the same thing, of a word or words without spaces. */
export const synonymsOf = otherWordsOf(GROUPS)

/** Codes of states and countries, where data hold the one and people say the other. */
const STATES =
  'AL Alabama|AK Alaska|AZ Arizona|AR Arkansas|CA California|CO Colorado|CT Connecticut|DE Delaware|FL Florida|GA Georgia|HI Hawaii|ID Idaho|IL Illinois|IN Indiana|IA Iowa|KS Kansas|KY Kentucky|LA Louisiana|ME Maine|MD Maryland|MA Massachusetts|MI Michigan|MN Minnesota|MS Mississippi|MO Missouri|MT Montana|NE Nebraska|NV Nevada|NH New Hampshire|NJ New Jersey|NM New Mexico|NY New York|NC North Carolina|ND North Dakota|OH Ohio|OK Oklahoma|OR Oregon|PA Pennsylvania|RI Rhode Island|SC South Carolina|SD South Dakota|TN Tennessee|TX Texas|UT Utah|VT Vermont|VA Virginia|WA Washington|WV West Virginia|WI Wisconsin|WY Wyoming'
const COUNTRIES =
  'US United States|US USA|US America|GB United Kingdom|UK United Kingdom|GB UK|SE Sweden|SE Sverige|NO Norway|NO Norge|DK Denmark|DK Danmark|FI Finland|DE Germany|DE Tyskland|FR France|FR Frankrike|ES Spain|IT Italy|NL Netherlands|BE Belgium|CH Switzerland|AT Austria|PL Poland|IE Ireland|PT Portugal|CA Canada|MX Mexico|BR Brazil|AU Australia|NZ New Zealand|JP Japan|CN China|IN India|SG Singapore|ZA South Africa'
/** Of a country, as people say it: with the words that data may have for it. */
const DEMONYMS =
  'swedish SE Sweden|svensk SE Sverige|svenska SE Sverige|norwegian NO Norway|danish DK Denmark|finnish FI Finland|german DE Germany|tysk DE Tyskland|tyska DE Tyskland|french FR France|spanish ES Spain|italian IT Italy|dutch NL Netherlands|belgian BE Belgium|swiss CH Switzerland|austrian AT Austria|polish PL Poland|irish IE Ireland|portuguese PT Portugal|british GB United Kingdom|british UK UK|american US United States|american US USA|canadian CA Canada|mexican MX Mexico|brazilian BR Brazil|australian AU Australia|japanese JP Japan|chinese CN China|indian IN India'
const codes = new Map<string, Set<string>>()
for (const pair of `${STATES}|${COUNTRIES}`.split('|')) {
  const [code, name] = [pair.slice(0, 2).toLowerCase(), pair.slice(3).toLowerCase()]
  for (const [from, to] of [
    [code, name],
    [name, code],
  ] as const)
    codes.set(from, (codes.get(from) ?? new Set()).add(to))
}
for (const line of DEMONYMS.split('|')) {
  const [word = '', code = '', ...name] = line.toLowerCase().split(' ')
  codes.set(word, (codes.get(word) ?? new Set()).add(code).add(name.join(' ')))
}
const GENDERS: readonly [RegExp, readonly string[]][] = [
  [/^(?:women|woman|females?|kvinnor|kvinnliga?|girls)$/, ['female', 'f', 'woman', 'kvinna', 'k', 'women']],
  [/^(?:men|man|males?|manlig[at]?|boys)$/, ['male', 'm', 'man', 'men']],
]
/** How data write what people say of men and women; only in a column that is called so. */
export const genderCodesOf = (word: string): readonly string[] => GENDERS.find(([words]) => words.test(word))?.[1] ?? []
export const isGenderHeading = (words: readonly string[]): boolean =>
  words.some((word) => /^(?:gender|sex|kon)$/.test(word))

/** What else a folded place may be stored as: `california` as `ca`. */
export const placeNamesOf = (phrase: string): string[] => [...(codes.get(phrase) ?? [])]
