import { customerOf } from './customers.ts'
import { emit } from './events.ts'
import { invalid } from './faults.ts'
import { needed, part, text } from './form.ts'
import type { Form } from './form.ts'
import { dueOf } from './invoice-body.ts'
import { settle } from './invoices.ts'
import { mustBeTransferCountry } from './start.ts'
import { found } from './world.ts'
import type { World } from './world.ts'

const BANK = { line1: '1 Test Street', line2: null, city: 'Test', postal_code: '1000', state: null }

/** The account that is the customer's own to pay to, so that what comes in is known to be theirs. */
export function accountOf(world: World, customer: string, country: string) {
  const { invoice_prefix } = customerOf(world, customer)
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
export function fundingInstructions(world: World, customer: string, form: Form): object {
  const transfer = part(form, 'bank_transfer') ?? {}
  if (text(transfer, 'type') !== 'eu_bank_transfer')
    throw invalid('The stand-in knows eu_bank_transfer only.', { param: 'bank_transfer[type]' })
  const country = text(part(transfer, 'eu_bank_transfer') ?? {}, 'country')
  mustBeTransferCountry(world, country)
  const account = accountOf(world, customer, country ?? '')
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
    currency: needed(form, 'currency'),
    funding_type: 'bank_transfer',
    livemode: world.options.livemode,
  }
}

/**
 * Money arrives at the customer's account, and the open invoice is paid with it.
 * @param amount smallest units; all that is due when it is left out
 * @throws 400 when the invoice is not open
 */
export function bankTransfer(world: World, invoiceId: string, amount?: number): void {
  const invoice = found(world.state.invoices, 'invoice', invoiceId)
  if (invoice.status !== 'open') throw invalid(`The invoice is ${invoice.status}: there is nothing to pay.`)
  const due = dueOf(invoice) - invoice.amount_paid
  const sum = Math.min(amount ?? due, due)
  if (sum <= 0) throw invalid('A transfer is of something.')
  const balance = {
    object: 'cash_balance',
    available: { [invoice.currency]: sum },
    customer: invoice.customer,
    livemode: world.options.livemode,
    settings: { reconciliation_mode: 'automatic', using_merchant_default: true },
  }
  emit(world, 'cash_balance.funds_available', balance)
  settle(world, invoice, sum)
}
