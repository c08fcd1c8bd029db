import { createAccountTaxId, getTaxId, listAccountTaxIds } from './account-tax-ids.ts'
import { Hono, type Context } from 'hono'
import { shiftToPresent, shiftFromPresent } from './time-shift.ts'
import { attachCard, cardBody, listCards } from './cards.ts'
import { updateSubscription } from './update-subscription.ts'
import { createSession, expireSessionCall, listSessions, sessionBody } from './checkout.ts'
import {
  createCustomer,
  createTaxId,
  customerBody,
  deleteTaxId,
  listCustomers,
  listTaxIds,
  updateCustomer,
} from './customers.ts'
import { eventBody } from './events.ts'
import { expandPaths } from './expand.ts'
import { textList, type Form } from './form.ts'
import { invoiceBody } from './invoice-body.ts'
import {
  finalizeCall,
  listInvoices,
  payCall,
  sendCall,
  uncollectibleCall,
  updateInvoice,
  voidCall,
} from './invoices.ts'
import { paginate } from './lists.ts'
import {
  createConfiguration,
  createPortal,
  getConfiguration,
  listConfigurations,
  updateConfiguration,
} from './portal.ts'
import { previewInvoice } from './preview.ts'
import {
  createPrice,
  createProduct,
  listPrices,
  listProducts,
  priceBody,
  productBody,
  updatePrice,
  updateProduct,
} from './prices.ts'
import {
  createSchedule,
  cancelSchedule,
  listSchedules,
  releaseSchedule,
  scheduleBody,
  updateSchedule,
} from './schedules.ts'
import { subscriptionBody } from './subscription-body.ts'
import { cancelSubscription, createSubscription, listSubscriptions } from './subscriptions.ts'
import { fundingInstructions } from './transfers.ts'
import { requireRecord, type Simulation } from './simulation.ts'

interface ApiEnv {
  Variables: { form: Form }
}
type ApiHandler = (simulation: Simulation, ask: { id: string; second: string; form: Form }) => object

/** Calls that the product and its tests make; the rest of Stripe's API is not here and answers 404. */
const GET_ROUTES: Record<string, ApiHandler> = {
  '/v1/products': (world, { form }) => listProducts(world, form),
  '/v1/products/:id': (world, { id }) => productBody(world, requireRecord(world.state.products, 'product', id)),
  '/v1/prices': (world, { form }) => listPrices(world, form),
  '/v1/prices/:id': (world, { id }) => priceBody(world, requireRecord(world.state.prices, 'price', id)),
  '/v1/customers': (world, { form }) => listCustomers(world, form),
  '/v1/customers/:id': (world, { id }) => customerBody(world, requireRecord(world.state.customers, 'customer', id)),
  '/v1/customers/:id/tax_ids': (world, { id, form }) => listTaxIds(world, id, form),
  '/v1/customers/:id/payment_methods': (world, { id, form }) => listCards(world, form, id),
  '/v1/payment_methods': (world, { form }) => listCards(world, form),
  '/v1/payment_methods/:id': (world, { id }) => cardBody(world, requireRecord(world.state.cards, 'PaymentMethod', id)),
  '/v1/subscriptions': (world, { form }) => listSubscriptions(world, form),
  '/v1/subscriptions/:id': (world, { id }) =>
    subscriptionBody(world, requireRecord(world.state.subscriptions, 'subscription', id)),
  '/v1/subscription_schedules': (world, { form }) => listSchedules(world, form),
  '/v1/subscription_schedules/:id': (world, { id }) =>
    scheduleBody(world, requireRecord(world.state.schedules, 'subscription_schedule', id)),
  '/v1/invoices': (world, { form }) => listInvoices(world, form),
  '/v1/invoices/:id': (world, { id }) => invoiceBody(world, requireRecord(world.state.invoices, 'invoice', id)),
  '/v1/checkout/sessions': (world, { form }) => listSessions(world, form),
  '/v1/checkout/sessions/:id': (world, { id }) =>
    sessionBody(world, requireRecord(world.state.sessions, 'checkout.session', id)),
  '/v1/billing_portal/configurations': (world, { form }) => listConfigurations(world, form),
  '/v1/billing_portal/configurations/:id': (world, { id }) => getConfiguration(world, id),
  '/v1/events': (world, { form }) =>
    paginate(world.state.events, form, {
      url: '/v1/events',
      tell: (one) => ({ ...eventBody(world, one), created: one.created }),
    }),
  '/v1/tax_ids': (world, { form }) => listAccountTaxIds(world, form),
  '/v1/tax_ids/:id': (world, { id }) => getTaxId(world, id),
  '/v1/account': (world) => ({
    id: 'acct_standin',
    object: 'account',
    country: 'SE',
    livemode: world.options.livemode,
  }),
}
const POST_ROUTES: Record<string, ApiHandler> = {
  '/v1/products': (world, { form }) => createProduct(world, form),
  '/v1/products/:id': (world, { id, form }) => updateProduct(world, id, form),
  '/v1/prices': (world, { form }) => createPrice(world, form),
  '/v1/prices/:id': (world, { id, form }) => updatePrice(world, id, form),
  '/v1/customers': (world, { form }) => createCustomer(world, form),
  '/v1/customers/:id': (world, { id, form }) => updateCustomer(world, id, form),
  '/v1/customers/:id/tax_ids': (world, { id, form }) => createTaxId(world, id, form),
  '/v1/customers/:id/funding_instructions': (world, { id, form }) => fundingInstructions(world, id, form),
  '/v1/payment_methods/:id/attach': (world, { id, form }) => attachCard(world, id, form),
  '/v1/subscriptions': (world, { form }) => createSubscription(world, form),
  '/v1/subscriptions/:id': (world, { id, form }) => updateSubscription(world, id, form),
  '/v1/subscription_schedules': (world, { form }) => createSchedule(world, form),
  '/v1/subscription_schedules/:id': (world, { id, form }) => updateSchedule(world, id, form),
  '/v1/subscription_schedules/:id/release': (world, { id }) => releaseSchedule(world, id),
  '/v1/subscription_schedules/:id/cancel': (world, { id }) => cancelSchedule(world, id),
  '/v1/invoices/create_preview': (world, { form }) => previewInvoice(world, form),
  '/v1/invoices/:id': (world, { id, form }) => updateInvoice(world, id, form),
  '/v1/invoices/:id/finalize': (world, { id }) => finalizeCall(world, id),
  '/v1/invoices/:id/send': (world, { id }) => sendCall(world, id),
  '/v1/invoices/:id/pay': (world, { id, form }) => payCall(world, id, form),
  '/v1/invoices/:id/void': (world, { id }) => voidCall(world, id),
  '/v1/invoices/:id/mark_uncollectible': (world, { id }) => uncollectibleCall(world, id),
  '/v1/tax_ids': (world, { form }) => createAccountTaxId(world, form),
  '/v1/checkout/sessions': (world, { form }) => createSession(world, form),
  '/v1/checkout/sessions/:id/expire': (world, { id }) => expireSessionCall(world, id),
  '/v1/billing_portal/sessions': (world, { form }) => createPortal(world, form),
  '/v1/billing_portal/configurations': (world, { form }) => createConfiguration(world, form),
  '/v1/billing_portal/configurations/:id': (world, { id, form }) => updateConfiguration(world, id, form),
}
const DELETE_ROUTES: Record<string, ApiHandler> = {
  '/v1/customers/:id/tax_ids/:second': (world, { id, second }) => deleteTaxId(world, id, second),
  '/v1/subscriptions/:id': (world, { id, form }) => cancelSubscription(world, id, form),
}

/** The calls themselves; who asks, and how often, has been looked at before. */
export function apiRoutes(simulation: Simulation): Hono<ApiEnv> {
  const app = new Hono<ApiEnv>()
  const answer = (run: ApiHandler) => (c: Context<ApiEnv>) => {
    const form = shiftFromPresent(c.get('form'), simulation.state.ahead)
    const ask = { id: c.req.param('id') ?? '', second: c.req.param('second') ?? '', form }
    const body = run(simulation, ask)
    return c.json(shiftToPresent(expandPaths(simulation, body, textList(form, 'expand')), simulation.state.ahead))
  }
  for (const [path, run] of Object.entries(GET_ROUTES)) app.get(path, answer(run))
  for (const [path, run] of Object.entries(POST_ROUTES))
    app.post(
      path,
      answer((at, ask) => at.atomically(() => run(at, ask))),
    )
  for (const [path, run] of Object.entries(DELETE_ROUTES))
    app.delete(
      path,
      answer((at, ask) => at.atomically(() => run(at, ask))),
    )
  return app
}
