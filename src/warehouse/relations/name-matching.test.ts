import { describe, expect, it } from 'vitest'
import { canBeReferenced, nameMatchScore } from './name-matching'

const reason = (from: string, to: string): number => {
  const end = (text: string) => {
    const [dataset = '', label = ''] = text.split('.')
    return { dataset, label }
  }
  // What no dataset is looked for by is never compared.
  return canBeReferenced(end(to)) ? nameMatchScore(end(from), end(to)) : 0
}

describe('reasons from names', () => {
  it.each([
    ['orders.customer_id', 'customers.id'],
    ['orders.customerId', 'Customers.CustomerID'],
    ['invoiceline.TrackId', 'track.TrackId'],
    ['invoice.CustomerId', 'customer.CustomerId'],
    ['raw_orders.user_id', 'raw_customers.id'],
    ['raw_payments.order_id', 'raw_orders.id'],
    ['customer.SupportRepId', 'employee.EmployeeId'],
    ['employee.ReportsTo', 'employee.EmployeeId'],
    ['Order.Kundnr', 'Kunder.Kundnr'],
    ['orderrader.artikelnummer', 'Artiklar.Artikelnr'],
    ['fakturor.kund_id', 'kunder.id'],
    ['verifikationer.konto', 'konton.konto'],
    ['entries.account', 'accounts.account'],
    ['sales.product_code', 'Products.Code'],
    ['order_items.sku', 'products.sku'],
    ['verifikationsrader.Konto', 'kontoplan.Konto'],
    ['order.Kundnr', 'Kundregister.Kundnr'],
    ['avgångar.flygplan_id', 'flygplan.id'],
    ['rader.prislista_id', 'prislista.id'],
    ['budget.year_id', 'years.id'],
    ['writes.aid', 'author.aid'],
    ['domain_author.aid', 'author.aid'],
    ['payments.sender_uid', 'users.uid'],
    ['sbTransaction.sbTxCustId', 'sbCustomer.sbCustId'],
    ['sbDailyPrice.sbDpTickerId', 'sbTicker.sbTickerId'],
    ['citations.citedpaperid', 'paper.paperid'],
    ['Claim_Amount.Claim_Identifier', 'Claim.Claim_Identifier'],
    ['Agreement_Party.Agreement_Identifier', 'Policy.Policy_Identifier'],
    ['course_offering.semester', 'semester.semester_id'],
    ['restaurant.city_name', 'geographic.city_name'],
    ['river.country_name', 'country.country_name'],
  ])('%s may hold keys of %s', (from, to) => expect(reason(from, to)).toBeGreaterThan(0))

  it.each([
    ['orders.id', 'customers.id'],
    ['customers.id', 'orders.id'],
    ['orders.amount', 'customers.id'],
    ['orders.customer_id', 'products.id'],
    ['orders.country', 'customers.country'],
    ['orders.valid', 'customers.id'],
    ['customers.name', 'employees.name'],
    ['employee.EmployeeId', 'employee.ReportsTo'],
    ['entries.fiscal_year', 'fiscal_years.fiscal_year'],
    ['budget.månad', 'Månader.månad'],
    ['customers.first_name', 'salespersons.first_name'],
    ['Claim_Payment.Claim_Amount_Identifier', 'Claim.Claim_Identifier'],
    ['customers.orders', 'orders.id'],
    ['offers.bid', 'customers.id'],
  ])('%s is no key of %s', (from, to) => expect(reason(from, to)).toBe(0))

  it('prefers the dataset that a column is called after', () => {
    expect(reason('orders.customer_id', 'customers.id')).toBeGreaterThan(reason('orders.customer_id', 'users.id'))
  })
})
