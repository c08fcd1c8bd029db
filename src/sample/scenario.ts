import { dayFromDate, dayFromIso, nextWorkday, yearOf, type DayNumber } from './days'

/** Who the made-up company is. The number passes the checksum and is the one that guides print: nobody's. */
export const COMPANY = {
  name: 'Nordviks Grossist AB (exempelbolag)',
  shortName: 'Nordviks Grossist',
  orgNumber: '555555-5555',
  contact: 'Karin Nordvik',
  street: 'Exempelgatan 1',
  town: '702 10 Örebro',
  phone: '019-000 00 00',
} as const

export const SAMPLE_SEED = 20_210_417
export const FISCAL_YEARS = 3

/** What happens in the company's books, all of it relative to the day on which they end. */
export interface SampleScenario {
  /** First day of the first of the fiscal years. */
  from: DayNumber
  today: DayNumber
  /** From here on purchases of one product group grow dearer while its prices stay. */
  slipFrom: DayNumber
  slippingGroup: 'Paint'
  /** The last order of the customer that stops. */
  lastOrder: DayNumber
  lostCustomer: number
  /** Water in the warehouse: one bill. */
  damage: DayNumber
}

export function scenarioEndingOn(todayIso: string): SampleScenario {
  const today = dayFromIso(todayIso)
  return {
    from: dayFromDate(yearOf(today) - (FISCAL_YEARS - 1), 1, 1),
    today,
    slipFrom: today - 190,
    slippingGroup: 'Paint',
    lastOrder: today - 115,
    lostCustomer: 1001,
    damage: nextWorkday(today - 150),
  }
}
