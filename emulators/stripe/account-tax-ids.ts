import { requireText, type Form } from './form.ts'
import { paginate } from './lists.ts'
import { taxIdBody } from './customers.ts'
import type { TaxIdRecord } from './state.ts'
import { requireRecord, type Simulation } from './simulation.ts'

/** The seller's own numbers. Each is a default one here: it goes onto every invoice that names no others. */
export const accountTaxIds = ({ state }: Simulation): TaxIdRecord[] =>
  Object.values(state.taxIds).filter(({ customer }) => customer === null)

export function createAccountTaxId(simulation: Simulation, form: Form): object {
  const [type, value] = [requireText(form, 'type'), requireText(form, 'value')]
  const taxId: TaxIdRecord = { id: simulation.id('txi', 24), created: simulation.now(), customer: null, type, value }
  simulation.state.taxIds[taxId.id] = taxId
  return taxIdBody(simulation, taxId)
}

export const getTaxId = (simulation: Simulation, id: string): object =>
  taxIdBody(simulation, requireRecord(simulation.state.taxIds, 'tax_id', id))

export const listAccountTaxIds = (simulation: Simulation, form: Form): object =>
  paginate(accountTaxIds(simulation), form, { url: '/v1/tax_ids', tell: (one) => taxIdBody(simulation, one) })
