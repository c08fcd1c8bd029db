import type { SampleScenario } from './scenario'
import { dateFromDay, type DayNumber } from './days'
import type { SeededRandom } from './random'

const SEGMENTS = ['Retail', 'Contractor', 'Online', 'Public sector'] as const
type Segment = (typeof SEGMENTS)[number]

export interface Customer {
  number: number
  name: string
  city: string
  country: string
  region: string
  segment: Segment
  salesperson: string
  /** First day as a customer; before it there are no orders. */
  since: DayNumber
  /** How much it buys beside the others. */
  weight: number
  /** Share taken off list prices. */
  discount: number
}

interface SalesArea {
  country: string
  region: string
  salesperson: string
  share: number
  cities: readonly [string, ...string[]]
}
const AREAS: readonly [SalesArea, ...SalesArea[]] = [
  salesArea('Sweden', 'Mälardalen', 'Johan Lindqvist', 0.26, [
    'Örebro',
    'Västerås',
    'Eskilstuna',
    'Enköping',
    'Uppsala',
  ]),
  salesArea('Sweden', 'Väst', 'Sara Bergström', 0.19, ['Göteborg', 'Borås', 'Skövde', 'Trollhättan', 'Halmstad']),
  salesArea('Sweden', 'Syd', 'Mikael Åkesson', 0.17, ['Malmö', 'Helsingborg', 'Växjö', 'Kristianstad', 'Kalmar']),
  salesArea('Sweden', 'Norrland', 'Anna Nyström', 0.11, ['Umeå', 'Luleå', 'Sundsvall', 'Östersund', 'Gävle']),
  salesArea('Norway', 'Østlandet', 'Ingrid Solberg', 0.12, ['Oslo', 'Drammen', 'Hamar', 'Fredrikstad']),
  salesArea('Denmark', 'Sjælland', 'Mikael Åkesson', 0.09, ['København', 'Roskilde', 'Helsingør', 'Køge']),
  salesArea('Finland', 'Nyland', 'Anna Nyström', 0.06, ['Helsingfors', 'Esbo', 'Åbo', 'Lahtis']),
]
function salesArea(
  country: string,
  region: string,
  salesperson: string,
  share: number,
  cities: readonly [string, ...string[]],
): SalesArea {
  return { country, region, salesperson, share, cities }
}

const NAME_STEMS: Record<Segment, readonly [string, ...string[]]> = {
  Retail: ['Bygghuset', 'Järnhandeln', 'Färgboden', 'Trädgårdshallen', 'Byggvaror'],
  Contractor: ['Snickeri & Bygg', 'Markservice', 'Måleri', 'Entreprenad', 'Takteknik'],
  Online: ['Verktygsnätet', 'Byggklick', 'Trädgårdsnätet'],
  'Public sector': ['Kommunförrådet', 'Fastighetsdrift', 'Parkförvaltningen'],
}
const LEGAL_FORM_BY_COUNTRY: Record<string, string> = { Sweden: 'AB', Norway: 'AS', Denmark: 'ApS', Finland: 'Oy' }
const OTHER_CUSTOMERS = 118
const DISCOUNT: Record<Segment, number> = { Retail: 0.08, Contractor: 0.05, Online: 0.1, 'Public sector': 0.06 }

/** The customer that will stop, and the others: few large ones, many small ones, some of them new. */
export function makeCustomers(random: SeededRandom, scenario: SampleScenario): [Customer, ...Customer[]] {
  const names = new Set<string>()
  const others = Array.from({ length: OTHER_CUSTOMERS }, (_, at) =>
    otherCustomer(random, { story: scenario, names, at }),
  )
  const lost: Customer = {
    number: scenario.lostCustomer,
    name: 'Bygghörnan Mälardalen AB',
    city: 'Västerås',
    country: 'Sweden',
    region: 'Mälardalen',
    segment: 'Retail',
    salesperson: 'Johan Lindqvist',
    since: scenario.from - 3_214,
    weight: 5.4,
    discount: 0.12,
  }
  return [lost, ...others]
}

function otherCustomer(
  random: SeededRandom,
  made: { story: SampleScenario; names: Set<string>; at: number },
): Customer {
  const { story, names, at } = made
  const area = random.weighted(AREAS, ({ share }) => share)
  const segment = random.weighted(SEGMENTS, segmentWeight)
  const { city, name } = freshName(random, { area, segment, names })
  const { country, region, salesperson } = area
  // About one in six came during the years of the books: that is where the growth comes from.
  const isNew = at >= 8 && random.unit() < 0.17
  const since = isNew ? story.from + random.int(20, story.today - story.from - 60) : story.from - random.int(60, 5_400)
  const weight = 3.6 / (1 + at * 0.2) + 0.14
  const discount = DISCOUNT[segment] + (at < 12 ? 0.02 : 0)
  return { number: 1002 + at, name, city, country, region, segment, salesperson, since, weight, discount }
}

const segmentWeight = (segment: Segment): number =>
  ({ Retail: 0.46, Contractor: 0.32, Online: 0.12, 'Public sector': 0.1 })[segment]

function freshName(
  random: SeededRandom,
  from: { area: SalesArea; segment: Segment; names: Set<string> },
): { city: string; name: string } {
  for (let tries = 0; ; tries++) {
    const city = random.pick(from.area.cities)
    const kind = random.pick(NAME_STEMS[from.segment])
    const serial = tries > 6 ? ` ${tries - 5}` : ''
    const name = `${kind} ${city}${serial} ${LEGAL_FORM_BY_COUNTRY[from.area.country] ?? 'AB'}`
    if (from.names.has(name)) continue
    from.names.add(name)
    return { city, name }
  }
}

export type SheetCell = string | number | Date
/** The customer sheet: a line of names, then one row for each customer. */
export const customerRows = (customers: readonly Customer[]): SheetCell[][] => [
  ['Customer no', 'Name', 'City', 'Country', 'Segment', 'Customer since'],
  ...customers.map(({ number, name, city, country, segment, since }) => {
    return [number, name, city, country, segment, dateFromDay(since)]
  }),
]
