import { credit, debit } from './books'
import type { VoucherDraft } from './books'
import type { SampleScenario } from './company'
import { dayFromDate, monthsBetween, nextWorkday, yearOf } from './days'
import type { DayNumber } from './days'
import type { SeededRandom } from './random'
import { billPostings } from './trade-postings'
import type { SupplierBill } from './trade-postings'

/** Öre a month. */
const KRONA = 100
const RENT = 168_000 * KRONA
const WAGES = 205_000 * KRONA
const SALARIES = 348_000 * KRONA
const DEPRECIATION = 46_500 * KRONA
const INSTALMENT = 62_500 * KRONA
const SOCIAL_SHARE = 0.3142
const TAX_SHARE = 0.29
const INTEREST_A_QUARTER = 0.0115
const OPENING_LOAN = 4_800_000 * KRONA
/** The one-off of the story. */
const DAMAGE = 742_500 * KRONA

/** Dark months cost more light and heat, January first. */
const POWER = [1.7, 1.6, 1.3, 1.0, 0.8, 0.7, 0.7, 0.75, 0.85, 1.1, 1.4, 1.6]
const CAMPAIGNS = [0.6, 0.8, 1.9, 1.8, 1.4, 0.9, 0.4, 0.9, 1.1, 0.8, 0.8, 0.6]

/** What a company pays whether or not it sells: rent, pay, power, cars, insurance; and the one bill of the story. */
export function costPostings(seededRandom: SeededRandom, sampleScenario: SampleScenario): VoucherDraft[] {
  const monthly = monthsBetween(sampleScenario.from, sampleScenario.today).flatMap((month) => [
    ...monthlyBills(seededRandom, sampleScenario, month),
    ...payroll(sampleScenario, month),
    ...monthEndPostings(sampleScenario, month),
  ])
  return [
    ...monthly,
    ...billPostings(sampleScenario, {
      day: sampleScenario.damage,
      net: DAMAGE,
      text: 'Sanering efter vattenskada i lagret',
      account: 5070,
      costCentre: 20,
    }),
  ]
}

interface Month {
  year: number
  month: number
  last: DayNumber
}
const priceLevel = (sampleScenario: SampleScenario, year: number): number =>
  1 + 0.03 * (year - yearOf(sampleScenario.from))

function monthlyBills(
  seededRandom: SeededRandom,
  sampleScenario: SampleScenario,
  { year, month }: Month,
): VoucherDraft[] {
  const dearer = priceLevel(sampleScenario, year)
  const kronor = (amount: number, spread = 0.12): number =>
    Math.round(seededRandom.scatter(amount * dearer, spread)) * KRONA
  const on = (day: number): DayNumber => nextWorkday(dayFromDate(year, month, day))
  const list: SupplierBill[] = [
    { day: on(1), net: Math.round(RENT * dearer), text: 'Hyra', account: 5010, costCentre: 20 },
    { day: on(12), net: kronor(31_000 * (POWER[month - 1] ?? 1), 0.08), text: 'El', account: 5020, costCentre: 20 },
    { day: on(9), net: kronor(58_000 * (CAMPAIGNS[month - 1] ?? 1)), text: 'Annonser', account: 5910, costCentre: 10 },
    { day: on(15), net: kronor(21_500), text: 'Drivmedel', account: 5611, costCentre: 10 },
    { day: on(3), net: kronor(27_400, 0), text: 'Leasing bilar', account: 5615, costCentre: 10 },
    { day: on(20), net: kronor(9_800, 0.5), text: 'Förbrukningsinventarier', account: 5410, costCentre: 20 },
    { day: on(18), net: kronor(3_900, 0.4), text: 'Kontorsmateriel', account: 6110, costCentre: 30 },
    { day: on(6), net: kronor(6_700, 0.1), text: 'Telefoni', account: 6212, costCentre: 30 },
    { day: on(5), net: kronor(33_500, 0.05), text: 'Affärssystem och IT-drift', account: 6540, costCentre: 30 },
    { day: on(28), net: kronor(2_900, 0.3), text: 'Bankavgifter', account: 6570, costCentre: 30, vatFree: true },
  ]
  if (month === 1)
    list.push({
      day: on(22),
      net: kronor(186_000, 0),
      text: 'Företagsförsäkring',
      account: 6310,
      costCentre: 30,
      vatFree: true,
    })
  if (month === 3)
    list.push({
      day: on(24),
      net: kronor(8_000, 0.3),
      text: 'Revision, utöver reserverat',
      account: 6420,
      costCentre: 30,
    })
  return list.flatMap((one) => billPostings(sampleScenario, one))
}

/** Pay on the 25th; tax and social fees on the 12th of the month after. */
function payroll(sampleScenario: SampleScenario, { year, month }: Month): VoucherDraft[] {
  const day = dayFromDate(year, month, 25)
  if (day > sampleScenario.today) return []
  // Pay is revised in April.
  const raised = priceLevel(sampleScenario, year) * (month >= 4 ? 1.026 : 1)
  const [wages, salaries] = [Math.round(WAGES * raised), Math.round(SALARIES * raised)]
  const tax = Math.round((wages + salaries) * TAX_SHARE)
  const social = Math.round((wages + salaries) * SOCIAL_SHARE)
  const pay: VoucherDraft = {
    day,
    series: 'L',
    text: 'Löner',
    entries: [
      debit(7010, wages, 20),
      debit(7210, Math.round(salaries * 0.6), 10),
      debit(7210, salaries - Math.round(salaries * 0.6), 30),
      credit(2710, tax),
      credit(1930, wages + salaries - tax),
      debit(7510, social, 30),
      credit(2731, social),
    ],
  }
  const due = nextWorkday(dayFromDate(year, month + 1, 12))
  const paid: VoucherDraft = {
    day: due,
    series: 'E',
    text: 'Skatter och avgifter',
    entries: [debit(2710, tax), debit(2731, social), credit(1930, tax + social)],
  }
  return due <= sampleScenario.today ? [pay, paid] : [pay]
}

function monthEndPostings(sampleScenario: SampleScenario, { year, month, last }: Month): VoucherDraft[] {
  if (last > sampleScenario.today) return []
  const wear: VoucherDraft = {
    day: last,
    series: 'A',
    text: 'Avskrivning',
    entries: [debit(7832, DEPRECIATION, 20), credit(1229, DEPRECIATION)],
  }
  if (month % 3 !== 0) return [wear]
  const paidBefore = ((year - yearOf(sampleScenario.from)) * 4 + month / 3 - 1) * INSTALMENT
  const interest = Math.round((OPENING_LOAN - paidBefore) * INTEREST_A_QUARTER)
  const loan: VoucherDraft = {
    day: last,
    series: 'E',
    text: 'Amortering och ränta',
    entries: [debit(2350, INSTALMENT), debit(8410, interest), credit(1930, INSTALMENT + interest)],
  }
  return [wear, loan]
}
