import { requireCustomer } from './customers.ts'
import { emit } from './events.ts'
import { invalidRequestError } from './errors.ts'
import { requireText, subForm, optionalText, type Form } from './form.ts'
import { amountDue } from './invoice-body.ts'
import { recordPayment } from './invoices.ts'
import { assertTransferCountry } from './create-subscription.ts'
import { requireRecord, type Simulation } from './simulation.ts'

const BANK = { line1: '1 Test Street', line2: null, city: 'Test', postal_code: '1000', state: null }

/** The account that is the customer's own to pay to, so that what comes in is known to be theirs. */
export function virtualAccountOf(simulation: Simulation, customer: string, country: string) {
  const { invoice_prefix } = requireCustomer(simulation, customer)
  const digits = Array.from(customer.slice(4), (sign) => String(sign.charCodeAt(0) % 10)).join('')
  return {
    holder: 'Insikt (test billing)',
    iban: `${country}00${digits.padEnd(14, '0').slice(0, 14)}`,
    bic: `TEST${country}00`,
    reference: invoice_prefix,
    country,
  }
}

/** `POST /v1/customers/:id/funding_instructions`. */
export function fundingInstructions(simulation: Simulation, customer: string, form: Form): object {
  const transfer = subForm(form, 'bank_transfer') ?? {}
  if (optionalText(transfer, 'type') !== 'eu_bank_transfer')
    throw invalidRequestError('The stand-in knows eu_bank_transfer only.', { param: 'bank_transfer[type]' })
  const country = optionalText(subForm(transfer, 'eu_bank_transfer') ?? {}, 'country')
  assertTransferCountry(simulation, country)
  const account = virtualAccountOf(simulation, customer, country ?? '')
  const address = { ...BANK, country: account.country }
  return {
    object: 'funding_instructions',
    bank_transfer: {
      country: account.country,
      financial_addresses: [
        {
          type: 'iban',
          supported_networks: ['sepa'],
          iban: {
            account_holder_address: address,
            account_holder_name: account.holder,
            bank_address: address,
            bic: account.bic,
            country: account.country,
            iban: account.iban,
          },
        },
      ],
      type: 'eu_bank_transfer',
    },
    currency: requireText(form, 'currency'),
    funding_type: 'bank_transfer',
    livemode: simulation.options.livemode,
  }
}

/**
 * Money arrives at the customer's account, and the open invoice is paid with it.
 * @param amount smallest units; all that is due when it is left out
 * @throws 400 when the invoice is not open
 */
export function bankTransfer(simulation: Simulation, invoiceId: string, amount?: number): void {
  const invoice = requireRecord(simulation.state.invoices, 'invoice', invoiceId)
  if (invoice.status !== 'open') throw invalidRequestError(`The invoice is ${invoice.status}: there is nothing to pay.`)
  const due = amountDue(invoice) - invoice.amount_paid
  const sum = Math.min(amount ?? due, due)
  if (sum <= 0) throw invalidRequestError('A transfer is of something.')
  const balance = {
    object: 'cash_balance',
    available: { [invoice.currency]: sum },
    customer: invoice.customer,
    livemode: simulation.options.livemode,
    settings: { reconciliation_mode: 'automatic', using_merchant_default: true },
  }
  emit(simulation, 'cash_balance.funds_available', balance)
  recordPayment(simulation, invoice, sum)
}
